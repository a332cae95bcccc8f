"""The abort limits of replication-agent trials."""

from dataclasses import replace
from typing import Final

from app.domain.limits import (
    FREE_DISK,
    LATENCY,
    LOG_USED,
    NO_LIMIT,
    RUN_DURATION,
    TIMES_BASELINE,
    TRIAL_DURATION,
    LimitField,
)
from app.domain.plan_field import ValueKind
from app.foundation.texts import _

AGENT_LIMITS: Final[tuple[LimitField, ...]] = (
    replace(LATENCY, help=_("Latency of the agents under test, the slowest of them.")),
    LimitField(
        "pending_commands",
        ValueKind.WHOLE,
        _("Pending commands above"),
        "commands",
        None,
        _("Commands waiting in the distribution database beyond the planned backlog."),
        above=0,
        when_empty=NO_LIMIT,
        reading=_("pending commands beyond the planned backlog"),
        reading_unit=_("commands"),
        stated=_("more than {value} pending commands"),
    ),
    replace(
        LOG_USED,
        title=_("Publication log fuller than"),
        help=_("Used share of the fullest log; it cannot be truncated while the Log Reader Agent is stopped."),
        reading=_("used share of the publication database's log"),
    ),
    LimitField(
        "lock_wait_share",
        ValueKind.NUMBER,
        _("Lock waits above"),
        "share",
        None,
        _("Time all sessions on the Distributor waited for locks, as a share of the time that passed."),
        above=0,
        typed_in="%",
        when_empty=NO_LIMIT,
        reading=_("lock waits on the Distributor"),
        reading_unit=_("s per second"),
        stated=_("lock waits over {value} of the time"),
    ),
    replace(FREE_DISK, help=_("Free space on the Distributor's data disk."), reading=_("free disk on the Distributor")),
    TRIAL_DURATION,
    TIMES_BASELINE,
    RUN_DURATION,
)
