"""How often a trial is read while it works."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from app.domain.target import AT_ONCE
from app.runner.bench.watch import SAMPLES_PER_TRIAL, SHORTEST_TICK_S, Watch
from app.runner.control import RunControl
from app.runner.skipped import SkippedReadings
from tests.unit.runner.memory import MemoryClock


class _Noting(Watch[Any]):
    """Notes when it reads."""

    def read(self, progress: Callable[[Any], float]) -> Any:
        """Take note of the time."""
        self.readings.append(self.elapsed_s)
        self._read_s = self.elapsed_s
        return progress(None)


@pytest.mark.parametrize("expected_s", [0.0, 100 * SAMPLES_PER_TRIAL * SHORTEST_TICK_S])
@pytest.mark.parametrize("share", [0.25, 1.0, 3.0])
def test_portions_of_work_are_read_between_once_a_tick(expected_s: float, share: float) -> None:
    """However short the portions are: each reading is a load on the server. After long ones it is read at once."""
    clock = MemoryClock()
    parts: Any = SimpleNamespace(target=SimpleNamespace(clock=clock, asking=AT_ONCE), control=RunControl())
    call: Any = SimpleNamespace(expected_s=expected_s)
    watch = _Noting(parts, call, (), lambda: None, lambda _before, _now: None, {}, set(), SkippedReadings())
    for _portion in range(40):
        clock.sleep(share * watch.tick_s)
        watch.tick(0.5)
    apart = [later - earlier for earlier, later in zip(watch.readings, watch.readings[1:], strict=False)]
    assert apart == pytest.approx([max(1.0, share) * watch.tick_s] * len(apart))
    assert len(watch.readings) == int(40 * min(1.0, share))
