"""Which plots a report prints, each once and numbered; all of them are attached."""

from collections.abc import Iterable, Sequence

from app.analysis.claim_figure import KIND
from app.domain.decision import Decision, DecisionKind
from app.domain.plan import Phase
from app.domain.plot import PlotSpec
from app.foundation.texts import _
from app.reporting.blocks import Block, FigureBlock


class Figures:
    """Hands out the plots of a session, in the order they are printed."""

    def __init__(self, plots: Sequence[PlotSpec]) -> None:
        self._plots = tuple(plots)
        self._printed: list[int] = []

    def shown(self, decision: Decision) -> PlotSpec | None:
        """Return the figure a window shows beside a decision, None where there is none or it is shown already."""
        blocks = self.claiming(decision) or self.of(decision)
        return next((self._plots[block.index] for block in blocks if isinstance(block, FigureBlock)), None)

    def of(self, decision: Decision) -> list[Block]:
        """Return the plot that shows a decision, [] where there is none or it is printed already."""
        return self._first(finding.figure for finding in decision.findings)

    def claiming(self, decision: Decision) -> list[Block]:
        """Return the figure of every trial with the claim among them, [] where fresh trials make none."""
        gain = decision.gain
        is_claim = decision.kind is DecisionKind.CHANGE and gain is not None and gain.comparison.phase is Phase.CONFIRM
        return self.beside(decision, (KIND,)) if is_claim else []

    def beside(self, decision: Decision, kinds: Sequence[str]) -> list[Block]:
        """Return the first plot of the same experiment of one of these kinds that is not printed yet, [] for none."""
        experiment = decision.finding.figure.rpartition("/")[0]
        return self._first(f"{experiment}/{kind}" for kind in kinds) if experiment else []

    def _first(self, plot_ids: Iterable[str]) -> list[Block]:
        for plot_id in plot_ids:
            for index, plot in enumerate(self._plots):
                if plot.plot_id == plot_id and index not in self._printed:
                    self._printed.append(index)
                    caption = _("Figure {number}. {title}").format(number=len(self._printed), title=plot.title)
                    return [FigureBlock(index, caption, plot.alt)]
        return []
