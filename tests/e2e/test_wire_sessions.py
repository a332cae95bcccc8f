"""A small session through each real driver, encrypted: the same findings and numbers as in process."""

from pathlib import Path

import pytest

from tests.e2e.wire_results import assert_same_over_the_wire, run_plan
from tests.prove.killing import write_plan
from tests.unit.targets.sqlserver.odbc.real_drivers import DRIVERS, has_driver


@pytest.mark.parametrize(
    ("family", "names"), [("distribution_agent", ("microsoft",)), ("log_reader", ("freetds", "mssql-python"))]
)
def test_a_session_over_tds_finds_what_one_in_process_does(tmp_path: Path, family: str, names: tuple[str, ...]) -> None:
    """Seed, plan and lab are the same, so verdicts, findings and every measurement are."""
    plan = write_plan(tmp_path, family)
    expected = run_plan(plan, "lab", tmp_path / "lab")
    for name in filter(has_driver, names):
        assert_same_over_the_wire(plan, DRIVERS[name], expected, tmp_path / "lab", tmp_path / name)
