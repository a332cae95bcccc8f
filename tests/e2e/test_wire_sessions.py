"""A small session through each real driver, encrypted: the same findings and numbers as in process."""

from pathlib import Path

import pytest

from tests.e2e.wire_results import assert_same_over_the_wire, expected_of
from tests.prove.killing import write_plan
from tests.unit.targets.sqlserver.odbc.real_drivers import DRIVERS, has_driver


@pytest.mark.parametrize(
    ("family", "names"), [("distribution_agent", ("microsoft",)), ("log_reader", ("freetds", "mssql-python"))]
)
def test_a_session_over_tds_finds_what_one_in_process_does(tmp_path: Path, family: str, names: tuple[str, ...]) -> None:
    """Seed, plan and lab are the same, so verdicts, findings and every measurement are."""
    expected = expected_of(write_plan(tmp_path, family), "lab")
    for name in filter(has_driver, names):
        assert_same_over_the_wire(expected, DRIVERS[name], tmp_path / name)
