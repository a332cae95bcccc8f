"""Experiments of one session on labs, side by side: each process runs one after the other into files of their own.

The session takes them over in their fixed order, so that its file holds what it would hold had they been run one after
the other. Only labs of a process are run so: what such a run leaves changed ends with its process.
"""

import pickle
import queue
import subprocess
import sys
import tempfile
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, Any, Final, TypeAlias

from app.domain.events import RunEvent, RunStatus, SamplesTaken, StepMoved, StepStarted
from app.domain.family import DemoRun
from app.foundation.clock import SystemClock
from app.foundation.own_process import answers_of_this_process, pipe_of, start_own
from app.foundation.texts import _
from app.runner.control import RunControl
from app.services.plan.checking import prepare_run
from app.services.program import Program
from app.services.run.guided_session import GuidedSession, RunOutcome
from app.services.run.run_sink import Observer
from app.services.workplace import Workplace
from app.store import SessionHeader

COMMAND: Final = "--experiments"
"""Only argument of a program that is started to run experiments it is told through its standard input."""

_LOOK_S: Final = 0.1  # how often a cancel is looked for, and progress is told at most


@dataclass(frozen=True)
class _Order:
    """One experiment to be run: how many stand before it, and where its file goes."""

    number: int
    planned: DemoRun
    seed: int
    header: SessionHeader
    folder: Path


@dataclass(frozen=True)
class _Ended:
    """How an experiment ended: its outcome, or why there is none."""

    number: int
    outcome: RunOutcome | None = None
    problem: Exception | None = None


_Answer: TypeAlias = "tuple[int, RunEvent] | _Ended | _Helper"
"""An event of an experiment, its end, or a process that has ended."""


def run_demonstration(
    runs: Sequence[DemoRun],
    program: Program,
    session: GuidedSession,
    seed: int,
    control: RunControl,
    observe: Observer,
    *,
    workers: int,
    meanwhile: Callable[[], object] = lambda: None,
) -> list[RunOutcome]:
    """Run experiments on labs, up to so many at once, and keep them in a session in their order.

    Args:
        observe: told the events of one experiment after the other.
        meanwhile: done once the first experiments have begun; what it raises ends them, and nothing of them is kept.

    Raises:
        ReplituneError: an experiment could not be run; those before it are kept.
    """
    if min(workers, len(runs)) < 2:
        meanwhile()
        outcomes = []
        for planned in runs:
            outcomes.append(_run_one(planned, program, session, seed, control, observe))
            if outcomes[-1].status is RunStatus.CANCELLED:
                break
        return outcomes
    with tempfile.TemporaryDirectory(prefix="replitune-demo-") as folder, ExitStack() as processes:
        orders = [
            _Order(number, planned, seed, session.header, Path(folder) / str(number))
            for number, planned in enumerate(runs)
        ]
        # The first is what a person sees first; then the longest begin, so that no process waits long for the last one.
        orders[1:] = sorted(orders[1:], key=lambda order: -_expected_s(order.planned, program))
        inbox: queue.SimpleQueue[_Answer] = queue.SimpleQueue()
        helpers = [processes.enter_context(_helper(inbox)) for _worker in range(min(workers, len(runs)))]
        return _Together(orders, session, control, observe).run(helpers, inbox, meanwhile)


def _expected_s(planned: DemoRun, program: Program) -> float:
    return program.families[planned.plan.family].estimate_trial_s(planned.plan)


def serve(program: Program) -> int:
    """Run the experiments this process is told of, until whoever started it has no more; return its exit code."""
    answers = answers_of_this_process()
    control = RunControl()
    orders: queue.SimpleQueue[_Order | None] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(sys.stdin.buffer, orders, control), name="orders", daemon=True).start()
    while (order := orders.get()) is not None:
        try:
            ended = _Ended(order.number, _run_part(order, program, control, _Teller(order.number, answers)))
        except Exception as problem:  # noqa: BLE001 - raised by whoever gave the order
            ended = _Ended(order.number, problem=problem)
        try:
            _send(answers, ended)
        except OSError:
            return 1  # whoever gave the order is gone
    return 0


def _listen(stream: IO[bytes], orders: "queue.SimpleQueue[_Order | None]", control: RunControl) -> None:
    """Take orders; once nobody gives them any more, cancel the running experiment."""
    with suppress(EOFError, OSError):
        while True:
            orders.put(pickle.load(stream))
    control.cancel()
    orders.put(None)


def _run_part(order: _Order, program: Program, control: RunControl, observe: Observer) -> RunOutcome:
    order.folder.mkdir()
    with GuidedSession(
        Workplace(order.folder),
        order.folder / "undo.journal",
        program.parts.open_target,
        part_of=order.header,
        runs_before=order.number,
    ) as session:
        return _run_one(order.planned, program, session, order.seed, control, observe)


def _run_one(
    planned: DemoRun, program: Program, session: GuidedSession, seed: int, control: RunControl, observe: Observer
) -> RunOutcome:
    target = session.open_target(planned.target, seed)
    try:
        family = program.families[planned.plan.family]
        return session.run(
            prepare_run(planned.plan, family, target, _("the demonstration")), target, control, [observe]
        )
    finally:
        target.close()


