"""How soon a restore begins once a connection that fell silent has had its time, over a real socket.

The peer's host goes on acknowledging, as a tunnel or a load balancer does, so that no driver learns of it.
"""

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Final

import pytest

from app.domain.errors import ReplituneError
from app.domain.statement import StatementRecord
from app.domain.target import Target
from app.drivers.sqlserver import open_server
from app.foundation.secret import Secret
from app.foundation.worker import Waits
from app.runner.undo import SafeChanger
from app.services.target.target_spec import parse_server
from app.systems.transactional_replication.agent_kind import AgentKind
from app.systems.transactional_replication.offer import agent_ports
from tests.benchmarks.figures import print_ratio
from tests.e2e.posed_lab import Pose, Posed, make_pipe, posed_lab, start_process
from tests.labs import target_over
from tests.unit.runner.memory import MemoryJournal
from tests.unit.targets.sqlserver.odbc.real_drivers import DRIVERS, has_driver

pytestmark = [pytest.mark.bench, pytest.mark.timeout(300)]

ROUNDS: Final = 3
LIMIT_S: Final = 1
BUDGET: Final = 10.0
"""Times a new connection with its first statement: the deadline is noticed, the old connection left, a new one made."""


@dataclass(frozen=True)
class Tunnel:
    """A tunnel to a lab in a process of its own, as a driver may hold this one up."""

    port: int
    pipe: Connection

    def fall_silent(self) -> None:
        """Let nothing through any more on the connections that are open; what they send is taken, and lost."""
        self.pipe.send("silent")
        self.pipe.recv()


@contextmanager
def tunnel_to(lab: Posed) -> Iterator[Tunnel]:
    """Open a tunnel to a lab's Distributor."""
    here, there = make_pipe()
    process = start_process(_dig, there, lab.port)
    there.close()
    try:
        yield Tunnel(here.recv(), here)
    finally:
        process.kill()
        process.join()
        here.close()


def _dig(pipe: Connection, port: int) -> None:
    """Forward connections until the process is killed."""
    listener = socket.create_server(("127.0.0.1", 0))
    silenced: list[threading.Event] = []

    def accept() -> None:
        while True:
            client, _address = listener.accept()
            server = socket.create_connection(("127.0.0.1", port))
            silenced.append(threading.Event())
            for one, other in ((client, server), (server, client)):
                one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                threading.Thread(target=_forward, args=(one, other, silenced[-1]), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    pipe.send(listener.getsockname()[1])
    pipe.recv()
    for event in silenced:
        event.set()
    pipe.send("silent")
    pipe.recv()


def _forward(one: socket.socket, other: socket.socket, silenced: threading.Event) -> None:
    with suppress(OSError):
        while data := one.recv(65_536):
            if not silenced.is_set():
                other.sendall(data)
        if not silenced.is_set():
            other.shutdown(socket.SHUT_WR)


def _open(tunnel: Tunnel, driver: str, sink: Callable[[StatementRecord], None]) -> Target:
    url = f"sqlserver://replitune@127.0.0.1:{tunnel.port}?driver={driver}&trust=yes&statement_timeout={LIMIT_S}"
    return target_over(open_server(parse_server(url), Secret("lab"), sink))


def _first_statement_s(tunnel: Tunnel, driver: str) -> float:
    """Return what a new connection and one statement on it take."""
    began_s = time.perf_counter()
    target = _open(tunnel, driver, lambda _record: None)
    agent_ports(target).agents.sample()
    took_s = time.perf_counter() - began_s
    target.close()
    return took_s


def _until_restored_s(lab: Posed, driver: str, *, is_cancelled: bool) -> tuple[float, float]:
    """Return how long after a silent statement was given up the restore's first one was answered, and the floor."""
    answered_s: list[float] = []
    with tunnel_to(lab) as tunnel:
        floor_s = _first_statement_s(tunnel, driver)

        def note(record: StatementRecord) -> None:
            if not record.error:
                answered_s.append(time.perf_counter())

        target = _open(tunnel, driver, note)
        changer = SafeChanger(target, MemoryJournal([]), "silence")
        agent = agent_ports(target).agents.discover().agents_of(AgentKind.DISTRIBUTION)[0]
        changer.apply(agent_ports(target).agent_changes.plan_stop(agent))
        tunnel.fall_silent()
        allowed_s = LIMIT_S + Waits().grace_s  # a cancel makes it no longer
        began_s = time.perf_counter()
        if is_cancelled:
            threading.Timer(0.2, target.cancel).start()
        with pytest.raises(ReplituneError):
            agent_ports(target).agents.sample()
        given_up_s = time.perf_counter()
        assert given_up_s - began_s <= allowed_s + BUDGET * floor_s, "the deadline of our own passed unnoticed"
        answered_s.clear()
        assert changer.restore(lambda _change: None) == ()
        target.close()
    return answered_s[0] - given_up_s, floor_s


@pytest.mark.parametrize("is_cancelled", [False, True], ids=["deadline", "cancelled"])
@pytest.mark.parametrize("name", sorted(DRIVERS))
def test_a_restore_begins_at_once_when_a_silent_statement_has_had_its_time(name: str, is_cancelled: bool) -> None:
    """Neither the driver's patience nor the connection that was left delays it; the best of some rounds is held."""
    if not has_driver(name):
        pytest.skip(f"{name} is not installed")
    with posed_lab(Pose(noise=False)) as lab:
        pairs = [_until_restored_s(lab, DRIVERS[name], is_cancelled=is_cancelled) for _round in range(ROUNDS)]
    late_s, floor_s = [late for late, _floor in pairs], [floor for _late, floor in pairs]
    print_ratio(f"restore after a silent statement, {name}", late_s, floor_s, f"≤ {BUDGET:.0f}")
    assert min(late_s) <= BUDGET * min(floor_s)
