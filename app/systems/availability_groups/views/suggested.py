"""Suggestions for availability groups: commit waits, and seeding of a database."""

from collections.abc import Mapping, Sequence
from typing import Final

from app.domain.family import ExperimentFamily
from app.flows.suggested import Expected, Suggestion
from app.foundation.texts import _
from app.systems.availability_groups.groups import CommitMode
from app.systems.availability_groups.observed import GroupsObservation, ObservedGroupDatabase

NOTED_MS: Final = 1.0
"""A commit that waits longer than this waits for more than a write to a local disk."""

PUBLISHED_SEEDING_S: Final = (1_446.0, 480.0)
"""Backup and restore, direct seeding: total time in resources/published/direct-seeding-2016.csv."""


def suggested(observation: GroupsObservation, families: Mapping[str, ExperimentFamily]) -> Sequence[Suggestion]:
    """Return a suggestion for the database with the longest commit waits, and one for seeding."""
    made: list[Suggestion] = []
    if "commit_mode" in families and observation.databases:
        made.append(_commits(families["commit_mode"], max(observation.databases, key=_delay_ms)))
    if "seeding" in families:
        made.append(_seeding(families["seeding"], observation))
    return made


def _delay_ms(database: ObservedGroupDatabase) -> float:
    return database.commit_delay_ms or database.commit_delay_since_start_ms or 0.0


def _commits(family: ExperimentFamily, database: ObservedGroupDatabase) -> Suggestion:
    is_synchronous = any(secondary.mode is CommitMode.SYNCHRONOUS for secondary in database.secondaries)
    delay_ms = _delay_ms(database)
    words = _("No commit waited for a secondary: all secondaries are asynchronous, or nothing was written.")
    if is_synchronous and delay_ms > 0:
        words = _("A commit waited {ms:.2f} ms on average for a synchronous secondary.").format(ms=delay_ms)
    return Suggestion(
        plan=family.default_plan(),
        title=family.title,
        about=_("{database} of {group}").format(database=database.database, group=database.group),
        because=words,
        expected=None,
        is_limiting=is_synchronous and delay_ms >= NOTED_MS,
    )


def _seeding(family: ExperimentFamily, observation: GroupsObservation) -> Suggestion:
    before_s, after_s = PUBLISHED_SEEDING_S
    change = after_s / before_s - 1.0
    return Suggestion(
        plan=family.default_plan(),
        title=family.title,
        about=_("{server}, with a database of its own").format(server=observation.topology.connected_to),
        because=_("Matters when a replica is added or joined again; none of that is in progress."),
        expected=Expected(change, change, _("A published test saw {change}")),
        is_limiting=False,
    )
