"""Statements cancelled at random moments, real drivers over a real socket: nothing but them is struck.

A driver that ends the program takes this process along, and the proof fails with it.
"""

import random
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator

import pytest

from app.domain.setting import Value
from app.drivers.sqlserver.catalogue import catalogue
from app.drivers.sqlserver.errors import SqlError
from app.drivers.sqlserver.odbc.opening import open_transport
from app.drivers.sqlserver.odbc.settings import read_settings
from app.drivers.sqlserver.odbc.transport import OdbcTransport
from app.drivers.sqlserver.server_clock import wait_text
from app.drivers.sqlserver.session import Place
from app.foundation.clock import SystemClock
from app.foundation.interruption import PATIENCE_S
from app.foundation.rows import Cell
from app.foundation.secret import Secret
from app.services.target.target_spec import parse_server
from tests.e2e.posed_lab import Pose, posed_lab
from tests.prove.shares import Share
from tests.unit.targets.sqlserver.odbc.real_drivers import DRIVERS, usable_driver

MASTER = Place("DIST1", "master")
LONGEST_ANSWER_S = 0.002
Rows = tuple[tuple[Cell, ...], ...]


@pytest.fixture(params=sorted(DRIVERS))
def opened(request: pytest.FixtureRequest) -> Iterator[OdbcTransport]:
    """A transport over each driver, to a lab whose time passes as it does here."""
    driver = usable_driver(str(request.param))
    with posed_lab(Pose(speed=1.0)) as lab:
        url = lab.url(driver, options="trust=yes&statement_timeout=600")
        opening = open_transport(read_settings(parse_server(url)), Secret("lab"), lambda _record: None, SystemClock())
        yield opening.transport
        opening.transport.close()


READING = catalogue()["parameter_limits"]
WAITING = catalogue()["lab_wait"]
KIND: dict[str, Value] = {"agent_type": 3}


class Canceller:
    """Cancels statements at given moments, from a thread of its own.

    Attributes:
        tally: how they ended.
    """

    def __init__(self, transport: OdbcTransport) -> None:
        self.tally: Counter[str] = Counter()
        self._transport = transport
        self._truth = self._read()

    def _read(self) -> Rows:
        return self._transport.send(READING, Place("DIST1", "msdb"), KIND)

    def read(self, after_s: float) -> None:
        """Cancel a statement with many rows so long after it was begun."""
        self._cancel(self._read, after_s)

    def wait(self, lasting_ms: int, after_s: float) -> None:
        """Cancel a statement that lasts so long."""
        self._cancel(lambda: self._transport.send(WAITING, MASTER, {"delay": wait_text(lasting_ms)}), after_s)

    def _cancel(self, send: Callable[[], Rows], after_s: float) -> None:
        until_s = time.perf_counter() + after_s

        def cancel() -> None:
            time.sleep(max(0.0, after_s - 0.01))
            while time.perf_counter() < until_s:
                pass
            self._transport.cancel()

        worker = threading.Thread(target=cancel)
        worker.start()
        try:
            rows = send()
        except SqlError as error:
            if error.state != "HY008":
                raise
            self.tally["cancelled"] += 1
        else:
            assert send != self._read or rows == self._truth
            self.tally["ended"] += 1
        worker.join()
        for _time in range(3):
            assert self._read() == self._truth


@pytest.mark.prove
def test_a_cancel_at_any_moment_of_short_statements_strikes_nothing_else(opened: OdbcTransport, share: Share) -> None:
    """Each ends with all of its rows or as cancelled; those that follow are as ever."""
    draw, canceller = random.Random(1), Canceller(opened)
    for _round in range(share.draws(1_000)):
        canceller.read(draw.uniform(0.0, LONGEST_ANSWER_S))
    print(f"short statements: {dict(canceller.tally)}")
    assert canceller.tally["cancelled"] > share.draws(50)


@pytest.mark.prove
def test_a_driver_told_at_the_very_end_of_a_statement_goes_on(opened: OdbcTransport, share: Share) -> None:
    """The worst moment: what it would end has just ended by itself."""
    draw, canceller = random.Random(2), Canceller(opened)
    while canceller.tally["cancelled"] < share.draws(
        60
    ):  # on a machine that is busy elsewhere a cancel may come too late
        canceller.wait(round(1000 * (PATIENCE_S + draw.uniform(-0.004, 0.004))), PATIENCE_S / 2)
    print(f"statements as long as the patience: {dict(canceller.tally)}")
    assert set(canceller.tally) <= {"cancelled", "ended"}
