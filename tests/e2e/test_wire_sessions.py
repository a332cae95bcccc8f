"""A small session through each real driver, encrypted: the same findings and numbers as in process."""

from pathlib import Path

import pytest

from app.store import open_for_reading
from tests.e2e.wire_results import assert_same_over_the_wire, expected_of
from tests.prove.killing import write_plan
from tests.unit.targets.sqlserver.odbc.real_drivers import DRIVERS, has_driver
from tests.writers import site_with_writers


@pytest.mark.parametrize(
    ("family", "name"),
    [
        ("distribution_agent", "microsoft"),
        # what differs is the driver, and what a family reads, which `test_wire` compares statement by statement
        pytest.param("log_reader", "freetds", marks=pytest.mark.prove),
        pytest.param("log_reader", "mssql-python", marks=pytest.mark.prove),
    ],
)
def test_a_session_over_tds_finds_what_one_in_process_does(tmp_path: Path, family: str, name: str) -> None:
    """Seed, plan and lab are the same, so verdicts, findings and every measurement are."""
    if not has_driver(name):
        pytest.skip("the driver is not installed")
    expected = expected_of(write_plan(tmp_path, family), "lab")
    assert_same_over_the_wire(expected, DRIVERS[name], tmp_path / name)


@pytest.mark.parametrize("name", ["microsoft", *(pytest.param(n, marks=pytest.mark.prove) for n in ("freetds",))])
def test_where_others_write_a_session_over_tds_ends_as_one_in_process(tmp_path: Path, name: str) -> None:
    """Positions of a log come over the line as they are."""
    if not has_driver(name):
        pytest.skip("the driver is not installed")
    site = site_with_writers(tmp_path, 10.0, 5)
    expected = expected_of(write_plan(tmp_path, "log_reader"), f"lab:{site}")
    assert_same_over_the_wire(expected, DRIVERS[name], tmp_path / name, site)
    with open_for_reading(tmp_path / name / "session.replitune") as reader:
        (run,) = reader.read_session(with_samples=False).runs
    assert all("had not been written by this run" in one.text for trial in run.trials for one in trial.happenings)
    assert all(trial.happenings for trial in run.trials)
