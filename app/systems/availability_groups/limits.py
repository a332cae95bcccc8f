"""The abort limits of availability-group trials."""

from collections.abc import Iterable
from typing import Final

from app.domain.limits import RUN_DURATION, TIMES_BASELINE, TRIAL_DURATION
from app.foundation.texts import _
from app.model.reading import limits_of
from app.systems.availability_groups.readings import GroupSample, SeedingSample

COMMIT_LIMITS: Final = (*limits_of(GroupSample), TRIAL_DURATION, TIMES_BASELINE, RUN_DURATION)
_OF_COMMITS_ALONE: Final = frozenset(limits_of(GroupSample)) - frozenset(limits_of(SeedingSample))
SEEDING_LIMITS: Final = tuple(limit for limit in COMMIT_LIMITS if limit not in _OF_COMMITS_ALONE)


def log_unknown(databases: Iterable[str]) -> str:
    """Return the remedy where no counter tells how full the log of databases is."""
    return _(
        "No counter tells how full the log of {databases} is, so the plan's log limit is not watched: take log backups "
        "often during the run, and watch it by hand."
    ).format(databases=", ".join(databases))
