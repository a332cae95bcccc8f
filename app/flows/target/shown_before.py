"""The results of the client's sessions at a site, where the next thing to test there is chosen."""

from collections.abc import Sequence

from app.flows.shell.recent_view import showed_cell
from app.flows.target.proposals import Proposal
from app.foundation.texts import _
from app.services.explain.verdict_counts import Showed


def shown_line(showed: Sequence[Showed]) -> str:
    """Return the results of sessions as a line of their site, each once, "" where none was shown."""
    results = dict.fromkeys(showed_cell(one).text for one in showed if one.best)
    return _("Already shown here: {result}").format(result="; ".join(results)) if results else ""


def shown_last(made: Sequence[Proposal], showed: Sequence[Showed]) -> tuple[Proposal, ...]:
    """Return the proposals with those of parameters that were shown already behind the others."""
    shown = {part.rpartition(" ")[0].strip() for one in showed for part in one.best.split(",")}
    return tuple(
        sorted(made, key=lambda one: bool(one.plan.factors) and all(f.name in shown for f in one.plan.factors))
    )
