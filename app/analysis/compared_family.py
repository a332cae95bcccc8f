"""A family that picks the best of several settings: the common facts and plots of such comparisons."""

from collections.abc import Mapping, Sequence

from app.analysis.claim import Claim, claim_of
from app.analysis.claim_figure import claim_plot
from app.analysis.compared_facts import compared_facts
from app.analysis.figures import effect_plot, order_plot, setting_plot
from app.domain.facts import FactValue
from app.domain.family import Evidence, FamilyOf, SeenT, SiteT
from app.domain.plot import PlotSpec


class ComparedFamily(FamilyOf[SeenT, SiteT]):
    """Its facts and plots are those of the comparison, with what is a family's own behind them."""

    def facts(self, evidence: Evidence, factor: str) -> Mapping[str, FactValue]:
        """Return the comparison's facts on one factor, and the family's own."""
        claim = claim_of(self, evidence)
        return {**compared_facts(self, evidence, claim, factor), **self.own_facts(evidence, claim, factor)}

    def own_facts(self, evidence: Evidence, claim: Claim | None, factor: str) -> Mapping[str, FactValue]:
        """Return the family's own facts on one factor."""
        return {}

    def plots(self, evidence: Evidence) -> tuple[PlotSpec, ...]:
        """Return the main metric by setting, effects, trials in order, and the family's own."""
        claim = claim_of(self, evidence)
        common = (
            setting_plot(self, evidence, claim),
            effect_plot(self, evidence),
            claim_plot(evidence, claim),
            order_plot(self, evidence),
        )
        return (*(plot for plot in common if plot is not None), *self.own_plots(evidence, claim))

    def own_plots(self, evidence: Evidence, claim: Claim | None) -> Sequence[PlotSpec]:
        """Return the plots of this family alone."""
        return ()
