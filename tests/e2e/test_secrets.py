"""A password written into a target is refused by every command that takes one: shown nowhere, written nowhere."""

import json
import logging
import os
import sqlite3
import subprocess
import sys
import time
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from app.services.target.saved_targets import SavedTargets
from tests.e2e.program import ROOT, call, write
from tests.own_folders import move_home, own_folders
from tests.patience import PATIENCE_S, PAUSE_S
from tests.prove.shares import Share
from tests.prove.streams_session import PLANS
from tests.secret_forms import FORMS, PASSWORD, leaks, leaks_below

TEXTS = [target for form, target in FORMS.items() if form != "in a number"]  # which no version ever kept
PLAN = 'family = "distribution_agent"\n[factors]\nSubscriptionStreams = [1, 8]\n'

# Where a target is asked for, and where a person may type one by mistake.
COMMANDS: dict[str, Callable[[str], tuple[str, ...]]] = {
    "run": lambda target: ("run", "plan.toml", "--target", target),
    "run, dry": lambda target: ("run", "plan.toml", "--dry-run", "--target", target),
    "run, as the plan": lambda target: ("run", target, "--target", "lab"),
    "run, JSON": lambda target: ("run", "plan.toml", "--json", "--target", target),
    "doctor": lambda target: ("doctor", "--target", target),
    "doctor, JSON": lambda target: ("doctor", "--json", "--target", target),
    "doctor, no --target": lambda target: ("doctor", target),
    "discover": lambda target: ("discover", "--target", target),
    "discover, misspelt": lambda target: ("discover", f"--tagret={target}"),
    "observe": lambda target: ("observe", "--target", target),
    "target add": lambda target: ("target", "add", "site", target),
    "target add, turned round": lambda target: ("target", "add", target, "site"),
    "target add, as a name": lambda target: ("target", "add", target, "lab"),
    "target test": lambda target: ("target", "test", target),
    "target remove": lambda target: ("target", "remove", target),
    "restore, as the journal": lambda target: ("restore", "--journal", target),
    "bundle import": lambda target: ("bundle", "import", target, "--out", "here"),
    "as the command": lambda target: (target,),
    "a number": lambda target: ("demo", "--seed", target),
}


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the working folder, with the user's own folders in it."""
    move_home(monkeypatch, tmp_path / "home")
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "plan.toml", PLAN)
    return tmp_path


