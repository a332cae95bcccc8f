"""What ends a trial of a Streams pipeline."""

from dataclasses import replace
from typing import Final

from app.domain.limits import LATENCY, NO_LIMIT, RUN_DURATION, TIMES_BASELINE, TRIAL_DURATION, LimitField
from app.domain.plan_field import ValueKind
from app.foundation.texts import _

STREAMS_LIMITS: Final = (
    replace(
        LATENCY,
        help=_("From a commit at the source until it is applied."),
        reading=_("time from source commit to apply"),
    ),
    LimitField(
        "streams_pool_share",
        ValueKind.NUMBER,
        _("Streams pool fuller than"),
        "share",
        0.95,
        _("Used share of the Streams pool of either database; a full one spills and stalls the capture."),
        above=0,
        high=1,
        typed_in="%",
        when_empty=NO_LIMIT,
        reading=_("used share of the Streams pool"),
        stated=_("Streams pool used over {value}"),
    ),
    TRIAL_DURATION,
    TIMES_BASELINE,
    RUN_DURATION,
)
