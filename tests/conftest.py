"""What every test has: the program speaks English whatever the computer does, and draws the same examples."""

import gc
import os
import re
import tempfile
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, settings
from pytestqt.qtbot import QtBot

import app  # noqa: F401 - numpy computes in one thread, which it is told before any test loads it
from tests.garbage import leave_loaded
from tests.in_memory import folder_in_memory
from tests.longest_first import longest_first
from tests.own_folders import data_folders
from tests.patience import PATIENCE_MS
from tests.prove.shares import PARTS, Share, share_of

os.environ.setdefault("REPLITUNE_LANGUAGE", "en")

# Files that a test leaves for a moment wait for no disk; programs it starts write there, too.
if "TMPDIR" not in os.environ and (memory := folder_in_memory()) is not None:
    os.environ["TMPDIR"] = str(memory)
    tempfile.tempdir = None

# Before the program is imported: a test would write into the undo journal and the saved targets of whoever runs it.
_FOLDER = tempfile.TemporaryDirectory(prefix="replitune-tests-", ignore_cleanup_errors=True)
os.environ.update(data_folders(Path(_FOLDER.name)))

# The same examples in each run: what fails, fails because of a change. `make fuzz` draws new ones each time. No example
# fails because it took long.
_UNHURRIED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("same", _UNHURRIED, derandomize=True)
settings.register_profile("new", _UNHURRIED, derandomize=False, print_blob=True)
settings.load_profile("same")

_MARK_OF_A_FILE: Final = re.compile(r"^pytestmark = \[?pytest\.mark\.(?P<name>prove|bench|tsql|plsql)\b", re.MULTILINE)

_SHARE = pytest.StashKey[Share]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let a run prove all places, or a ninth of them that is named."""
    group = parser.getgroup("long proofs")
    group.addoption("--prove-all", action="store_true", help="prove at all places, not at a ninth of them")
    part = {"type": int, "choices": range(1, PARTS + 1), "metavar": f"1-{PARTS}"}
    group.addoption("--part", **part, help="prove at this ninth of the places, whatever the commit")


def pytest_configure(config: pytest.Config) -> None:
    """Choose the part of the places once for a run."""
    config.stash[_SHARE] = share_of(is_all=config.getoption("--prove-all"), part=config.getoption("--part"))


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave files unread of which nothing is run, as their marks say: each process would load all tests there are."""
    wanted = config.getoption("-m")
    if not wanted or collection_path.suffix != ".py":
        return None
    text = collection_path.read_text(encoding="utf-8")
    if wanted == "prove":
        return None if "mark.prove" in text else True
    whole = _MARK_OF_A_FILE.search(text)
    return True if whole is not None and f"not {whole['name']}" in wanted.split(" and ") else None


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collect without looking for garbage: what is loaded stays, yet it would be gone through time and again."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()


@pytest.hookimpl(trylast=True)  # once it is known what a run leaves out
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what another part deals with, and begin with what takes minutes.

    A test named by an address is another one in each process, and stops the run.
    """
    if addressed := [item.nodeid for item in items if " object at 0x" in item.nodeid]:
        raise pytest.UsageError(f"named by the address of an object; give it ids: {addressed[0]}")
    left_out = set(_of_other_parts(items, config.stash[_SHARE]))
    config.hook.pytest_deselected(items=list(left_out))
    items[:] = [item for item in items if item not in left_out]
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    items[:] = longest_first(items, lambda item: item.get_closest_marker("minutes") is not None, workers)


def _of_other_parts(items: list[pytest.Item], share: Share) -> Iterator[pytest.Item]:
    """Yield the rows of each test that the parts deal out, but this part's own: the same whatever else is run."""
    tests: dict[str, list[pytest.Item]] = {}
    for item in items:
        if item.get_closest_marker("dealt") is not None:
            tests.setdefault(item.nodeid.split("[")[0], []).append(item)
    for rows in tests.values():
        mine = share.dealt(rows, _met_by_each_part)
        yield from (row for row in rows if row not in mine)


def _met_by_each_part(item: pytest.Item) -> tuple[str, ...]:
    """Return those arguments of a row whose every value each part meets."""
    assert isinstance(item, pytest.Function)
    (mark,) = item.iter_markers("dealt")
    return tuple(repr(item.callspec.params[name]) for name in mark.args)


def pytest_collection_finish() -> None:
    """Look for garbage again, but not in what was loaded."""
    leave_loaded()


def pytest_report_header(config: pytest.Config) -> str | None:
    """Say at its head at which part of the places a run proves, unless it leaves the proofs out."""
    return None if "not prove" in config.getoption("-m") else config.stash[_SHARE].told


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Say it again at its end, where it is looked for after a failure."""
    if "not prove" not in config.getoption("-m"):
        terminalreporter.write_line(config.stash[_SHARE].told)


@pytest.fixture(scope="session")
def share(request: pytest.FixtureRequest) -> Share:
    """The share of the places that this run proves."""
    return request.config.stash[_SHARE]


@pytest.fixture(scope="session", autouse=True)
def _what_is_read_is_shared(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Do once what each test would do alike: live through a past, load the program, read rules, draw, set documents."""
    from tests.forked import share_loaded
    from tests.lived_pasts import share_pasts  # loads the program, which is told its folders first
    from tests.made_once import folder_of_all
    from tests.read_once import share_documents, share_figures, share_packs

    share_pasts(folder_of_all(tmp_path_factory))
    share_loaded()
    share_packs()
    share_figures()
    share_documents()


class PatientQtBot(QtBot):
    """Waits for what must come as long as every test does, where it is told nothing else."""

    def waitUntil(self, callback: Any, *, timeout: int = PATIENCE_MS) -> None:
        """Wait until a condition holds."""
        super().waitUntil(callback, timeout=timeout)

    def waitSignal(self, signal: Any, *, timeout: int = PATIENCE_MS, **more: Any) -> Any:
        """Return a context that ends once a signal has come."""
        return super().waitSignal(signal, timeout=timeout, **more)

    def waitExposed(self, widget: Any, *, timeout: int = PATIENCE_MS) -> Any:
        """Return a context that ends once a widget is on screen."""
        return super().waitExposed(widget, timeout=timeout)


@pytest.fixture
def qtbot(qapp: Any, request: pytest.FixtureRequest) -> QtBot:
    """What drives the window, with patience."""
    del qapp  # it must be there
    return PatientQtBot(request)
