"""What each test costs in processor time, whatever else the machine does meanwhile: `-p tests.processor_time`.

The time of the test's own process and of the programs it started and waited for; what a fixture prepares for several
tests counts with the first of them. At its end a run tells the dearest tests and folders, each also as a ratio to a
fixed loop that is timed beside them, so that runs on two machines can be compared.
"""

import json
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

_NAME: Final = "processor_s"
_LOOP_TURNS: Final = 5_000_000
_DEAREST: Final = 40


def processor_s() -> float:
    """Return the processor time, in seconds, of this process and of those it has waited for."""
    spent = os.times()
    return spent.user + spent.system + spent.children_user + spent.children_system


def loop_s() -> float:
    """Return the processor time, in seconds, of a fixed loop: what times are told as a ratio to."""
    begun = time.process_time()
    for _ in range(_LOOP_TURNS):
        pass
    return time.process_time() - begun


class ProcessorTimes:
    """Adds up what the workers tell of each test, and tells it at the end of the run."""

    def __init__(self, file: Path | None) -> None:
        self._file = file
        self._spent: dict[str, float] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Take over what one test cost."""
        if report.when == "teardown":
            told = dict(report.user_properties)
            self._spent[report.nodeid] = float(str(told[_NAME]))

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Tell the dearest tests and all folders."""
        loop = loop_s()
        folders: dict[str, float] = {}
        for test, spent_s in self._spent.items():
            folder = test.split("::")[0].rpartition("/")[0]
            folders[folder] = folders.get(folder, 0.0) + spent_s
        write = terminalreporter.write_line
        write(f"processor time: {sum(self._spent.values()):.0f} s of {len(self._spent)} tests; the loop {loop:.3f} s")
        for what in (folders, self._spent):
            for name, spent_s in sorted(what.items(), key=lambda item: -item[1])[:_DEAREST]:
                write(f"{spent_s:8.2f} s {spent_s / loop:8.1f} loops  {name}")
        if self._file is not None:
            lines = (json.dumps({"test": test, _NAME: round(spent_s, 3)}) for test, spent_s in self._spent.items())
            self._file.write_text("\n".join(lines) + "\n", encoding="utf-8")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let a run keep what each test cost in a file."""
    parser.addoption("--processor-times", type=Path, metavar="FILE", help="what each test cost, as JSON lines")


def pytest_configure(config: pytest.Config) -> None:
    """Add up where the run is told of, not in each worker."""
    if "PYTEST_XDIST_WORKER" not in os.environ:
        config.pluginmanager.register(ProcessorTimes(config.getoption("--processor-times")))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Note what a test costs, its fixtures included, before its last report leaves the worker."""
    item.stash[_BEGUN] = processor_s()
    return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    """Hand what was spent on with the report of the teardown."""
    if call.when == "teardown":
        item.user_properties.append((_NAME, processor_s() - item.stash[_BEGUN]))
    return (yield)


_BEGUN: Final = pytest.StashKey[float]()
