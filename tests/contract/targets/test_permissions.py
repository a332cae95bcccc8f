"""What headers say a statement needs is what the objects in its body ask of a login: no more and no less."""

import pytest

from app.drivers.sqlserver.catalogue import ANY_SERVER, Statement, catalogue
from app.drivers.sqlserver.errors import SqlError
from app.drivers.sqlserver.lab.logins import Held, LabLogin
from app.drivers.sqlserver.permissions import HERE, Need, needs_of
from app.drivers.sqlserver.session import Place
from app.systems.transactional_replication import places
from app.systems.transactional_replication.lab_server.server import LabSqlServer
from tests.labs import build_lab

SERVERS = {places.DISTRIBUTOR: "DIST1", places.PUBLISHER: "PUB1", places.SUBSCRIBER: "SUB1", ANY_SERVER: "PUB1"}
DATABASES = {
    places.DISTRIBUTION_DATABASE: "distribution",
    places.PUBLICATION_DATABASE: "Sales1",
    places.SUBSCRIPTION_DATABASE: "Sales1Copy",
}
STATEMENTS = sorted(name for name, statement in catalogue().items() if statement.runs_at in SERVERS)


@pytest.mark.parametrize("name", STATEMENTS)
def test_the_header_says_what_the_body_asks_for(name: str) -> None:
    """A login with what the header lists is let through, and without any one of it refused."""
    lab, statement = build_lab(), catalogue()[name]
    assert isinstance(lab, LabSqlServer)
    place = Place(SERVERS[statement.runs_at], DATABASES.get(statement.database, statement.database))
    needs = needs_of(statement.permission)
    assert _is_let_through(lab, statement, place, needs)
    for need in needs:
        others = tuple(other for other in needs if other != need)
        assert not _is_let_through(lab, statement, place, others), f"nothing in the body asks for {need}"


def _is_let_through(lab: LabSqlServer, statement: Statement, place: Place, needs: tuple[Need, ...]) -> bool:
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
