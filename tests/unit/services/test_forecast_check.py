"""What is told at the end of a kept setting's rest: the forecast and the time it took, or why there was no forecast."""

from app.domain.events import SamplesTaken
from app.domain.measurement import Sample
from app.domain.setting import Setting
from app.reporting.numbers import duration
from app.services.run.forecast_check import ForecastCheck
from tests.unit.runner.memory import MemoryClock

ONE, FOUR = Setting.of(PARALLELISM=1), Setting.of(PARALLELISM=4)


def _read(check: ForecastCheck, clock: MemoryClock, seconds: float) -> None:
    clock.sleep(seconds)
    check.take(SamplesTaken("E1", "", (Sample("source queue", seconds, 5.0, "messages"),), 0.0))


def test_a_rest_that_nothing_counts_is_told_with_its_time() -> None:
    """From the first reading to the last, with why nothing was forecast."""
    clock = MemoryClock()
    check = ForecastCheck("messages_per_min", (), ONE, FOUR, clock, "No view counts it.")
    assert check.sentence() == ""
    for _reading in range(7):
        _read(check, clock, 60.0)
    assert check.sentence() == f"it took {duration(360.0)}. No view counts it."


def test_readings_that_tell_no_backlog_promise_nothing() -> None:
    """Of a family whose readings count it, and did not."""
    clock = MemoryClock()
    check = ForecastCheck("throughput", (), ONE, FOUR, clock)
    _read(check, clock, 60.0)
    assert check.sentence() == ""
