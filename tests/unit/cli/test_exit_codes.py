"""The exit code is what a command did to the servers, whoever reads what it says of it and whatever signals come."""

import errno
import io
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import IO, Final

import pytest

from app.bootstrap import build_program
from app.cli import interrupt
from app.cli.main import run as run_command
from app.domain.change import Change
from app.domain.errors import StoreError
from app.domain.target import Offer, Target
from app.foundation.console_events import CTRL_CLOSE, EndOfConsole
from app.services.program import Program
from app.services.run.restoring import open_changes
from app.services.run.running_mark import hold_server
from app.store import UndoJournalFile
from tests.e2e.program import SMALL_PLAN, scenario_with, spawn, write
from tests.labs import MemoryConnection
from tests.patience import PATIENCE_S
from tests.unit.runner.memory import MemoryClock, MemoryServer, change

DENIED: Final = [("start_job", number, "permission_denied") for number in range(2, 12)]
SLOW_LIMIT: Final = "[limits]\ntrial_duration_s = 1.5\n"
SIGNALS: Final = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]


class _Failing(io.StringIO):
    """A stream that takes nothing."""

    def __init__(self, error: BaseException) -> None:
        super().__init__()
        self._error = error

    def write(self, _text: str) -> int:
        """Fail."""
        raise self._error


def _closed_pipe() -> IO[str]:
    reading, writing = os.pipe()
    os.close(reading)
    return open(writing, "w", encoding="utf-8")


def _full_disk() -> IO[str]:
    if not Path("/dev/full").exists():
        pytest.skip("this system has no device that is always full")
    return open("/dev/full", "w", encoding="utf-8")


STREAMS: Final[dict[str, Callable[[], IO[str]]]] = {
    "a closed pipe": _closed_pipe,
    "a full disk": _full_disk,
    "a closed terminal": lambda: _Failing(OSError(errno.EIO, "Input/output error")),
    "no memory": lambda: _Failing(MemoryError()),
}
ENDS: Final = [("stdout",), ("stderr",), ("stdout", "stderr")]


@contextmanager
def said_to(stream: str, ends: tuple[str, ...]) -> Iterator[None]:
    """Let what the program says go where nobody takes it."""
    with pytest.MonkeyPatch.context() as patch:
        opened = [STREAMS[stream]() for _end in ends]
        for end, instead in zip(ends, opened, strict=True):
            patch.setattr(sys, end, instead)
        yield
    for instead in opened:
        with suppress(OSError):  # what it was told is lost
            instead.close()


@dataclass
class Left:
    """A server with three values a run left changed, and the program that is to restore them.

    Attributes:
        before_undo: called before each undo, with how many there were.
    """

    folder: Path
    server: MemoryServer = field(default_factory=lambda: MemoryServer(a="2", b="2", c="2"))
    before_undo: Callable[[int], object] = lambda _number: None
    undone: int = 0

    def __post_init__(self) -> None:
        self.journal = self.folder / "undo.journal"
        with UndoJournalFile(self.journal) as journal:
            for name in "abc":
                journal.mark_applied(journal.record_intent("S1", "memory", change(name, "1", "2")))
        undo = self.server.undo

        def watched(made: Change) -> None:
            self.before_undo(self.undone)
            self.undone += 1
            undo(made)

        self.server.undo = watched  # type: ignore[method-assign,assignment]  # what happens meanwhile is posed
        offer = Offer(frozenset(), None, self.server, frozenset({"value"}))
        target = Target(MemoryConnection(MemoryClock()), {"memory": offer})
        self.program = Program(replace(build_program().parts, open_target=lambda *_asked: target))

    def restore(self, *options: str) -> int:
        """Call `replitune restore`; return the exit code."""
        return run_command(["restore", "--journal", str(self.journal), *options], self.program)


@pytest.mark.parametrize("ends", ENDS, ids=" and ".join)
@pytest.mark.parametrize("stream", STREAMS)
def test_a_restore_that_leaves_something_says_so_by_its_exit_code(
    tmp_path: Path, stream: str, ends: tuple[str, ...], caplog: pytest.LogCaptureFixture
) -> None:
    """Whatever becomes of its words; what it undid is undone, and words nobody takes are no mistake of the program."""
    left = Left(tmp_path)
    left.server.failing_undos["b"] = 100
    with said_to(stream, ends):
        assert left.restore() == 4
    assert left.server.values == {"a": "1", "b": "2", "c": "1"}
    assert len(open_changes(left.journal)) == 1
    assert not [record for record in caplog.records if record.exc_info and isinstance(record.exc_info[1], OSError)]


