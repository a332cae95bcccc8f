"""Where the work of a trial comes from."""

import pytest

from app.domain.load import EMPTY_LOAD, Load
from app.domain.work_source import WorkSource, work_source_of


def test_a_plan_of_before_wrote_to_a_test_table() -> None:
    """Plans without a source mean what they meant."""
    assert work_source_of(EMPTY_LOAD) is WorkSource.TEST_TABLE


@pytest.mark.parametrize("source", WorkSource)
def test_a_load_names_its_source(source: WorkSource) -> None:
    """What is kept is what is read."""
    assert work_source_of(Load.from_mapping({"source": str(source)})) is source


def test_only_the_test_table_is_written_to() -> None:
    """The others are the client's own work."""
    assert [source for source in WorkSource if not source.is_own_work] == [WorkSource.TEST_TABLE]
