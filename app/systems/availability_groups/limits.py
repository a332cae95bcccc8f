"""What ends a trial of availability groups."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from app.domain.limits import FREE_DISK, LOG_USED, NO_LIMIT, RUN_DURATION, TIMES_BASELINE, TRIAL_DURATION, LimitField
from app.domain.plan_field import ValueKind
from app.foundation.texts import _

_REDO_QUEUE: Final = LimitField(
    "redo_queue_mb",
    ValueKind.NUMBER,
    _("Redo queue above"),
    "MB",
    None,
    _("Log not yet redone at the secondary; a failover has to wait for it."),
    above=0,
    when_empty=NO_LIMIT,
    reading=_("log not yet redone at the secondary"),
    reading_unit="MB",
    stated=_("redo queue over {value}"),
)

SEEDING_LIMITS: Final = (
    _REDO_QUEUE,
    replace(LOG_USED, help=_("Used share of its log; it cannot be truncated before the secondary has it.")),
    FREE_DISK,
    TRIAL_DURATION,
    TIMES_BASELINE,
    RUN_DURATION,
)

COMMIT_LIMITS: Final = (
    LimitField(
        "commit_delay_ms",
        ValueKind.NUMBER,
        _("Mean commit delay above"),
        "ms",
        None,
        _("How long a commit waits for the secondary, on average since the last reading."),
        above=0,
        when_empty=NO_LIMIT,
        reading=_("mean commit delay"),
        reading_unit="ms",
        stated=_("mean commit delay over {value}"),
    ),
    LimitField(
        "send_queue_mb",
        ValueKind.NUMBER,
        _("Log send queue above"),
        "MB",
        None,
        _("Log not yet sent to the secondary; it is lost with the primary."),
        above=0,
        when_empty=NO_LIMIT,
        reading=_("log not yet sent to the secondary"),
        reading_unit="MB",
        stated=_("log send queue over {value}"),
    ),
    *SEEDING_LIMITS,
)


def log_unknown(databases: Iterable[str]) -> str:
    """Return what to do where no counter tells how full the log of databases is."""
    return _(
        "No counter tells how full the log of {databases} is, so the plan's log limit is not watched: take log backups "
        "often during the run, and watch it by hand."
    ).format(databases=", ".join(databases))
