"""The clock that asks the server: it sleeps with a statement, and asks again when time may have passed."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from app.domain.errors import ConnectionLost
from app.domain.setting import Value
from app.domain.statement import StatementRecord
from app.drivers.sqlserver.catalogue import Statement, catalogue
from app.drivers.sqlserver.errors import SqlError
from app.drivers.sqlserver.lab.servers import LabTransport
from app.drivers.sqlserver.server_clock import ServerClock, wait_text
from app.drivers.sqlserver.session import Place, RecordingSession
from app.foundation.clock import SystemClock
from app.foundation.rows import Cell
from app.systems.transactional_replication.lab.scenario import load_scenario, scenario_path
from app.systems.transactional_replication.lab_server.server import LabSqlServer


class LossyTransport(LabTransport):
    """A transport whose connection can be made to break."""

    is_broken = False

    def send(self, statement: Statement, place: Place, parameters: Mapping[str, Value]) -> tuple[tuple[Cell, ...], ...]:
        """Run a statement, unless the connection is broken."""
        if self.is_broken:
            raise SqlError(0, "gone", "08S01")
        return super().send(statement, place, parameters)


class Bench:
    """A lab with a clock that asks it."""

    def __init__(self) -> None:
        self.lab = LabSqlServer(load_scenario(scenario_path("lan")), 1, False)
        self.transport = LossyTransport(self.lab)
        self.records: list[StatementRecord] = []
        self.clock = ServerClock(RecordingSession(self.transport, SystemClock(), self.records.append))

    def asked(self) -> list[str]:
        """Return the statements the clock sent since the last look."""
        names = [record.name for record in self.records]
        self.records.clear()
        return names


@pytest.mark.parametrize("seconds", [0.0, 0.001, 12.5, 1.1, 100_000.25])
def test_sleeping_lets_the_servers_time_pass(seconds: float) -> None:
    """As much time passes as asked for, to the millisecond; no statement waits a day or longer."""
    bench = Bench()
    bench.clock.sleep(seconds)
    assert bench.lab.now_s() == pytest.approx(seconds, abs=1e-6)
    assert bench.clock.monotonic_s() == pytest.approx(seconds, abs=1e-6)
    assert bench.asked().count("lab_wait") == (0 if seconds == 0 else 3 if seconds > 86_400 else 1)


def test_no_sleep_is_shorter_than_asked_for() -> None:
    """Less than a millisecond is one, or a loop that waits for a moment would never end."""
    bench = Bench()
    bench.clock.sleep(0.0004)
    assert bench.lab.now_s() == pytest.approx(0.001)


def test_each_reading_asks_the_server() -> None:
    """Where others let time pass, only the server knows what time it is."""
    bench = Bench()
    bench.asked()
    before = bench.clock.now_utc()
    bench.lab.state.advance(5.0)
    assert (bench.clock.now_utc() - before).total_seconds() == pytest.approx(5.0)
    assert bench.asked() == ["server_time", "server_time"]


def test_watched_transport_saves_round_trips() -> None:
    """The time is asked once after each statement that takes some or fails, not after any other, nor after a sleep."""
    bench = Bench()
    watched = bench.clock.watch(bench.transport)
    bench.clock.sleep(1.0)
    bench.clock.monotonic_s()
    assert bench.asked() == ["server_time", "server_time", "lab_wait"]
    watched.send(catalogue()["local_time"], Place("DIST1", "master"), {})
    assert bench.clock.monotonic_s() == pytest.approx(bench.lab.now_s())
    assert bench.asked() == []
    watched.send(catalogue()["round_trip"], Place("SUB1", "Sales1Copy"), {})
    assert bench.clock.monotonic_s() == pytest.approx(bench.lab.now_s())
    bench.clock.now_utc()
    assert bench.asked() == ["server_time"]
    with pytest.raises(SqlError):
        watched.send(catalogue()["round_trip"], Place("SUB1", "nowhere"), {})
    bench.clock.now_utc()
    assert bench.asked() == ["server_time"]


def test_time_that_passes_by_itself_is_asked_after_each_statement(monkeypatch: pytest.MonkeyPatch) -> None:
    """A lab that runs at some speed tells another time each time it is asked."""
    monkeypatch.setattr(LabSqlServer, "run", _passing(LabSqlServer.run))
    bench = Bench()
    watched = bench.clock.watch(bench.transport)
    bench.asked()
    watched.send(catalogue()["local_time"], Place("DIST1", "master"), {})
    assert bench.clock.monotonic_s() > 0
    bench.clock.now_utc()
    assert bench.asked() == ["server_time"]


def _passing(run: Callable[..., Any]) -> Callable[..., Any]:
    """Return a lab's way to run a statement, with a moment that has passed before each."""

    def later(lab: LabSqlServer, *what: Any) -> Any:
        lab.state.advance(0.25)
        return run(lab, *what)

    return later


def test_lost_lab_says_what_to_do() -> None:
    """A lab that went away in mid-sleep is told in a sentence with a way back, and the clock asks again afterwards."""
    bench = Bench()
    bench.clock.watch(bench.transport)
    bench.transport.is_broken = True
    with pytest.raises(ConnectionLost, match="start it again"):
        bench.clock.sleep(1.0)
    bench.transport.is_broken = False
    assert bench.clock.monotonic_s() == pytest.approx(bench.lab.now_s(), abs=1e-6)


def test_the_time_of_a_lost_lab_stands_still() -> None:
    """The end of what ran there can be recorded: the last time it told is read, until it answers again."""
    bench = Bench()
    watched = bench.clock.watch(bench.transport)
    bench.clock.sleep(7.0)
    last_utc = bench.clock.now_utc()
    bench.transport.is_broken = True
    with pytest.raises(SqlError):
        watched.send(catalogue()["round_trip"], Place("SUB1", "Sales1Copy"), {})
    assert bench.clock.now_utc() == last_utc
    assert bench.clock.monotonic_s() == pytest.approx(7.0)
    bench.transport.is_broken = False
    bench.lab.state.advance(5.0)
    assert bench.clock.monotonic_s() == pytest.approx(12.0)


def test_waits_are_written_as_waitfor_reads_them() -> None:
    """Hours, minutes, seconds, milliseconds."""
    assert wait_text(86_399_999) == "23:59:59.999"
    assert wait_text(1) == "00:00:00.001"
