"""A watch that lasts a night: until its time, through lost connections, and never on with a login that was refused."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

from app.domain.errors import ConnectionLost, LoginFailed
from app.services.look.overnight import PAUSE_S, NightReading, hours_watched, watch_until
from app.services.look.watching import LiveReading

EVENING = datetime(2026, 11, 28, 22, 0, tzinfo=UTC)
READ = LiveReading({"any": (1,)}, (), 1, 2.0, 10.0)
LOST = ConnectionLost("the line is cut")


class Night:
    """A watch whose time passes as it is let pass, and that reads what was written down for it."""

    is_simulated = True

    def __init__(self, *reads: LiveReading | Exception | None) -> None:
        self._reads = iter(reads)
        self.passed: list[float] = []

    def now_utc(self) -> datetime:
        """Return the evening and what has passed."""
        return EVENING + timedelta(seconds=self.passed_s())

    def passed_s(self) -> float:
        """Return what has passed."""
        return sum(self.passed)

    def let_pass(self, seconds: float) -> None:
        """Let it pass."""
        self.passed.append(seconds)

    def read(self) -> LiveReading | None:
        """Return, or raise, the next of its reads; the last one stays."""
        read = next(self._reads, READ)
        if isinstance(read, Exception):
            raise read
        return read


def minutes_after(evening: datetime, minutes: int) -> int:
    """Return a time of day by this computer's clock."""
    local = (evening + timedelta(minutes=minutes)).astimezone()
    return local.hour * 60 + local.minute


def watched(night: Night, minutes: int) -> list[NightReading]:
    """Watch so many minutes."""
    return list(watch_until(night, minutes_after(EVENING, minutes), lambda: False))


def test_it_reads_once_a_minute_until_its_time() -> None:
    """And not once longer, also over midnight."""
    night = Night()
    assert len(watched(night, 180)) == 180
    assert night.now_utc() == EVENING + timedelta(minutes=180)
    assert hours_watched(night.passed_s()) == 3


def test_who_does_not_answer_is_asked_less_and_less_often() -> None:
    """Once somebody answers, once a minute again."""
    night = Night(READ, LOST, LOST, LOST, READ)
    readings = watched(night, 60)
    assert [each.problem for each in readings[:5]] == ["", str(LOST), str(LOST), str(LOST), ""]
    assert night.passed[:5] == [PAUSE_S, PAUSE_S, 2 * PAUSE_S, 4 * PAUSE_S, PAUSE_S]


def test_nothing_read_of_any_system_is_no_answer() -> None:
    """The sentences of the systems say why."""
    (first, *_rest) = watched(Night(LiveReading({}, ("no Distributor",), 1, 2.0, 10.0)), 3)
    assert (first.reading, first.problem) == (None, "no Distributor")


def test_a_refused_login_ends_it() -> None:
    """Asking on through the night could lock it."""
    readings = watched(Night(READ, LoginFailed("refused")), 60)
    assert [each.problem for each in readings] == ["", "refused"]


@pytest.fixture
def stops() -> Iterator[bool]:
    """Ctrl+C after three readings."""
    return iter([False, False, False, True])


def test_it_ends_earlier_when_it_is_told_to(stops: Iterator[bool]) -> None:
    """With what was read by then."""
    assert len(list(watch_until(Night(), minutes_after(EVENING, 600), lambda: next(stops)))) == 3


def test_a_closed_watch_reads_no_more() -> None:
    """It ends at once."""
    assert watched(Night(None), 60) == []
