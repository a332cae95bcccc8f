"""What headers say a statement needs is what the objects in its body ask of a login: no more and no less."""

from typing import Any

import pytest

from app.drivers.sqlserver.catalogue import Statement, catalogue
from app.drivers.sqlserver.errors import SqlError
from app.drivers.sqlserver.lab.logins import Held, LabLogin
from app.drivers.sqlserver.lab.servers import LabServer
from app.drivers.sqlserver.lab.simulated import SimulatedSqlServers
from app.drivers.sqlserver.permissions import HERE, Need, needs_of
from app.drivers.sqlserver.session import Place
from app.systems.availability_groups.subjects import SYSTEM_ID as GROUPS
from tests.labs import SYSTEMS, answered_by, own_statements
from tests.rows import every_row

ON_SQL_SERVER = [system_id for system_id, system in SYSTEMS.items() if system.engine == "sqlserver"]
# Its statements make and enter databases of their own, so that headers hold rights in words for a person.
IN_WORDS = own_statements(GROUPS, "sqlserver")
STATEMENTS = [(system_id, name) for system_id in ON_SQL_SERVER for name in sorted(answered_by(system_id) - IN_WORDS)]


@pytest.mark.parametrize("system_id", ON_SQL_SERVER)
def test_a_lab_answers_what_its_system_may_ask(system_id: str) -> None:
    """The driver's statements and the system's own, and none of another system."""
    assert lab_of(system_id).answered == answered_by(system_id)


@every_row(("system_id", "name"), STATEMENTS)
def test_the_header_says_what_the_body_asks_for(system_id: str, name: str) -> None:
    """A login with what the header lists is let through, and without any one of it refused."""
    lab, statement = lab_of(system_id), catalogue()[name]
    place = place_of(lab, statement)
    needs = needs_of(statement.permission)
    assert _is_let_through(lab, statement, place, needs)
    for need in needs:
        others = tuple(other for other in needs if other != need)
        assert not _is_let_through(lab, statement, place, others), f"nothing in the body asks for {need}"


def lab_of(system_id: str) -> SimulatedSqlServers:
    """Return the simulated servers of a system's default lab."""
    lab = SYSTEMS[system_id].lab.build(None, 1)
    assert isinstance(lab, SimulatedSqlServers)
    return lab


def place_of(lab: SimulatedSqlServers, statement: Statement) -> Place:
    """Return where a statement may run in a lab."""
    state: Any = vars(lab)["state"]  # each system has a kind of its own
    servers: tuple[LabServer, ...] = state.site.servers
    places = [
        Place(server.name, database)
        for server in servers
        for database, role in server.databases
        if role == statement.database and lab.is_there(statement, server)
    ]
    return places[0]


def _is_let_through(lab: SimulatedSqlServers, statement: Statement, place: Place, needs: tuple[Need, ...]) -> bool:
    held = {
        Held(place.server, place.database if need.database == HERE else need.database, need.right) for need in needs
    }
    users = set() if needs_of(statement.permission) and not needs else {(place.server, place.database)}
    login = LabLogin("x", held, users)
    try:
        lab.doors.check(login, statement, place)
    except SqlError:
        return False
    return not lab.doors.sees_nothing(login, statement, place)
