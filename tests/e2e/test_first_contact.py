"""`doctor --record`: what servers answer, held against the lab, over the lab served to both drivers."""

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from app.domain.statement import Access
from app.drivers.sqlserver.catalogue import catalogue
from app.drivers.sqlserver.errors import SqlError
from app.drivers.sqlserver.wire import client_session
from app.drivers.sqlserver.wire.driver_answers import ResultSet
from app.drivers.sqlserver.wire.types import wire_type
from app.lab.scenario_file import shipped_scenarios
from app.systems.availability_groups.system import SYSTEM as GROUPS
from tests.e2e.posed_lab import Pose, posed_lab
from tests.e2e.program import run_alone

HERE_ALONE = {"lab_wait", "take_run_mark", "release_run_mark"}
"""What no record sends."""

NAMES = ("DIST1", "PUB1", "SUB1", "SUB2", "Sales", "Orders", "127.0.0.1", "SQLNODE")
"""What the labs' servers, databases, publications and logins have in their names, and the agents in theirs."""


def pose_groups(scenario: Path | None, seed: int, noise: bool | None) -> object:
    """Build a lab with an availability group."""
    return GROUPS.lab.build(scenario, seed, noise)


def spoil() -> None:
    """Rename a column, withhold a right and change a type, in the lab's own process."""
    as_it_is = client_session.ClientSession.run

    def spoilt(self, statement, values, watch):  # type: ignore[no-untyped-def]  # as the method it stands for
        if statement.name == "job_outcome":
            raise SqlError(
                229, "The SELECT permission was denied on the object 'sysjobhistory', database 'Sales1'.", "42000"
            )
        result = as_it_is(self, statement, values, watch)
        columns = {column.name: column for column in result.columns}
        if statement.name == "agents":
            columns["profile_id"] = replace(columns["profile_id"], name="profile_number")
        if statement.name == "agent_history":
            columns["runstatus"] = replace(columns["runstatus"], wire_type=wire_type("nvarchar", 20))
            at = list(columns).index("runstatus")
            rows = tuple((*row[:at], str(row[at]), *row[at + 1 :]) for row in result.rows)
            return ResultSet(tuple(columns.values()), rows)
        return ResultSet(tuple(columns.values()), result.rows)

    client_session.ClientSession.run = spoilt  # type: ignore[method-assign]  # a server that differs is posed


def record(pose: Pose, driver: str, out: Path) -> dict[str, Any]:
    """Record a lab through a driver and return the file's content."""
    with posed_lab(pose) as lab:
        ran = run_alone("doctor", "--json", "--target", lab.key(driver), "--record", str(out))
    assert ran.code == 0, ran.err
    document: dict[str, Any] = json.loads(out.read_text())
    assert ran.json()["differences"] == document["differences"]
    return document


@pytest.mark.prove
@pytest.mark.parametrize(
    ("driver", "pose", "not_there"),
    [
        ("freetds", Pose(), ("primary", "secondary", "replica")),
        (
            "mssql-python",
            Pose(scenario=shipped_scenarios()["ag-2016"], build=pose_groups, home="SQLNODE1"),
            ("distributor", "publisher", "subscriber"),
        ),
    ],
)
def test_the_lab_answers_as_it_says_itself(driver: str, pose: Pose, not_there: tuple[str, ...], tmp_path: Path) -> None:
    """Nothing differs; each reading statement was sent or the file says why not; versions, rows and times are there."""
    document = record(pose, driver, tmp_path / "record.json")
    assert document["differences"] == []
    reading = {one.name for one in catalogue().values() if one.access is Access.READ}
    assert {one["statement"] for one in [*document["answers"], *document["not_asked"]]} == reading
    because = {one["statement"]: one["because"] for one in document["not_asked"]}
    assert because.keys() >= HERE_ALONE
    expected = {"nothing of its system was met", "SQL Server 2025 was not met"}
    expected |= {f"no {place} was met" for place in not_there}
    assert {because[name] for name in because.keys() - HERE_ALONE} == expected
    assert all(re.fullmatch(r"\d+(\.\d+){3}", version) for _server, version in document["servers"])
    assert sum(one["rows"] for one in document["answers"]) > 20
    text = (tmp_path / "record.json").read_text()
    assert [name for name in NAMES if name.lower() in text.lower()] == []


def test_what_differs_is_found_and_nothing_else(tmp_path: Path) -> None:
    """A column renamed, a right missing, a type changed: exactly these, although the topology cannot be read then."""
    document = record(Pose(prepare=spoil), "freetds", tmp_path / "record.json")
    assert {(one["statement"], one["what"]) for one in document["differences"]} == {
        ("agents", "column profile_id is missing"),
        ("agents", "column profile_number is new"),
        ("agent_history", "column runstatus is text, not whole"),
        ("job_outcome", "PermissionDenied: error 229, state 42000 (sysjobhistory)"),
    }
    assert "Sales1" not in (tmp_path / "record.json").read_text()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--record", "x.json"), "--record needs a target"),
        (("--target", "lab", "--record", "x.json"), "cannot be recorded"),
    ],
)
def test_what_cannot_be_recorded_is_told(arguments: tuple[str, ...], sentence: str) -> None:
    """One sentence and exit code 2."""
    ran = run_alone("doctor", *arguments)
    assert (ran.code, sentence in ran.err) == (2, True)
