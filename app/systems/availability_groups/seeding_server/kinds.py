"""The kinds of change on seeding, for the dispatcher."""

from typing import Final

from app.drivers.sqlserver.session import Session
from app.foundation.clock import Clock
from app.systems.availability_groups.seeding_server.events import EVENT_SESSION, EventSession
from app.systems.availability_groups.seeding_server.membership import MEMBERSHIP, Membership
from app.systems.availability_groups.seeding_server.mode import SEEDING_MODE, SeedingMode
from app.systems.availability_groups.seeding_server.own_database import TEST_DATABASE, TestDatabase
from app.systems.availability_groups.server.kinds import Kind
from app.systems.availability_groups.server.spelling import OwnSpelling

SEEDING_CHANGE_KINDS: Final = (TEST_DATABASE, MEMBERSHIP, SEEDING_MODE, EVENT_SESSION)


def seeding_kinds(session: Session, clock: Clock) -> dict[str, Kind]:
    """Return what makes and undoes each kind."""
    spelled = OwnSpelling(session)
    return {
        TEST_DATABASE: TestDatabase(spelled, clock),
        MEMBERSHIP: Membership(spelled, clock),
        SEEDING_MODE: SeedingMode(spelled, clock),
        EVENT_SESSION: EventSession(spelled),
    }
