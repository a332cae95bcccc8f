"""Python programs of the tests as processes of their own, each forked from one that has loaded the program already.

A test that kills, interrupts or outlives the program needs a process, but not its start, which takes half a second of
processor time. So one process with nothing but modules in it is started, and who asks for a program gets a fork of it
with streams, arguments and environment of its own, whose parent is who asked, as if it had been started there. Programs
with further systems are forked from a process that has loaded these, too. Where something else is read at the start
(options of Python, a language), and on other systems than Linux, it is started.
"""

import atexit
import contextlib
import ctypes
import faulthandler
import importlib
import json
import os
import pkgutil
import random
import runpy
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import IO, Any, Final, NamedTuple, NoReturn

from app.foundation import own_process
from app.foundation.paths import MORE_SYSTEMS

_ROOT: Final = Path(__file__).resolve().parents[1]

_ADOPT: Final = 36  # PR_SET_CHILD_SUBREAPER, prctl(2): whose parent ended is given to this process
_STREAMS: Final = 3
_LONGEST: Final = 1 << 20
_MOMENT_S: Final = 0.0005
_AT_START: Final = ("PYTHON", "LD_", "LC_", "LANG", "OPENBLAS", "REPLITUNE_LANGUAGE", MORE_SYSTEMS)
"""Beginnings of the variables that are read while Python and modules are loaded."""
_STACKS: Final = "PYTHONFAULTHANDLER"
_LATER: Final = {_STACKS, "PYTHON_KEYRING_BACKEND"}
"""Those a fork still heeds: it asks itself for stacks, and the keyring is loaded when it is needed."""
_HELPING: Final = {"--experiments", "--hand-over"}
_NOT_LOADED: Final = ("app.ui.", "app.__main__", "app.drivers.sqlserver.odbc.mssql_python_library")
"""The window; what starts at once; and a driver with libraries of its own, as a program loads one driver's."""
_owner = os.getpid()


def start_python(
    *arguments: str,
    environment: Mapping[str, str] | None = None,
    to: IO[str] | None = None,
    stdin: int | None = None,
) -> subprocess.Popen[str]:
    """Start `python …` in the checkout, as `-m module …` or `-c code …`.

    Args:
        environment: variables that differ from those here.
        to: a file for all it says; pipes without one.
        stdin: as `subprocess.Popen` takes it.
    """
    given = {**os.environ, **(environment or {})}
    kind: Any = _Forked if _can_fork(arguments, given) else subprocess.Popen
    started: subprocess.Popen[str] = kind(
        [sys.executable, *arguments],
        cwd=_ROOT,
        env=given,
        creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),  # or Ctrl+Break would be meant for all
        stdin=stdin,
        stdout=to or subprocess.PIPE,
        stderr=to or subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )
    return started


def own() -> None:
    """Let a process that was forked from one with these tests loaded fork programs itself."""
    global _owner
    _owner = os.getpid()


def share_loaded() -> None:
    """Have the program fork the processes that help it, too, but the one that sets documents within limits."""

    def start(command: Sequence[str], **given: Any) -> Any:
        can_fork = command[-1] in _HELPING and _can_fork(command, given["env"])
        return (_Forked if can_fork else subprocess.Popen)(command, **given)

    starting: Any = SimpleNamespace(Popen=start, DEVNULL=subprocess.DEVNULL)
    own_process.subprocess = starting  # type: ignore[attr-defined]  # what it starts processes by


def _can_fork(arguments: Sequence[str], environment: Mapping[str, str]) -> bool:
    return (
        sys.platform == "linux"
        and os.getpid() == _owner
        and {**_at_start(environment), MORE_SYSTEMS: ""} == {**_GIVEN, MORE_SYSTEMS: ""}
        and not any(argument.startswith("--language") for argument in arguments)
    )


def _at_start(environment: Mapping[str, str]) -> Mapping[str, str]:
    return {name: value for name, value in environment.items() if name.startswith(_AT_START) and name not in _LATER}


_GIVEN: Final = _at_start(os.environ)


class _Order(NamedTuple):
    """What a fork shall run."""

    arguments: Sequence[str]
    environment: Mapping[str, str]
    leads_session: bool


