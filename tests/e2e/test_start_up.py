"""How the program starts and ends: what it loads, what it prints where, and what a mistake of its own looks like."""

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from app.bootstrap import build_program
from app.cli.main import run
from app.foundation.version import VERSION
from app.services.program import Program
from tests.e2e.program import ROOT, call, run_alone, served_lab, spawn
from tests.own_folders import move_data
from tests.patience import PATIENCE_S

WATCHED = """
import sys
HEAVY = "numpy scipy PySide6 pyqtgraph sqlite3 typst pyodbc rich"
from app.__main__ import main
try:
    main(sys.argv[1:])
except SystemExit:
    pass
sys.stderr.write(" ".join(sorted(name for name in HEAVY.split() if name in sys.modules)))
"""


def _heavy_ones(*arguments: str) -> list[str]:
    """Return what of `HEAVY` is loaded once the program has answered, alone in its process."""
    done = subprocess.run(
        [sys.executable, "-c", WATCHED, *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=True,
    )
    assert done.stdout
    return done.stderr.split()


@pytest.mark.parametrize("arguments", [("--version",), ("--help",), ("rules", "check"), ("rules", "test")])
def test_simple_answers_load_no_heavy_library(arguments: tuple[str, ...]) -> None:
    """No numbers, no window, no database is loaded to say a version, to help, or to check rules."""
    assert _heavy_ones(*arguments) == []


@pytest.mark.parametrize("arguments", [("discover", "--target", "lab"), ("doctor",)])
def test_what_looks_at_servers_loads_no_distributions(arguments: tuple[str, ...]) -> None:
    """A library that takes a fifth of the start waits for whoever asks for a quantile."""
    assert "scipy" not in _heavy_ones(*arguments)


NUMBERS = """
import os
import {package}
import numpy, scipy.linalg
print(len(os.listdir("/proc/self/task")))
"""


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="threads are counted as Linux tells them")
@pytest.mark.parametrize("package", ["app", "tests"])
def test_numbers_are_computed_in_one_thread(package: str) -> None:
    """Small matrices gain nothing from more, which cost processor time of others and decide the last digits.

    The same goes for what is kept beside tests, however their modules order what they load.
    """
    command = [sys.executable, "-c", NUMBERS.format(package=package)]
    environment = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, timeout=PATIENCE_S, check=True)
    assert done.stdout.strip() == b"1"


def test_version_and_help() -> None:
    """One line each where scripts look for it; every command is named in the help."""
    assert run_alone("--version").out == f"replitune {VERSION}\n"
    shown = call("--help")
    assert shown.code == 0
    for command in ("demo", "advise", "run", "discover", "report", "restore", "rules", "lab"):
        assert f"\n    {command} " in shown.out
        one = call(command, "--help")
        assert one.code == 0
        assert one.out.startswith(f"usage: replitune {command} ")


def broken(program: Program) -> Program:
    """Return the program with a part that fails as no part should."""

    def fail(*_arguments: object) -> object:
        raise KeyError("Password=hunter2;PWD=hunter2")

    return Program(replace(program.parts, load_families=fail))  # type: ignore[arg-type]  # it fails on purpose


def test_help_and_mistakes_are_in_the_language_asked_for() -> None:
    """No English word of the argument parser is left where the texts are German."""
    helped = run_alone("--language", "de", "report", "--help")
    assert "Aufruf: replitune report" in helped.out
    assert "Optionen:" in helped.out
    assert "show this help" not in helped.out
    wrong = run_alone("--language", "de", "report", "--nix")
    assert wrong.code == 2
    assert wrong.err == "replitune: diese Argumente fehlen: SESSION, --out; siehe `replitune report --help`\n"


def test_a_mistake_of_the_program_is_one_sentence_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit code 1, where its report lies, and no traceback; the report holds the traceback and no password."""
    move_data(monkeypatch, tmp_path)
    assert run(["advise", "site.csv"], broken(build_program())) == 1
    said = capsys.readouterr()
    (report,) = (tmp_path / "replitune" / "errors").iterdir()
    assert said.err == (
        f"replitune: a mistake of the program, not yours (KeyError); report it with the file {report}\n"
    )
    assert said.out == ""
    text = report.read_text(encoding="utf-8")
    assert "Traceback" in text
    assert VERSION in text
    assert "hunter2" not in text


def test_a_mistake_that_cannot_be_reported_is_still_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where the report cannot be written, the sentence says so."""
    (tmp_path / "file").write_text("")
    move_data(monkeypatch, tmp_path / "file")
    assert run(["advise", "site.csv"], broken(build_program())) == 1
    assert "no report of it could be written to" in capsys.readouterr().err


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no device that is always full")
def test_what_the_system_refuses_is_told_with_its_reason() -> None:
    """A full device behind standard output is no mistake of the program."""
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "app", "discover", "--target", "lab"],
            cwd=ROOT,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=PATIENCE_S,
            check=False,
        )
    assert done.returncode == 2
    assert done.stderr == "replitune: No space left on device\n"


def test_a_reader_that_went_away_is_nothing_to_complain_of() -> None:
    """`replitune discover | head -1` ends without a word."""
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "w") as pipe:
        done = subprocess.run(
            [sys.executable, "-m", "app", "discover", "--target", "lab", "--json"],
            cwd=ROOT,
            stdout=pipe,
            stderr=subprocess.PIPE,
            text=True,
            timeout=PATIENCE_S,
            check=False,
        )
    assert (done.returncode, done.stderr) == (0, "")


def test_output_is_utf_8_wherever_it_goes() -> None:
    """An arrow in a text must not end the program where the system speaks another encoding."""
    plain = {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0", "LC_ALL": "C"}
    ended = run_alone("discover", "--target", "lab", environment=plain)
    assert (ended.code, ended.err) == (0, "")
    assert "Sales1.Sales1Orders → SUB1.Sales1Copy (push)" in ended.out


@pytest.mark.skipif(sys.platform == "win32", reason="Windows sends Ctrl+C to a whole console, not to one program")
def test_a_served_lab_ends_quietly() -> None:
    """Ctrl+C is how it is ended: exit code 0, nothing on standard error."""
    with spawn("lab", "serve") as process:
        assert process.stdout is not None
        assert process.stdout.readline().startswith("lab@127.0.0.1:")
        process.send_signal(2)
        _out, err = process.communicate(timeout=PATIENCE_S)
    assert (process.returncode, err) == (0, "")


def test_a_served_lab_remembers_between_clients() -> None:
    """It outlives the programs that use it, and answers one after the other."""
    with served_lab() as target:
        first = call("discover", "--target", target, "--json")
        assert first.code == 0
        assert call("discover", "--target", target, "--json").out == first.out


def test_a_measurement_file_of_the_readme_is_read_as_it_stands(tmp_path: Path) -> None:
    """The README's example works by copy and paste."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    block = readme.split("```csv\n", 1)[1].split("```", 1)[0]
    path = tmp_path / "example.csv"
    path.write_text(block, encoding="utf-8")
    document = call("advise", path, "--noise-cv", "0.03", "--json").json()
    assert [(c["from"], c["to"], c["verdict"]) for c in document["comparisons"]] == [
        (1, 16, "improvement"),
        (8, 16, "improvement"),
    ]