def test_a_script_of_what_a_run_that_goes_on_has_changed_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is written, since a run may hang; whoever hands it on knows that the run undoes its changes itself."""
    left, script, own = Left(tmp_path), tmp_path / "undo.sql", os.getpid()
    assert left.restore("--script", str(script)) == 0
    assert capsys.readouterr().err == ""
    with hold_server(left.journal, "memory"):
        monkeypatch.setattr(os, "getpid", lambda: own + 1)  # asked by another program
        assert left.restore("--script", str(script)) == 0
    assert capsys.readouterr().err.startswith("Note: memory: another window or command of Replitune is changing this")
    assert script.is_file()


@dataclass(frozen=True)
class Run:
    """A run that does not end well: what makes it so, and its exit code."""

    lab: Callable[[Path], str]
    plan: str
    code: int


RUNS: Final = {
    "left changed": Run(lambda folder: f"lab:{scenario_with(folder / 'faulty.toml', DENIED)}", SMALL_PLAN, 4),
    "stopped by a limit": Run(lambda _folder: "lab", SMALL_PLAN + SLOW_LIMIT, 3),
}


@pytest.mark.parametrize(
    ("run", "stream", "ends"),
    [
        pytest.param(run, stream, ends, marks=() if (stream, len(ends)) == ("a closed pipe", 2) else pytest.mark.prove)
        for run in RUNS
        for stream in STREAMS
        for ends in (ENDS if stream == "a closed pipe" else ENDS[-1:])
    ],
    ids=lambda value: value if isinstance(value, str) else " and ".join(value),
)
def test_a_run_ends_with_what_became_of_it(tmp_path: Path, run: str, stream: str, ends: tuple[str, ...]) -> None:
    """Neither its progress nor its report decides that."""
    with said_to(stream, ends):
        assert _run(RUNS[run], tmp_path) == RUNS[run].code


def _run(run: Run, folder: Path, program: Program | None = None) -> int:
    plan, lab = write(folder / "plan.toml", run.plan), run.lab(folder)
    where = ["--out", str(folder / "out"), "--journal", str(folder / "journal")]
    return run_command(["run", str(plan), "--target", lab, *where], program or build_program())


@pytest.mark.parametrize("error", [MemoryError(), StoreError("the disk is full"), RuntimeError("a mistake")], ids=repr)
def test_a_run_that_breaks_off_while_its_changes_are_open_ends_with_4(
    tmp_path: Path, error: Exception, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Such as where that is to be noted; and the way to undo it is told."""

    def fail(*_written: object) -> None:
        raise error

    monkeypatch.setattr(UndoJournalFile, "mark_synced", fail)
    assert _run(RUNS["left changed"], tmp_path) == 4
    assert "To undo the rest: replitune restore" in capsys.readouterr().err


def test_a_report_that_cannot_be_made_does_not_hide_what_is_left(tmp_path: Path) -> None:
    """Its own exit code is for a run that left nothing."""

    def fail() -> object:
        raise MemoryError

    parts = build_program().parts
    program = Program(replace(parts, make_renderer=fail))  # type: ignore[arg-type]  # it never makes one
    assert _run(RUNS["left changed"], tmp_path, program) == 4


def test_no_memory_in_a_restore_is_4_while_something_is_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not the mistake of the program it looks like."""
    left = Left(tmp_path)

    def fail(*_marked: object) -> None:
        raise MemoryError

    monkeypatch.setattr(UndoJournalFile, "mark_restored", fail)
    assert left.restore() == 4
    assert open_changes(left.journal)


def test_the_end_of_the_interpreter_keeps_the_exit_code(tmp_path: Path) -> None:
    """What Python could not write out at its end would make it 120."""
    with UndoJournalFile(tmp_path / "undo.journal") as journal:
        journal.record_intent("S1", "lab@127.0.0.1:1", change("a", "1", "2"))
    with _full_disk() as full, spawn("restore", "--journal", tmp_path / "undo.journal", to=full) as process:
        assert process.wait(PATIENCE_S) == 4


@pytest.mark.parametrize("number", SIGNALS, ids=lambda number: number.name)
def test_a_signal_in_a_restore_is_told_and_lets_it_undo_everything(
    tmp_path: Path, number: signal.Signals, capfd: pytest.CaptureFixture[str]
) -> None:
    """The first one; the exit code is that of what was done."""
    heard = threading.Event()
    left = Left(tmp_path, before_undo=lambda undone: _strike(number, heard) if undone == 1 else None)
    with _hearing(heard):
        assert left.restore() == 0
    assert left.server.values == dict.fromkeys("abc", "1")
    assert "Every change is still being undone." in capfd.readouterr().err


def test_a_second_ctrl_c_stops_a_restore_and_what_is_open_is_counted(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """After the present change: nothing is torn in its midst."""
    heard = threading.Event()

    def press(undone: int) -> None:
        if undone == 1:
            _strike(signal.SIGINT, heard)
            _strike(signal.SIGINT, heard)

    left = Left(tmp_path, before_undo=press)
    with _hearing(heard):
        assert left.restore() == 4
    assert left.server.values == {"a": "2", "b": "1", "c": "1"}
    said = capfd.readouterr().err
    assert "Stopping; what is not undone by now stays in the undo journal." in said
    assert "changes still open: 1" in said
    assert left.restore() == 0


def _strike(number: signal.Signals, heard: threading.Event) -> None:
    """Send a signal to this process, and wait until the program has heard it."""
    heard.clear()
    signal.raise_signal(number)
    assert heard.wait(PATIENCE_S)


@contextmanager
def _hearing(heard: threading.Event) -> Iterator[None]:
    """Tell when the program has heard a signal."""
    with pytest.MonkeyPatch.context() as patch:
        say = interrupt._say

        def tell(text: str) -> None:
            say(text)
            heard.set()

        patch.setattr(interrupt, "_say", tell)
        yield


def test_a_console_that_is_closed_waits_for_the_restore(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows asks in a thread of its own, and ends the process once it is answered."""
    answers: list[bool] = []
    threads: list[threading.Thread] = []

    @contextmanager
    def handling(console: EndOfConsole) -> Iterator[None]:
        def close(undone: int) -> None:
            if undone == 0:
                threads.append(threading.Thread(target=lambda: answers.append(console(CTRL_CLOSE))))
                threads[0].start()
            assert answers == []

        left.before_undo = close
        yield

    left = Left(tmp_path)
    monkeypatch.setattr(interrupt, "handling", handling)
    assert left.restore() == 0
    threads[0].join(PATIENCE_S)
    assert answers == [True]
    assert left.server.values == dict.fromkeys("abc", "1")
