"""Leftovers of an earlier session at a primary replica: the first object each kind makes, and the last it drops."""

import re
from contextlib import suppress
from typing import Final

from app.domain.errors import PermissionDenied
from app.drivers.sqlserver.session import Session
from app.foundation.ids import SESSION_ID
from app.foundation.texts import _
from app.systems.availability_groups.groups import GroupTopology
from app.systems.availability_groups.server.replicas import master

# Only what ends with the id of a session is one's: others may call their objects so, too.
_OF_A_SESSION: Final = re.compile(rf"Replitune (?:source|seeding) {SESSION_ID}")


def read_leftovers(session: Session, topology: GroupTopology) -> tuple[str, ...]:
    """Return one sentence for each test table and event session left; one that may not be read was never made."""
    left: list[str] = []
    own = session.own_server
    with suppress(PermissionDenied):
        names = [row.text("session_name") for row in session.run("left_event_sessions", master(own))]
        left += [
            _("{server}: extended events session {name}").format(server=own, name=name) for name in _of_sessions(names)
        ]
    for database in _own_databases(topology, own):
        with suppress(PermissionDenied):
            rows = session.run("left_test_tables", master(own), database_name=database)
            left += [
                _("{server}: table {name} in database {database}").format(server=own, name=name, database=database)
                for name in _of_sessions([row.text("table_name") for row in rows])
            ]
    return tuple(left)


def _of_sessions(names: list[str]) -> list[str]:
    return [name for name in names if _OF_A_SESSION.fullmatch(name)]


def _own_databases(topology: GroupTopology, server: str) -> list[str]:
    """Return the databases this server may be asked about: those it is primary for, and standalone ones."""
    primaries = {group.name: group.primary for group in topology.groups}
    return [
        database.name
        for database in topology.databases
        if database.state == "ONLINE" and primaries.get(database.group, server) == server
    ]
