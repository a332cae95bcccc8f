"""One lab for several clients: turns, waits that can be ended, time that runs by itself."""

import pytest

from app.drivers.sqlserver.catalogue import catalogue
from app.drivers.sqlserver.errors import SqlError
from app.drivers.sqlserver.lab.time_answers import delay_s
from app.drivers.sqlserver.session import Place
from app.drivers.sqlserver.wire.channel import Cancelled
from app.drivers.sqlserver.wire.shared_lab import SharedLab
from app.systems.transactional_replication.lab.scenario import load_scenario, scenario_path
from app.systems.transactional_replication.lab_server.server import LabSqlServer

MASTER = Place("DIST1", "master")


class Waits:
    """Stands for the client: notes how long it was waited for, and gives up at the n-th look."""

    def __init__(self, gives_up_at: int = 0) -> None:
        self.waited_s: list[float] = []
        self._gives_up_at = gives_up_at

    def __call__(self, wait_s: float) -> None:
        """Note a look."""
        self.waited_s.append(wait_s)
        if len(self.waited_s) == self._gives_up_at:
            raise Cancelled


def shared(speed: float | None) -> SharedLab:
    """Return a lab without noise."""
    return SharedLab(LabSqlServer(load_scenario(scenario_path("lan")), 1, False), speed)


def wait(lab: SharedLab, delay: str, watch: Waits) -> None:
    """Send `lab_wait`."""
    lab.run(catalogue()["lab_wait"], MASTER, {"delay": delay}, watch)


def test_time_passes_at_once_where_nothing_says_otherwise() -> None:
    """An hour passes without waiting, and the client is looked at in between."""
    lab, client = shared(None), Waits()
    wait(lab, "01:00:00.250", client)
    assert lab.lab.now_s() == pytest.approx(3600.25)
    assert len(client.waited_s) > 100
    assert set(client.waited_s) == {0.0}


def test_a_wait_can_be_given_up() -> None:
    """A client that cancels gets no more time to pass than the slice in hand, and others get their turn."""
    lab = shared(None)
    with pytest.raises(Cancelled):
        wait(lab, "10:00:00", Waits(gives_up_at=2))
    assert lab.lab.now_s() == pytest.approx(60.0)
    wait(lab, "00:00:01", Waits())
    assert lab.lab.now_s() == pytest.approx(61.0)


def test_with_a_speed_a_wait_takes_real_time() -> None:
    """At a thousand virtual seconds in a real one, five virtual seconds are waited for in real milliseconds."""
    lab, client = shared(1000.0), Waits()
    wait(lab, "00:00:05", client)
    assert client.waited_s[0] == pytest.approx(0.005)


def test_with_a_speed_time_runs_by_itself() -> None:
    """Whoever looks again finds that time has passed; a statement that takes time makes its client wait."""
    lab, client = shared(1e6), Waits()
    run = catalogue()["server_time"]
    first = lab.run(run, MASTER, {}, client)
    second = lab.run(run, MASTER, {}, client)
    assert first < second
    slow, client = shared(1e-9), Waits()
    probe = {"bytes": 4_194_304}
    before_s = slow.lab.now_s()
    slow.run(catalogue()["transfer_probe"], Place("SUB1", "Sales1Copy"), probe, client)
    taken_s = slow.lab.now_s() - before_s
    assert client.waited_s == [pytest.approx(taken_s * 1e9, rel=0.01)]


@pytest.mark.parametrize(("text", "seconds"), [("00:00:00.5", 0.5), ("1:02", 3720.0), ("23:59:59.999", 86_399.999)])
def test_delay_is_read_as_sql_server_reads_it(text: str, seconds: float) -> None:
    """Hours, minutes, and where they stand seconds with their fraction."""
    assert delay_s(text) == pytest.approx(seconds)


@pytest.mark.parametrize("text", ["", "24:00:00", "00:60", "soon", "-00:00:01", "00:00:00.1234"])
def test_faulty_delay_is_an_error(text: str) -> None:
    """What is no time under a day is refused with the server's number, and no time passes."""
    lab = shared(None)
    with pytest.raises(SqlError) as caught:
        wait(lab, text, Waits())
    assert caught.value.number == 148
    assert lab.lab.now_s() == 0.0


def test_what_is_absent_is_answered_without_the_lab() -> None:
    """A statement the lab does not know has the rows of a server without its system; its own the lab answers."""
    lab = LabSqlServer(load_scenario(scenario_path("lan")), 1, False)
    served = SharedLab(lab, None, {"group_replicas": (), "distribution_databases": ()})
    assert served.run(catalogue()["group_replicas"], MASTER, {}, Waits()) == ()
    assert served.run(catalogue()["distribution_databases"], MASTER, {}, Waits()) == (("distribution", 0, 1),)
    with pytest.raises(SqlError):
        SharedLab(lab, None).run(catalogue()["group_replicas"], MASTER, {}, Waits())
