"""The kinds of change on seeding, for the dispatcher."""

from typing import Final

from app.foundation.clock import Clock
from app.targets.sqlserver.groups.kinds import Kind
from app.targets.sqlserver.groups.spelling import OwnSpelling
from app.targets.sqlserver.seeding.events import EVENT_SESSION, EventSession
from app.targets.sqlserver.seeding.membership import MEMBERSHIP, Membership
from app.targets.sqlserver.seeding.mode import SEEDING_MODE, SeedingMode
from app.targets.sqlserver.seeding.own_database import TEST_DATABASE, TestDatabase
from app.targets.sqlserver.session import Session

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
