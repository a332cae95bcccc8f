"""The columns of a list of trials: one for each measure by its name, its unit said once."""

import re

from app.domain.metrics import listed_metrics
from app.domain.view import Column
from tests.labs import FAMILIES


def test_a_measure_has_one_column_whatever_its_step() -> None:
    """A run time is known to the second in one system and finer in another."""
    listed = listed_metrics(FAMILIES.values())
    steps = {metric.step for family in FAMILIES.values() for metric in family.metrics if metric.name == listed[0].name}
    assert len(steps) > 1
    assert len({metric.name for metric in listed}) == len(listed)


def test_no_heading_says_twice_what_is_counted() -> None:
    """Messages are spilled, not "messages spilled (messages)": a table of many measures has no room for that."""
    counted = Column("spilled", "Messages spilled from the source queue", "messages").heading
    assert counted == "Messages spilled from the source queue"
    assert Column("rate", "Messages applied per minute", "messages/min").heading.endswith("(messages/min)")
    for metric in listed_metrics(FAMILIES.values()):
        heading = Column(metric.name, metric.title, metric.unit).heading.casefold()
        words = re.findall(r"[\w/]+", heading)
        assert words.count(metric.unit) < 2
