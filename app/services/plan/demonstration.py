"""The demonstration: which plans run on which lab scenarios, as the families name them."""

from collections.abc import Collection, Mapping

from app.domain.family import DemoRun, ExperimentFamily
from app.domain.system import families_in_order


def demo_runs(families: Mapping[str, ExperimentFamily], wanted: Collection[str], seed: int) -> tuple[DemoRun, ...]:
    """Return the runs of the demonstration for the wanted families, in the order of systems and families."""
    return tuple(
        run for family in families_in_order(families) if family.family_id in wanted for run in family.demo_runs(seed)
    )
