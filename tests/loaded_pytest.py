"""Everyday tests, run with a fault in forks of one process that has all of them loaded, so that none is loaded twice.

In a fork the functions that a fault changes get the code they would have had, wherever they are referred to by then;
programs that tests start read the module from the disk, where it stands with the fault. Values that are computed while
modules load, decorated classes and defaults of arguments stay as they were: for a fault outside of functions, tests
have to be loaded anew. What is asked and answered stands in lines of JSON; see `LoadedPytest.failing`.
"""

import atexit
import gc
import inspect
import json
import os
import resource
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import CodeType, FunctionType
from typing import IO, Any, Final, NamedTuple

import pytest

from tests import forked
from tests.own_folders import data_folders

_MOST_MEMORY: Final = 8 << 30
"""Bytes from which a run is refused more: a fault may ask for memory without end."""
_LISTED: Final = ("comp>", "<genexpr>")


class Told(NamedTuple):
    """How a run ended.

    Attributes:
        code: pytest's own, or 128 and more where a signal ended it.
        failed: the test that failed first, "" where none did or the process ended before that was known.
        processor_s: what it cost, programs included that it waited for, in seconds.
    """

    code: int
    failed: str
    processor_s: float


class LoadedPytest:
    """The process that runs are forked from, in a checkout, once it has loaded what stands there."""

    def __init__(self, root: Path, words: Sequence[str]) -> None:
        ours, asked = os.pipe()
        answer, theirs = os.pipe()
        command = [sys.executable, "-m", "tests.loaded_pytest", str(ours), str(theirs), *words]
        self._process = subprocess.Popen(
            command,
            cwd=root,
            pass_fds=[ours, theirs],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(ours)
        os.close(theirs)
        self._asked, self._answer = os.fdopen(asked, "w"), os.fdopen(answer)
        self._answered()  # or it would load a fault that is planted meanwhile

    def run(self, files: Sequence[str], left_out: Sequence[str], changed: tuple[str, str, str] | None) -> Told:
        """Run the tests of files, or single ones, in that order, up to the first that fails.

        Args:
            left_out: names of tests and files that are not run.
            changed: a module's file, its text before and with a fault.
        """
        print(json.dumps([files, left_out, changed]), file=self._asked, flush=True)
        return Told(*self._answered())

    def _answered(self) -> Sequence[Any]:
        told = self._answer.readline()
        if not told:
            raise RuntimeError("the tests of this checkout cannot be loaded; make test says why")
        answer: Sequence[Any] = json.loads(told)
        return answer

    def close(self) -> None:
        """End it, and wait for that."""
        self._asked.close()
        self._process.wait()
        self._answer.close()


def is_in_functions(file: str, before: str, after: str) -> bool:
    """Tell whether two texts of a module differ inside of functions only, in what code they have can be exchanged."""
    sound, other = compile(before, file, "exec"), compile(after, file, "exec")
    return _at_loading(sound) == _at_loading(other) and all(
        len(codes) == 1 and codes[0].co_freevars == code.co_freevars for codes, code in _differing(sound, other)
    )


def _differing(sound: CodeType, other: CodeType) -> Iterator[tuple[list[CodeType], CodeType]]:
    """Yield each function that differs, behind what stands at its place in the sound module: two lambdas share one."""
    there = defaultdict[tuple[str, str, int], list[CodeType]](list)
    for code in _functions_in(sound):
        there[_place(code)].append(code)
    for code in _functions_in(other):
        if _place(code) in there and code not in there[_place(code)]:
            yield there[_place(code)], code


def _at_loading(code: CodeType) -> tuple[object, ...]:
    """Return what runs while a module loads: its lines, those of classes, and what either lists there."""
    parts = [part for part in code.co_consts if isinstance(part, CodeType)]
    run = [_at_loading(part) for part in parts if not _is_function(part)]
    plain = [(type(part), repr(part)) for part in code.co_consts if not isinstance(part, CodeType)]
    return code.co_code, code.co_names, plain, [part.co_qualname for part in parts], run


def _functions_in(code: CodeType) -> Iterator[CodeType]:
    for part in code.co_consts:
        if isinstance(part, CodeType):
            if _is_function(part):
                yield part
            yield from _functions_in(part)


def _is_function(code: CodeType) -> bool:
    """Tell whether code is run when it is called, not where it stands."""
    return bool(code.co_flags & inspect.CO_NEWLOCALS) and not code.co_name.endswith(_LISTED)


def _place(code: CodeType) -> tuple[str, str, int]:
    return code.co_filename, code.co_qualname, code.co_firstlineno


class _Server:
    """Forks instead of running the tests that were collected."""

    def __init__(self, asked: IO[str], answer: IO[str]) -> None:
        self._asked, self._answer = asked, answer
        self._failed: IO[str] | None = None

    @property
    def is_fork(self) -> bool:
        """Whether this is a fork that runs tests."""
        return self._failed is not None

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Tell the first test that fails."""
        if report.failed and self._failed is not None and not self._failed.tell():
            self._failed.write(report.nodeid)
            self._failed.flush()

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool | None:
        """Fork whenever that is asked for, and have the fork run what it shall."""
        items, functions = defaultdict[str, list[pytest.Item]](list), _functions()
        for item in session.items:
            for name in (item.nodeid.split("::")[0], item.nodeid):
                items[name].append(item)
        print("[]", file=self._answer, flush=True)
        for line in self._asked:
            files, left_out, changed = json.loads(line)
            with tempfile.TemporaryFile("w+", encoding="utf-8") as failed:
                fork = os.fork()
                if not fork:
                    self._failed = os.fdopen(os.dup(failed.fileno()), "w", encoding="utf-8")
                    _begin()
                    if changed is not None:
                        _plant(functions, *changed)
                    wanted = [item for file in files if file not in left_out for item in items[file]]
                    session.items = [item for item in wanted if item.nodeid not in left_out]
                    session.testscollected = len(session.items)
                    return None
                _, status, spent = os.wait4(fork, 0)
                code = os.waitstatus_to_exitcode(status)
                failed.seek(0)
                told = Told(code if code >= 0 else 128 - code, failed.read(), spent.ru_utime + spent.ru_stime)
            print(json.dumps(told), file=self._answer, flush=True)
        return True


def _functions() -> dict[tuple[str, str, int], list[FunctionType]]:
    """Return the program's functions by file, name and line."""
    gc.unfreeze()
    found = defaultdict[tuple[str, str, int], list[FunctionType]](list)
    below = str(Path.cwd() / "app") + os.sep
    for thing in gc.get_objects():
        if isinstance(thing, FunctionType) and thing.__code__.co_filename.startswith(below):
            found[_place(thing.__code__)].append(thing)
    gc.freeze()
    return found


def _plant(functions: dict[tuple[str, str, int], list[FunctionType]], file: str, before: str, after: str) -> None:
    path = str(Path.cwd() / file)
    for _there, code in _differing(compile(before, path, "exec"), compile(after, path, "exec")):
        for function in functions.get(_place(code), ()):
            function.__code__ = code


def _begin() -> None:
    """Have folders and programs of one's own, and use no more memory than a run needs."""
    atexit._clear()
    resource.setrlimit(resource.RLIMIT_DATA, (_MOST_MEMORY, _MOST_MEMORY))
    folder = tempfile.TemporaryDirectory(prefix="replitune-tests-", ignore_cleanup_errors=True)
    atexit.register(folder.cleanup)
    os.environ.update(data_folders(Path(folder.name)))
    forked.own()


def _main(asked: int, answer: int, words: list[str]) -> None:
    server = _Server(os.fdopen(asked), os.fdopen(answer, "w"))
    code = pytest.main(words, plugins=[server])
    if server.is_fork:
        forked.end(int(code))


if __name__ == "__main__":
    _main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:])
