"""The columns of a list of trials: one for each measure by its name."""

from app.domain.metrics import listed_metrics
from tests.labs import FAMILIES


def test_a_measure_has_one_column_whatever_its_step() -> None:
    """A run time is known to the second in one system and finer in another."""
    listed = listed_metrics(FAMILIES.values())
    steps = {metric.step for family in FAMILIES.values() for metric in family.metrics if metric.name == listed[0].name}
    assert len(steps) > 1
    assert len({metric.name for metric in listed}) == len(listed)
