"""The script a DBA runs before a visit: run on the lab as sqlcmd runs it, and read back as the doctor's answer."""

import json
import re
from dataclasses import dataclass
from functools import cache
from typing import Any

import pytest

from app.bootstrap import load_families, load_systems
from app.domain.errors import BadInput, TargetError
from app.domain.rights import Mode
from app.domain.statement import Access, StatementRecord
from app.drivers.sqlserver.catalogue import catalogue
from app.drivers.sqlserver.preflight import PREFLIGHT
from app.drivers.sqlserver.session import Place, Session
from app.services.look.doctor import TargetHealth, grant_script, target_health
from app.services.target.assembling import assemble
from tests.contract.targets.script_client import ScriptClient
from tests.labs import build_lab, open_lab


@dataclass
class LabServers:
    """The servers of a lab."""

    server: Any


LABS = {"lan": "DIST1", "ag-2016": "SQLNODE1", "capture": "CDC1"}
OF = {
    "lan": ("log_reader", "distribution_agent", "wan_delivery"),
    "ag-2016": ("commit_mode", "seeding"),
    "capture": ("cdc_capture",),
}


@cache
def script() -> str:
    """Return the script for every system."""
    asked = [system.asked_unseen for system in load_systems().values() if system.engine == PREFLIGHT.engine]
    return PREFLIGHT.script(asked, "preflight.sql")


@cache
def printed(lab: str, *, is_sysadmin: bool = True) -> tuple[str, ...]:
    """Return the lines that it prints at a lab."""
    window = ScriptClient(LabServers(build_lab(lab)), LABS[lab], is_sysadmin=is_sysadmin)
    window.run_script(script())
    assert (window.code, window.errors, window.ran) == (0, [], [])
    return tuple(window.printed)


def seen_from(text: str) -> TargetHealth:
    """Return what the doctor makes of a text."""
    target = assemble(PREFLIGHT.answers(text, "answer.txt"), load_systems())
    return target_health(target.key, load_families(), lambda *_given: target)


def seen(lab: str, records: list[StatementRecord]) -> TargetHealth:
    """Return what the doctor sees over a connection."""
    return target_health("lab", load_families(), lambda *_given: open_lab(lab, on_statement=records.append))


def possible(health: TargetHealth, lab: str) -> dict[str, tuple[str, frozenset[Mode]]]:
    """Return why each experiment of a lab's system is not possible, and the ways to work that are."""
    own = [one for one in health.experiments if one.family in OF[lab]]
    return {one.family: (one.impossible, frozenset(one.modes) - {Mode.GUIDED}) for one in own}


def attributes(line: str) -> dict[str, str]:
    """Return the values of a line by name."""
    return dict(re.findall(r' (\w+)="([^"]*)"', line))


def values_of(told: dict[str, str]) -> dict[str, str]:
    """Return the values of a statement's parameters in a line that names it."""
    return {name: text for name, text in told.items() if name not in ("statement", "server", "database")}


def given(record: StatementRecord) -> frozenset[tuple[str, str]]:
    """Return the values of parameters with which a statement was sent."""
    return frozenset((name, str(value)) for name, value in json.loads(record.parameters).items())


def outcome(session: Session, name: str, place: Place, values: dict[str, int | str]) -> object:
    """Return the rows of a statement, or the kind of error it ends with."""
    try:
        rows = session.run(name, place, **values)
    except TargetError as error:
        return type(error)
    return [[row.cell(column) for column in row.columns] for row in rows]


@pytest.mark.parametrize("lab", LABS)
def test_what_was_printed_is_answered_as_a_connection_answers(lab: str) -> None:
    """The same experiments with the same ways to work (guided work has no lab in this process), and the login."""
    records: list[StatementRecord] = []
    there, told = seen(lab, records), seen_from("\n".join(printed(lab)))
    assert possible(told, lab) == possible(there, lab)
    assert told.rights.login == there.rights.login == "replitune"
    assert all(line.startswith("#") and line.endswith(" #") for line in printed(lab))


@pytest.mark.parametrize("lab", LABS)
def test_it_asks_all_that_the_doctor_asks_of_this_server(lab: str) -> None:
    """What takes the values of an earlier answer, too, each of them once; the answers are those of a connection."""
    records: list[StatementRecord] = []
    seen(lab, records)
    lines = [line for line in printed(lab) if line.startswith("#ask")]
    here = {(one.name, given(one)) for one in records if one.server == LABS[lab]}
    answered = PREFLIGHT.answers("\n".join(printed(lab)), "answer.txt").session
    asked = {(told["statement"], frozenset(values_of(told).items())) for told in map(attributes, lines)}
    assert len({line.casefold() for line in lines}) == len(lines)
    assert here <= asked
    assert all(catalogue()[name].access is Access.READ for name, _values in asked)
    there = open_lab(lab).open_connection.session
    for told in filter(values_of, map(attributes, lines)):
        place, values = Place(told["server"], told["database"]), values_of(told)
        typed = {name: int(text) if text.isdecimal() else text for name, text in values.items()}
        assert outcome(answered, told["statement"], place, typed) == outcome(there, told["statement"], place, typed)


def test_a_login_with_few_rights_gets_the_script_that_grants_the_rest() -> None:
    """Refused statements are told by their numbers, and the rights are read all the same."""
    told = seen_from("\n".join(printed("lan", is_sysadmin=False)))
    assert told.rights.login == "monitor"
    assert "ALTER SERVER ROLE sysadmin ADD MEMBER [monitor];" in grant_script(told)


def test_an_answer_that_was_cut_is_none() -> None:
    """A line without its end does not pass for a server with less in it."""
    whole = "\n".join(printed("lan"))
    row = next(line for line in whole.splitlines() if line.startswith("#row") and "agent_name=" in line)
    unread = seen_from(whole.replace(row, row[:-20])).discovery.unread
    assert any("a line of the answer was cut" in sentence for sentence in unread)


@pytest.mark.parametrize("text", ["", "Changed database context to 'master'.", "#ask #"])
def test_another_text_is_refused(text: str) -> None:
    """Nothing of it names a server."""
    with pytest.raises(BadInput, match="does not hold what the script printed"):
        PREFLIGHT.answers(text, "answer.txt")