class _Loaded:
    """The process that has everything loaded, further systems in a folder among it, and how it is asked."""

    def __init__(self, more_systems: str) -> None:
        self._asking, answering = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        command = [sys.executable, "-m", "tests.forked", str(answering.fileno()), str(os.getpid())]
        environment = {name: value for name, value in os.environ.items() if name not in _at_start(os.environ)}
        self._process = subprocess.Popen(
            command,
            cwd=_ROOT,
            env={**environment, **_GIVEN, MORE_SYSTEMS: more_systems},
            pass_fds=[answering.fileno()],
            stdin=subprocess.DEVNULL,
        )
        answering.close()
        self._adopting = ctypes.CDLL(None).prctl
        self._one_at_a_time = threading.Lock()

    def start(self, order: "_Order", streams: Sequence[int]) -> int:
        """Start a program; return its process, a child of this one."""
        with self._one_at_a_time:
            self._adopting(_ADOPT, 1, 0, 0, 0)
            try:
                socket.send_fds(self._asking, [json.dumps(order).encode()], streams)
                told = self._asking.recv(_LONGEST)
            finally:
                self._adopting(_ADOPT, 0, 0, 0, 0)
        if not told:
            raise OSError("the process that tests fork programs from has ended")
        return int(told)


@cache
def _loaded(more_systems: str) -> _Loaded:
    return _Loaded(more_systems)


class _Forked(subprocess.Popen[Any]):
    """A program that is forked instead of started; all else of it is the library's."""

    def _execute_child(self, arguments: Sequence[str], *given: Any) -> None:
        """Start it (the library calls this with the ends of the pipes it made, -1 where none is)."""
        pipes = given[9:15]
        order = _Order(list(arguments)[1:], dict(given[5]), bool(given[20]))
        loaded = _loaded(order.environment.get(MORE_SYSTEMS, ""))
        stdin, stdout, stderr = pipes[0], pipes[3], pipes[5]
        streams = [end if end != -1 else number for number, end in enumerate((stdin, stdout, stderr))]
        self.pid = loaded.start(order, streams)
        self._child_created = True
        self._close_pipe_fds(*pipes)  # type: ignore[attr-defined]  # as its own way of starting does


def _load() -> None:
    """Load all of the program but its window, and its rules, and leave it all out of garbage collections."""
    import app
    from app import bootstrap
    from tests.garbage import leave_loaded
    from tests.read_once import share_packs

    for module in pkgutil.walk_packages(app.__path__, "app."):
        if not module.name.startswith(_NOT_LOADED):
            importlib.import_module(module.name)
    share_packs()
    importlib.import_module("tests.shipped_rules")
    bootstrap.load_advisor(bootstrap.load_families())
    leave_loaded()


def _serve(asked: socket.socket, owner: int) -> _Order | None:
    """Fork whenever that is asked for; return what the fork shall run, None in the process that forks, at its end."""
    while True:
        told, streams, _flags, _address = socket.recv_fds(asked, _LONGEST, _STREAMS)
        if not told:
            return None
        middle = os.fork()
        if middle:
            os.waitpid(middle, 0)
            for stream in streams:
                os.close(stream)
            continue
        if os.fork():
            os._exit(0)  # whose parent is now the one that asked
        while os.getppid() != owner:
            time.sleep(_MOMENT_S)
        for number, stream in enumerate(streams):
            os.dup2(stream, number)
            os.close(stream)
        asked.send(str(os.getpid()).encode())
        asked.close()
        return _Order(*json.loads(told))


def _become(order: _Order) -> None:
    """Run a program as `python` would that has just been started."""
    if order.leads_session:
        os.setsid()
    os.environ.clear()
    os.environ.update(order.environment)
    if order.environment.get(_STACKS):
        faulthandler.enable()
    random.seed()
    for name, number, mode, buffering in (("stdin", 0, "r", -1), ("stdout", 1, "w", -1), ("stderr", 2, "w", 1)):
        errors = "backslashreplace" if name == "stderr" else "strict"
        stream = open(number, mode, buffering, "utf-8", errors, closefd=False)  # noqa: SIM115 - as long as the program
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)
    kind, what, *more = order.arguments
    sys.argv = [kind, *more]
    code: object = None
    try:
        if kind == "-m":
            runpy.run_module(what, run_name="__main__", alter_sys=True)
        else:
            exec(compile(what, "<string>", "exec"), {"__name__": "__main__"})
    except SystemExit as leaving:
        code = leaving.code
    end(code)


def end(code: object) -> NoReturn:
    """End as Python does, but for the objects: taking each of them apart would take longer than the program."""
    threading._shutdown()  # type: ignore[attr-defined]  # waits for threads that are no daemons
    atexit._run_exitfuncs()
    if not isinstance(code, int | None):
        sys.stderr.write(f"{code}\n")
        code = 1
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):  # nobody reads it any more
            stream.flush()
    os._exit(code or 0)


def _main(number: int, owner: int) -> None:
    _load()
    asked = socket.socket(fileno=number)
    if (fork := _serve(asked, owner)) is not None:
        _become(fork)


if __name__ == "__main__":
    _main(*map(int, sys.argv[1:]))
