"""What ends a trial of availability groups."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from app.domain.limits import FREE_DISK, LOG_USED, NO_LIMIT, RUN_DURATION, TIMES_BASELINE, TRIAL_DURATION, LimitField
from app.domain.plan_field import ValueKind
from app.foundation.texts import _


def _most(name: str, unit: str, title: str, help: str, reading: str, stated: str) -> LimitField:
    """Return a limit that no plan has by itself."""
    field = LimitField(name, ValueKind.NUMBER, title, unit, None, help, above=0, when_empty=NO_LIMIT)
    return replace(field, reading=reading, reading_unit=unit, stated=stated)


COMMIT_DELAY: Final = _most(
    "commit_delay_ms",
    "ms",
    _("Mean commit delay above"),
    _("How long a commit waits for the secondary, on average since the last reading."),
    _("mean commit delay"),
    _("mean commit delay over {value}"),
)
SEND_QUEUE: Final = _most(
    "send_queue_mb",
    "MB",
    _("Log send queue above"),
    _("Log not yet sent to the secondary; it is lost with the primary."),
    _("log not yet sent to the secondary"),
    _("log send queue over {value}"),
)
REDO_QUEUE: Final = _most(
    "redo_queue_mb",
    "MB",
    _("Redo queue above"),
    _("Log not yet redone at the secondary; a failover has to wait for it."),
    _("log not yet redone at the secondary"),
    _("redo queue over {value}"),
)

SEEDING_LIMITS: Final = (
    REDO_QUEUE,
    replace(LOG_USED, help=_("Used share of its log; it cannot be truncated before the secondary has it.")),
    FREE_DISK,
    TRIAL_DURATION,
    TIMES_BASELINE,
    RUN_DURATION,
)
COMMIT_LIMITS: Final = (COMMIT_DELAY, SEND_QUEUE, *SEEDING_LIMITS)


def log_unknown(databases: Iterable[str]) -> str:
    """Return what to do where no counter tells how full the log of databases is."""
    return _(
        "No counter tells how full the log of {databases} is, so the plan's log limit is not watched: take log backups "
        "often during the run, and watch it by hand."
    ).format(databases=", ".join(databases))
