"""A run whose tests are dealt out to processes forked from one that has loaded them."""

from pathlib import Path

import pytest

from tests.forked import start_python

_PLAIN = [word for name in ("faulthandler", "xdist", "pytest-qt", "hypothesispytest") for word in ("-p", f"no:{name}")]

_TESTS = """
import os, pytest

with open({log!r}, "a") as log:
    log.write("loaded\\n")

@pytest.fixture(scope="module", autouse=True)
def _around():
    yield
    with open({log!r}, "a") as log:
        log.write("torn down\\n")

@pytest.mark.parametrize("number", range(12))
def test_row(number, tmp_path):
    print("said", number)
    with open({log!r}, "a") as log:
        log.write(f"{{number}} {{os.getpid()}} {{tmp_path}}\\n")
    if number == {ends_at}:
        os._exit(3)
    assert number != {fails_at}
"""


def _run(folder: Path, *words: str, ends_at: int = -1, fails_at: int = -1) -> tuple[int, str, list[str]]:
    """Run twelve tests in three processes; return the code, what was told, and the lines of their log."""
    log = folder / "log"
    (folder / "test_it.py").write_text(_TESTS.format(log=str(log), ends_at=ends_at, fails_at=fails_at))
    plain = ["-c", str(folder / "none.ini"), "--rootdir", str(folder), "-p", "no:cacheprovider", *_PLAIN]
    (folder / "none.ini").write_text("[pytest]\n")
    with start_python(
        "-m", "pytest", "-q", "-p", "tests.workers", "--workers", "3", *plain, *words, str(folder)
    ) as process:
        told, _ = process.communicate()
    return process.returncode, told, log.read_text().splitlines()


def test_each_test_runs_once_in_one_of_the_processes(tmp_path: Path) -> None:
    """What was loaded once is run in three processes, each of which tears down what it set up."""
    code, told, log = _run(tmp_path)
    rows = [line.split() for line in log if line[0].isdigit()]
    assert (code, sorted(int(row[0]) for row in rows)) == (0, list(range(12))), told
    assert "12 passed" in told
    assert len({row[2] for row in rows}) == 12, "two tests had the same folder"
    processes = {row[1] for row in rows}
    assert log.count("loaded") == 1
    assert 1 < len(processes) <= 3
    assert log.count("torn down") == len(processes)


def test_a_failure_and_an_end_of_a_process_are_told_each_with_its_test(tmp_path: Path) -> None:
    """A test that ends its process fails; the others are run all the same, and what a failed one said is told."""
    code, told, log = _run(tmp_path, "-rf", ends_at=5, fails_at=10)
    assert (code, sorted(int(line.split()[0]) for line in log if line[0].isdigit())) == (1, list(range(12))), told
    assert "2 failed, 10 passed" in told
    assert "the process that ran this test ended with 3" in told
    assert "said 10" in told
    assert "said 9" not in told
    assert [f"test_it.py::test_row[{number}]" in told.split("summary info")[1] for number in (5, 9, 10)] == [
        True,
        False,
        True,
    ]


def test_a_run_that_stops_at_the_first_failure_stops_all_its_processes(tmp_path: Path) -> None:
    """Each process ends behind the test that it was given by then."""
    code, told, log = _run(tmp_path, "-x", fails_at=0)
    assert code == pytest.ExitCode.TESTS_FAILED, told
    assert "stopping after 1 failures" in told
    rows = [line.split() for line in log if line[0].isdigit()]
    process = next(row[1] for row in rows if row[0] == "0")
    assert [row[0] for row in rows if row[1] == process] == ["0", "1"]
