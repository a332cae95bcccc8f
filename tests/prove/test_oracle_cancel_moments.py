"""Statements cancelled at random moments, python-oracledb over a real socket: nothing but them is struck."""

import random
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping

import pytest

from app.drivers.oracle.catalogue import Statement, catalogue
from app.drivers.oracle.cells import BindValue
from app.drivers.oracle.clients.database import CANCELLED, CellRows
from app.drivers.oracle.clients.opening import PipelineTransport
from app.drivers.oracle.errors import OracleError
from app.drivers.oracle.session import End
from app.drivers.oracle.wire.shared_lab import Rows, SharedLab
from app.foundation.interruption import PATIENCE_S
from app.lab.turns import Watch
from app.systems.oracle_streams.lab_server import LAB
from tests.e2e.oracle_wire import served
from tests.labs import lab_file
from tests.prove.shares import Share

READING = catalogue()["dictionary_columns"]
WAITING = catalogue()["server_time"]
LONGEST_ANSWER_S = 0.002


class SlowLab(SharedLab):
    """A lab whose clock takes its time.

    Attributes:
        lasting_s: how long it does.
    """

    lasting_s = 0.0

    def run(self, statement: Statement, end: End, binds: Mapping[str, BindValue], watch: Watch) -> Rows:
        """Run a statement, later."""
        if statement == WAITING:
            watch(self.lasting_s)
        return super().run(statement, end, binds, watch)


class Canceller:
    """Cancels statements at given moments, from a thread of its own.

    Attributes:
        tally: how they ended.
    """

    def __init__(self, lab: SlowLab, transport: PipelineTransport) -> None:
        self.tally: Counter[str] = Counter()
        self._lab = lab
        self._transport = transport
        self._truth = self._read()

    def _read(self) -> CellRows:
        return self._transport.send(READING, End.SOURCE, {})

    def read(self, after_s: float) -> None:
        """Cancel a short statement so long after it was begun."""
        self._cancel(self._read, after_s)

    def wait(self, lasting_s: float, after_s: float) -> None:
        """Cancel a statement that lasts so long."""
        self._lab.lasting_s = lasting_s
        self._cancel(lambda: self._transport.send(WAITING, End.SOURCE, {}), after_s)

    def _cancel(self, send: Callable[[], CellRows], after_s: float) -> None:
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
        except OracleError as error:
            if error.code != CANCELLED:
                raise
            self.tally["cancelled"] += 1
        else:
            assert send != self._read or rows == self._truth
            self.tally["ended"] += 1
        worker.join()
        for _time in range(3):
            assert self._read() == self._truth


@pytest.fixture
def canceller() -> Iterator[Canceller]:
    """Both databases through the driver."""
    lab = SlowLab(LAB.build(lab_file("streams-12c"), 1), None)
    with served(lab) as port:
        transport = port.transport()
        yield Canceller(lab, transport)
        transport.close()


@pytest.mark.prove
def test_a_cancel_at_any_moment_of_short_statements_strikes_nothing_else(canceller: Canceller, share: Share) -> None:
    """Each ends with all of its rows or as cancelled; those that follow are as ever."""
    draw = random.Random(1)
    for _round in range(share.draws(1_000)):
        canceller.read(draw.uniform(0.0, LONGEST_ANSWER_S))
    print(f"short statements: {dict(canceller.tally)}")
    assert canceller.tally["cancelled"] > share.draws(50)


@pytest.mark.prove
def test_a_driver_told_at_the_very_end_of_a_statement_goes_on(canceller: Canceller, share: Share) -> None:
    """The worst moment: what it would end has just ended by itself."""
    draw = random.Random(2)
    for _round in range(share.draws(60)):
        canceller.wait(PATIENCE_S + draw.uniform(-0.004, 0.004), PATIENCE_S / 2)
    print(f"statements as long as the patience: {dict(canceller.tally)}")
    assert canceller.tally == {"cancelled": share.draws(60)}