def check(command: str, forms: Sequence[str], site: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Give a command each of some forms: exit code 2, and no part of the password in any output, log or file."""
    caplog.set_level(logging.DEBUG)
    for form in forms:
        ended = call(*COMMANDS[command](FORMS[form]))
        told = ended.out + ended.err
        assert ended.code == 2, f"{form}: {told}"
        assert "Traceback" not in told, form
        assert not leaks(told), f"{form}: {told}"
    assert not leaks(caplog.text)
    assert not leaks_below(site)


def forms_for(command: str) -> list[str]:
    """Return the forms a command refuses: a name may be anything that is none of the others."""
    is_name = command == "target add, as a name"
    return [form for form in FORMS if not (is_name and form == "forgotten host and engine")]  # as is "prod:Cologne"


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_neither_repeats_nor_keeps_a_password(
    command: str, site: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Each command with some of the forms, each form with some of the commands."""
    forms = forms_for(command)
    check(command, forms[list(COMMANDS).index(command) % 9 :: 9], site, caplog)


@pytest.mark.prove
@pytest.mark.parametrize("command", COMMANDS)
def test_no_command_repeats_or_keeps_any_password(
    command: str, site: Path, caplog: pytest.LogCaptureFixture, share: Share
) -> None:
    """Each command with each form."""
    check(command, share.of(forms_for(command), str, list(COMMANDS).index(command)), site, caplog)


def test_what_follows_a_password_option_is_not_repeated(site: Path) -> None:
    """There is no such option, and what a person meant by it is clear."""
    for flag in ("--password", "-P", "--pwd"):
        ended = call("doctor", flag, PASSWORD)
        assert ended.code == 2
        assert not leaks(ended.err), ended.err
        assert flag in ended.err
    assert not leaks(call("doctor", f"--password={PASSWORD}").err)
    assert not leaks_below(site)


def test_a_password_an_older_version_kept_is_masked_and_can_be_removed(site: Path) -> None:
    """The list shows the target without it, opening it is refused, and removing it leaves nothing of it."""
    assert call("target", "add", "new", "lab").code == 0
    (path,) = (path for path in site.rglob("*") if path.name == "targets.json")
    kept = json.loads(path.read_text(encoding="utf-8"))
    old = [{"name": f"old {number}", "target": target} for number, target in enumerate(TEXTS)]
    write(path, json.dumps({**kept, "targets": [*kept["targets"], *old]}))
    for arguments in (("target", "list"), ("target", "list", "--json")):
        listed = call(*arguments)
        assert listed.code == 0
        assert not leaks(listed.out), listed.out
    refused = call("doctor", "--target", "old 1")
    assert refused.code == 2
    assert not leaks(refused.err)
    for entry in old:
        assert call("target", "remove", entry["name"]).code == 0
    assert not leaks_below(site)
    assert [kept.name for kept in SavedTargets(path).list()] == ["new"]


def test_a_password_is_found_in_whatever_it_is_packed_into(tmp_path: Path) -> None:
    """Free pages of a database, its write-ahead log, compressed cells, streams of a PDF, members of a bundle."""
    packed = zlib.compress(PASSWORD.encode())
    files = {"text.json": PASSWORD.encode(), "wide.txt": PASSWORD.encode("utf-16-le")}
    files["report.pdf"] = b"%PDF-1.7\n1 0 obj\nstream\n" + packed + b"\nendstream"
    for name, cell in (("cells", packed), ("free", PASSWORD.encode()), ("logged", packed)):
        path = tmp_path / "making" / name
        path.parent.mkdir(exist_ok=True)
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("PRAGMA secure_delete = OFF")
            if name == "logged":
                connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("CREATE TABLE kept (cell)")
            connection.commit()
            connection.execute("INSERT INTO kept VALUES (?)", (cell,))
            connection.commit()
            if name == "free":
                connection.execute("DROP TABLE kept")
                connection.commit()
            files[name] = path.read_bytes()
            if name == "logged":
                files["logged-wal"] = path.with_name("logged-wal").read_bytes()
    bundle = tmp_path / "making" / "bundle.zip"
    with zipfile.ZipFile(bundle, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("session.replitune", files["cells"])
    files["bundle.zip"] = bundle.read_bytes()
    for name, content in files.items():
        folder = tmp_path / "found" / name
        folder.mkdir(parents=True)
        (folder / name).write_bytes(content)
        if name == "logged":
            assert not leaks_below(folder)
            (folder / "logged-wal").write_bytes(files["logged-wal"])
        if name != "logged-wal":
            assert leaks_below(folder), name


# The program with a lab whose logins have a password that is looked for.
GUARDED = f"""
import sys
from app.drivers.sqlserver.odbc import opening
from app.drivers.sqlserver.wire import client_session, server
client_session.PASSWORD = server.PASSWORD = opening._LAB_PASSWORD = "{PASSWORD}"
from app.drivers.oracle import url  # whose other modules are loaded when an engine is first asked for
url.LAB_PASSWORD = "{PASSWORD}"
from app.__main__ import main
sys.exit(main())
"""


def guarded(site: Path, *arguments: object) -> subprocess.Popen[str]:
    """Start that program, its user's folders inside the site."""
    home = {**own_folders(site / "home"), "REPLITUNE_PASSWORD": PASSWORD}
    return subprocess.Popen(
        [sys.executable, "-c", GUARDED, *map(str, arguments)],
        cwd=ROOT,
        env={**os.environ, **home},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )


@contextmanager
def guarded_lab(site: Path, scenario: str) -> Iterator[tuple[str, str]]:
    """Serve a lab with that password, and give its key and its address as that of servers."""
    with guarded(site, "lab", "serve", "--scenario", scenario) as process:
        try:
            assert process.stdout is not None
            key = process.stdout.readline().strip()
            if not key.endswith("?engine=oracle"):
                yield key, key.replace("lab@", "sqlserver://replitune@") + "?trust=yes"
            else:
                yield key, [process.stdout.readline() for _database in range(3)][-1].partition(" ")[0]
        finally:
            process.kill()


@pytest.mark.minutes
@pytest.mark.prove
@pytest.mark.dealt
@pytest.mark.parametrize(
    ("scenario", "plan"),
    [("lan", PLAN), ("streams-12c", PLANS["apply"].replace("PARALLELISM = [1, 4]\n", ""))],
    ids=["SQL Server", "Oracle"],
)
def test_no_file_of_a_run_holds_the_password_it_signed_in_with(
    site: Path, scenario: str, plan: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A run to its end and a killed one: session file, WAL, journal, reports, bundles, scripts, JSON, logs."""
    caplog.set_level(logging.DEBUG)
    monkeypatch.setenv("REPLITUNE_PASSWORD", PASSWORD)
    for kept in ("sqlserver.odbc.opening._LAB_PASSWORD", "oracle.opening.LAB_PASSWORD"):
        monkeypatch.setattr(f"app.drivers.{kept}", PASSWORD)
    out, killed = site / "whole", site / "killed"
    write(site / "plan.toml", plan)
    told = ""
    with guarded_lab(site, scenario) as (lab, url):
        for arguments in (
            ("run", site / "plan.toml", "--target", lab, "--out", out, "--json"),
            ("discover", "--target", url, "--json"),
            ("doctor", "--target", url, "--json"),
            *([] if "oracle" in lab else [("doctor", "--target", url, "--record", site / "answers.json")]),
            ("observe", "--target", url, "--out", site / "looked-at.html"),
            ("report", out / "session.replitune", "--out", site / "report.html"),
            ("report", out / "session.replitune", "--out", site / "report.md"),
            ("bundle", "export", out / "session.replitune", "--out", site / "bundle.zip"),
            ("bundle", "export", out / "session.replitune", "--out", site / "redacted.zip", "--redact", "--keep-rest"),
            ("target", "add", "site", url),
        ):
            ended = call(*arguments)
            told += ended.out + ended.err
            assert ended.code == 0, told[-2_000:]
        with guarded(site, "run", site / "plan.toml", "--target", lab, "--out", killed) as process:
            until = time.monotonic() + PATIENCE_S
            while not list(killed.glob("*-wal")) and time.monotonic() < until:
                time.sleep(PAUSE_S)
            process.kill()
        restored = call("restore", "--script", site / "all.sql")
        told += restored.out + restored.err
    assert list(killed.glob("*-wal"))
    assert (site / "all.sql").exists()
    assert list(out.glob("*.pdf"))
    assert not leaks(told + caplog.text)
    assert not leaks_below(site)


def test_a_mistake_of_the_program_is_reported_without_the_password(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever form it stands in, in whatever an exception says: the report of it can be sent to anybody."""

    def fail(self: SavedTargets, text: str) -> str:
        raise RuntimeError(f"could not use {text!r} ({text})")

    monkeypatch.setattr(SavedTargets, "remove", fail)
    for form, target in FORMS.items():
        ended = call("target", "remove", target)
        assert ended.code == 1, form
        assert not leaks(ended.err), form
        assert not leaks_below(site), form
    assert any("RuntimeError" in path.read_text(encoding="utf-8") for path in site.rglob("*.txt"))