class _Teller:
    """Tells events as far as somebody watches them: no readings, and of many steps a few in a second."""

    def __init__(self, number: int, answers: IO[bytes]) -> None:
        self._number = number
        self._answers = answers
        self._clock = SystemClock()
        self._next_s = 0.0

    def __call__(self, event: RunEvent) -> None:
        if isinstance(event, SamplesTaken | StepMoved | StepStarted):
            if self._clock.monotonic_s() < self._next_s:
                return
            self._next_s = self._clock.monotonic_s() + _LOOK_S
        shown = replace(event, samples=()) if isinstance(event, SamplesTaken) else event
        with suppress(OSError):  # whoever watched is gone; the run is cancelled by that
            _send(self._answers, (self._number, shown))


def _send(answers: IO[bytes], answer: object) -> None:
    answers.write(pickle.dumps(answer))
    answers.flush()


class _Helper:
    """One process and its present experiment."""

    def __init__(self, process: "subprocess.Popen[bytes]", inbox: "queue.SimpleQueue[_Answer]") -> None:
        self._orders = pipe_of(process.stdin)
        self._answers = pipe_of(process.stdout)
        self._inbox = inbox
        self.at: int | None = None
        self._listener = threading.Thread(target=self._listen, name="experiments", daemon=True)
        self._listener.start()

    def give(self, order: _Order) -> None:
        """Have it run an experiment; a process that has ended stands in the inbox, before or after this."""
        self.at = order.number
        with suppress(OSError):
            self._orders.write(pickle.dumps(order))
            self._orders.flush()

    def cancel(self) -> None:
        """Have it restore its present experiment, and end."""
        with suppress(OSError):
            self._orders.close()

    def close(self) -> None:
        """Close the streams of a process that has ended."""
        self.cancel()
        self._listener.join()
        self._answers.close()

    def _listen(self) -> None:
        try:
            while True:
                answer: Any = pickle.load(self._answers)
                self._inbox.put(answer)
        except Exception:  # noqa: BLE001 - ended, or ended in the middle of an answer
            self._inbox.put(self)  # what it is at is known to whoever gives it work: it may be given some right now


@contextmanager
def _helper(inbox: "queue.SimpleQueue[_Answer]") -> Iterator[_Helper]:
    process = start_own([COMMAND], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=None)
    helper = _Helper(process, inbox)
    try:
        yield helper
    finally:
        process.kill()
        process.wait()
        helper.close()


class _Together:
    """Experiments that run at once, told and taken over in the order of their numbers."""

    def __init__(
        self, orders: Sequence[_Order], session: GuidedSession, control: RunControl, observe: Observer
    ) -> None:
        """Take orders in the order they are to begin in."""
        self._waiting = deque(orders)
        self._folders = {order.number: order.folder for order in orders}
        self._session = session
        self._control = control
        self._observe = observe
        self._turn = 0
        self._told: dict[int, list[RunEvent]] = {order.number: [] for order in orders}
        self._begun: set[int] = set()
        self._ended: dict[int, _Ended] = {}
        self._outcomes: list[RunOutcome] = []

    def run(
        self, helpers: Sequence[_Helper], inbox: "queue.SimpleQueue[_Answer]", meanwhile: Callable[[], object]
    ) -> list[RunOutcome]:
        """Keep every helper at work until all is done, or all that had begun is cancelled."""
        self._give(helpers)
        meanwhile()
        is_told = False
        while len(self._ended) < len(self._begun):
            if self._control.is_cancelled and not is_told:
                is_told = True
                for helper in helpers:
                    helper.cancel()
            with suppress(queue.Empty):
                self._take(inbox.get(timeout=_LOOK_S), helpers)
        for number in sorted(self._begun):  # after a cancel, some before them never began
            if number >= self._turn:
                self._move_to(number)
                self._keep(self._ended[number])
        return self._outcomes

    def _give(self, helpers: Sequence[_Helper]) -> None:
        for helper in helpers:
            if helper.at is None and self._waiting and not self._control.is_cancelled:
                order = self._waiting.popleft()
                self._begun.add(order.number)
                helper.give(order)

    def _take(self, answer: _Answer, helpers: Sequence[_Helper]) -> None:
        if isinstance(answer, _Helper):
            if answer.at is None:
                return
            answer = _Ended(answer.at, problem=RuntimeError("a process that runs experiments ended"))
        if not isinstance(answer, _Ended):
            number, event = answer
            if number == self._turn:
                self._observe(event)
            elif not isinstance(event, SamplesTaken | StepMoved | StepStarted):
                self._told[number].append(event)
            return
        if answer.number in self._ended:
            return
        self._ended[answer.number] = answer
        for helper in helpers:
            if helper.at == answer.number:
                helper.at = None
        self._give(helpers)
        while (ended := self._ended.get(self._turn)) is not None:
            self._keep(ended)
            self._move_to(self._turn + 1)

    def _keep(self, ended: _Ended) -> None:
        """Take an experiment over whose turn it is."""
        part = Workplace(self._folders[ended.number]).session_file
        if part.is_file():
            self._session.take_over(part)
        if ended.outcome is None:
            raise ended.problem or RuntimeError("an experiment ended without an outcome")
        self._outcomes.append(ended.outcome)

    def _move_to(self, number: int) -> None:
        """Release the withheld events of the experiment whose turn it is now."""
        self._turn = number
        for event in self._told.pop(number, ()):
            self._observe(event)
