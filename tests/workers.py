"""Tests in several processes that are forked from one that has loaded them all: `-p tests.workers --workers 3`.

pytest-xdist starts processes that load and collect all tests each, and on a clean checkout rewrite them each; here all
of that is done once. It gives and steals tests as `--dist worksteal` does: each worker begins with a stretch of them,
of equal length, and one that is done takes from the end of the longest that is left. A worker that ends early fails
the test it was at, and another one goes on behind it.
"""

import atexit
import contextlib
import os
import signal
import tempfile
import traceback
from collections import deque
from multiprocessing.connection import Connection, Pipe, wait
from pathlib import Path
from typing import Any, Final

import pytest

_COUNT: Final = "--workers"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let a run be told how many processes it has."""
    parser.addoption(_COUNT, type=int, default=1, metavar="N", help="how many processes the tests are dealt out to")


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> bool | None:
    """Deal the tests out where there is more than one process to run them."""
    count = session.config.getoption(_COUNT)
    if count == 1 or session.testsfailed or session.config.option.collectonly:
        return None
    with tempfile.TemporaryDirectory(prefix="replitune-tests-", ignore_cleanup_errors=True) as folder:
        _Workers(session, count, Path(folder)).run()
    return True


class _Worker:
    """One process, as the one that deals out knows it.

    Attributes:
        stretch: the places of the tests that it would run next.
        given: the places of tests it has: the one it is at, and the one it goes on with, as what is torn down between
            them follows from both.
    """

    def __init__(self, name: str, stretch: deque[int]) -> None:
        self.name, self.stretch = name, stretch
        self.given: deque[int] = deque()
        self.process, self.broken_by = 0, "it told of no error"
        self.connection: Connection[Any, Any]


class _Workers:
    """The processes of a run, what each is at, and what is left to do."""

    def __init__(self, session: pytest.Session, count: int, folder: Path) -> None:
        self._session, self._config, self._folder = session, session.config, folder
        places, self._workers = range(len(session.items)), list[_Worker]()
        begin = 0
        for number in range(count):
            end = begin + (len(places) - begin) // (count - number)
            self._workers.append(_Worker(f"worker-{number}", deque(places[begin:end])))
            begin = end

    def run(self) -> None:
        """Run all tests, until all are told of or the run is to be stopped."""
        self._config._tmp_path_factory.getbasetemp()  # type: ignore[attr-defined]  # one folder for all
        terminal = self._config.pluginmanager.getplugin("terminalreporter")
        if terminal is not None:
            terminal.showfspath = False  # tests of several files pass by turns
        running: dict[Connection[Any, Any], _Worker] = {}
        try:
            for worker in self._workers:
                self._start(worker, running)
            while running:
                for connection in wait(list(running)):
                    assert isinstance(connection, Connection)
                    self._listen(connection, running)
            if self._session.shouldfail:
                raise self._session.Failed(self._session.shouldfail)
            if self._session.shouldstop:
                raise self._session.Interrupted(self._session.shouldstop)
        finally:
            for worker in running.values():
                with contextlib.suppress(ProcessLookupError):
                    os.kill(worker.process, signal.SIGTERM)
                os.waitpid(worker.process, 0)

    def _start(self, worker: _Worker, running: dict["Connection[Any, Any]", _Worker]) -> None:
        worker.connection, theirs = Pipe()
        worker.process = os.fork()
        if not worker.process:
            for connection in (*running, worker.connection):
                connection.close()
            _work(self._session, theirs, self._folder / worker.name)
        theirs.close()
        running[worker.connection] = worker

    def _listen(self, connection: "Connection[Any, Any]", running: dict["Connection[Any, Any]", _Worker]) -> None:
        worker = running[connection]
        try:
            told, what = connection.recv()
        except EOFError:
            del running[connection]
            self._ended(worker, os.waitstatus_to_exitcode(os.waitpid(worker.process, 0)[1]))
            if worker.stretch and not self._is_stopped:
                self._start(worker, running)
            return
        hook = self._config.hook
        if told == "next":
            connection.send(self._next(worker))
        elif told == "done":
            worker.given.popleft()
        elif told == "broken":
            worker.broken_by = what
        elif told == "report":
            report = hook.pytest_report_from_serializable(config=self._config, data=what)
            hook.pytest_runtest_logreport(report=report)
        else:
            getattr(hook, told)(nodeid=what[0], location=tuple(what[1]))

    @property
    def _is_stopped(self) -> bool:
        return bool(self._session.shouldfail or self._session.shouldstop)

    def _next(self, worker: _Worker) -> int | None:
        if self._is_stopped:
            return None
        if not worker.stretch:
            longest = max(self._workers, key=lambda other: len(other.stretch)).stretch
            taken = [longest.pop() for _ in range((len(longest) + 1) // 2)]
            worker.stretch.extend(reversed(taken))
        if not worker.stretch:
            return None
        worker.given.append(worker.stretch.popleft())
        return worker.given[-1]

    def _ended(self, worker: _Worker, code: int) -> None:
        """Fail the test that a worker was at when it ended; what it would have gone on with is left to the next one."""
        if not worker.given and code:
            raise RuntimeError(f"a process for tests ended with {code} before it had one: {worker.broken_by}")
        if worker.given:
            item = self._session.items[worker.given.popleft()]
            worker.stretch.extendleft(worker.given)
            worker.given.clear()
            told = f"the process that ran this test ended with {code}: {worker.broken_by}"
            report = pytest.TestReport(item.nodeid, item.location, {}, "failed", told, "call")
            self._config.hook.pytest_runtest_logreport(report=report)


def _work(session: pytest.Session, connection: "Connection[Any, Any]", folder: Path) -> None:
    """Run what is given, tell of it, and end."""
    from tests import forked
    from tests.own_folders import data_folders

    code = 1
    try:
        config = session.config
        atexit._clear()
        folder.mkdir(exist_ok=True)
        os.environ.update(data_folders(folder))
        forked.own()
        capture = config.pluginmanager.getplugin("capturemanager")
        capture.stop_global_capturing()  # its files are those of all
        capture.start_global_capturing()
        config.pluginmanager.unregister(name="terminalreporter")
        config.pluginmanager.register(_Teller(config, connection))
        following = _asked(connection)
        while following is not None:
            item, following = session.items[following], _asked(connection)
            nextitem = None if following is None else session.items[following]
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=nextitem)
            connection.send(("done", None))
        code = 0
    except BaseException:  # noqa: BLE001 - whatever it was, the run is told of it
        connection.send(("broken", traceback.format_exc()))
    finally:
        forked.end(code)


def _asked(connection: "Connection[Any, Any]") -> int | None:
    connection.send(("next", None))
    place: int | None = connection.recv()
    return place


class _Teller:
    """Hands on in a worker what is told of its tests."""

    def __init__(self, config: pytest.Config, connection: "Connection[Any, Any]") -> None:
        self._config, self._connection = config, connection

    def pytest_runtest_logstart(self, nodeid: str, location: tuple[str, int | None, str]) -> None:
        """Hand on that a test begins."""
        self._connection.send(("pytest_runtest_logstart", (nodeid, location)))

    def pytest_runtest_logfinish(self, nodeid: str, location: tuple[str, int | None, str]) -> None:
        """Hand on that a test is over."""
        self._connection.send(("pytest_runtest_logfinish", (nodeid, location)))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Hand on how a part of a test went."""
        data = self._config.hook.pytest_report_to_serializable(config=self._config, report=report)
        self._connection.send(("report", data))
