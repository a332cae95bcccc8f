"""Servers whose names act: on a terminal, in a spreadsheet; each command's output and each file is looked through."""

import csv
import io
import json
from pathlib import Path
from zipfile import ZipFile

import pytest

from app.foundation.paths import resource_path
from app.foundation.terminal_text import for_terminal
from tests.e2e.program import SMALL_PLAN, Ended, call, write
from tests.own_folders import move_data

ACTS = "\x1b]52;c;cm0gLXJm\x07\x9b31m\u202egnp\u2066\x7f\nNothing wrong.\r"
NAMES = {
    "publisher_db": f"=cmd|'/C calc'!A0{ACTS}",
    "publication": f"@SUM(1);=cmd|'/C calc'!A0{ACTS}",
    "subscriber": f"-2+3+cmd|'/C calc'!A0{ACTS}",
    "subscriber_db": f"+cmd|'/C calc'!A0{ACTS}",
}
SITE = """offline_subscribers = []
refusing_subscribers = []
pull_subscriptions = []
stopped_agents = []
waiting_commands = 0
count_commands_per_s = 2000000.0
unreached_after_s = 15.0
"""
FORMULA = ("=", "+", "-", "@")


@pytest.fixture
def target(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return a lab whose first pair has such names."""
    move_data(monkeypatch, tmp_path / "home")
    names = ", ".join(f"{key} = {json.dumps(name)}" for key, name in NAMES.items())
    text = resource_path("lab", "lan.toml").read_text(encoding="utf-8")
    path = write(tmp_path / "named.toml", f"{text}\n[site]\n{SITE}names = [{{ pair = 1, {names} }}]\n")
    return f"lab:{path}"


def texts_of(document: object) -> list[str]:
    """Return every text of a JSON document."""
    if isinstance(document, dict):
        return [text for value in document.values() for text in texts_of(value)]
    if isinstance(document, list):
        return [text for value in document for text in texts_of(value)]
    return [document] if isinstance(document, str) else []


def assert_acts_on_nothing(ended: Ended, *, has_scripts: bool = False) -> None:
    """Check that neither stream holds a character that acts, nor a line that a name brought along."""
    for text in (ended.out, ended.err):
        assert for_terminal(text) == text
        listed, _marks, _scripts = text.partition("\n-- 1.") if has_scripts else (text, "", "")
        assert "\nNothing wrong." not in listed
        # in a script a name stands between quotes as it is, and in its comments on one line
        assert not [line for line in text.splitlines() if line.startswith("Nothing wrong.") and "'" not in line]


def assert_reads_as_it_is_executed(script: str, name: str) -> None:
    """Check that nothing in a script acts, hides, or shows it as another than is executed."""
    assert for_terminal(script) == script, name
    assert not [line for line in script.splitlines() if line.startswith("Nothing wrong.")], name


def assert_no_formula(content: str) -> int:
    """Check that no field begins a formula, whatever a spreadsheet takes for separators; return how many there are."""
    fields = [
        field.strip()
        for delimiter in (",", ";", "\t")
        for row in csv.reader(io.StringIO(content, newline=""), delimiter=delimiter)
        for field in row
    ]
    for field in fields:
        assert "|'/C calc'" not in field or not field.startswith(FORMULA), field
    return len(fields)


@pytest.mark.parametrize(
    "command", ["discover", "discover --json", "observe --watch 1", "observe --watch 1 --json", "doctor"]
)
def test_names_act_on_no_terminal(target: str, command: str) -> None:
    """What is looked at is told with the codes of what would act."""
    name, *options = command.split()
    ended = call(name, "--target", target, *options)
    assert ended.code == 0, ended
    assert_acts_on_nothing(ended)
    if "--json" in options:
        assert NAMES["publisher_db"] in texts_of(ended.json())


def test_names_act_in_no_file_of_a_run(tmp_path: Path, target: str) -> None:
    """A run, its dry run, its report in every form and each CSV written of it."""
    plan = write(tmp_path / "plan.toml", SMALL_PLAN)
    out = tmp_path / "out"
    ended = call("run", plan, "--target", target, "--dry-run", "--out", out)
    assert ended.code == 0, ended
    assert_acts_on_nothing(ended, has_scripts=True)
    for ended in (
        call("run", plan, "--target", target, "--out", out),
        call("engagement", "list", out / "session.replitune"),
        call("report", out / "session.replitune", "--out", tmp_path / "x.md"),
        call("report", out / "session.replitune", "--out", tmp_path / "x.csv"),
    ):
        assert ended.code == 0, ended
        assert_acts_on_nothing(ended)
    tables = sorted(tmp_path.rglob("*.csv"))
    assert {"samples.csv", "statements.csv", "measurements.csv", "changes.csv"} <= {path.name for path in tables}
    for path in tables:
        assert assert_no_formula(path.read_text(encoding="utf-8")), path
    assert call("bundle", "export", out / "session.replitune", "--out", tmp_path / "x.zip").code == 0
    with ZipFile(tmp_path / "x.zip") as bundle:
        texts = {name: bundle.read(name) for name in bundle.namelist() if name.endswith(".sql")}
    texts.update({str(path): path.read_bytes() for path in tmp_path.rglob("*.sql")})
    assert {Path(name).name for name in texts} >= {"rollback.sql"}
    assert any(Path(name).name.startswith("apply-") for name in texts)
    for name, content in texts.items():
        assert_reads_as_it_is_executed(content.decode("utf-8-sig"), name)
    assert call("advise", out / "measurements.csv", "--json").code == 0
