"""The abort limits of Streams trials."""

from typing import Final

from app.domain.limits import RUN_DURATION, TIMES_BASELINE, TRIAL_DURATION
from app.model.reading import limits_of
from app.systems.oracle_streams.readings import StreamsSample

STREAMS_LIMITS: Final = (*limits_of(StreamsSample), TRIAL_DURATION, TIMES_BASELINE, RUN_DURATION)
