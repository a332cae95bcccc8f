"""The kinds of change on seeding, for the dispatcher."""

from typing import Final

from app.domain.change_kinds import ChangeKind
from app.domain.declared_change import Declared
from app.drivers.sqlserver.session import Session
from app.foundation.clock import Clock
from app.systems.availability_groups.seeding_server.events import DECLARED as EVENTS_DECLARED
from app.systems.availability_groups.seeding_server.events import EVENT_SESSION
from app.systems.availability_groups.seeding_server.membership import MEMBERSHIP, Membership
from app.systems.availability_groups.seeding_server.mode import DECLARED as MODE_DECLARED
from app.systems.availability_groups.seeding_server.mode import SEEDING_MODE
from app.systems.availability_groups.seeding_server.own_database import TEST_DATABASE, TestDatabase
from app.systems.availability_groups.server.executor import GroupExecutor
from app.systems.availability_groups.server.spelling import OwnSpelling

SEEDING_CHANGE_KINDS: Final = (TEST_DATABASE, MEMBERSHIP, SEEDING_MODE, EVENT_SESSION)
SEEDING_MARKS: Final = {EVENT_SESSION: frozenset({TEST_DATABASE, MEMBERSHIP, SEEDING_MODE})}
"""None carries a mark of whoever made or changed it: that a session left one shows by its event session."""


def seeding_kinds(session: Session, clock: Clock) -> dict[str, ChangeKind]:
    """Return the maker of each kind."""
    spelled, executor = OwnSpelling(session), GroupExecutor(session, clock)
    return {
        TEST_DATABASE: TestDatabase(spelled, clock),
        MEMBERSHIP: Membership(spelled, clock),
        SEEDING_MODE: Declared(MODE_DECLARED, executor),
        EVENT_SESSION: Declared(EVENTS_DECLARED, executor),
    }
