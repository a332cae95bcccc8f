"""The subjects of experiments on availability groups, and the capabilities a target must offer for each."""

from typing import Final

from app.domain.plan_field import PlanField, ValueKind
from app.foundation.texts import _

SYSTEM_ID: Final = "availability_groups"

COMMIT: Final = "commit"
SEEDING: Final = "seeding"
SUBJECTS: Final = (COMMIT, SEEDING)

AVAILABILITY_GROUPS: Final = "AvailabilityGroups"
DATABASE_SEEDING: Final = "DatabaseSeeding"

CAPABILITIES: Final = {
    AVAILABILITY_GROUPS: _("an availability group whose modes may be changed"),
    DATABASE_SEEDING: _("a replica that a database may be seeded to"),
}
"""What it may offer on a target, by id, as a person says it."""

GROUP_FIELD: Final = PlanField(
    "group",
    ValueKind.TEXT,
    _("Availability group"),
    "",
    "",
    _("Leave empty to take the only group of the instance."),
)
"""Which group of the instance a plan is about."""
