"""What a session over TDS sends and what it leaves behind: statements of the catalogue alone, and no password."""

import re
from collections import Counter
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest

from app.drivers.sqlserver.wire.driver_answers import answer_of_driver
from app.foundation.paths import statement_folders, systems_roots
from app.store import open_for_reading
from tests.e2e.posed_lab import Call, Pose, PosedLab, posed_lab
from tests.e2e.program import ROOT, Ended, run_alone, write
from tests.e2e.traces import contents, found_among
from tests.made_once import folder_of_all, made_once
from tests.own_folders import own_folders
from tests.unit.targets.sqlserver.odbc.real_drivers import DRIVERS, has_driver

DRIVER_STATEMENTS = ROOT / "app" / "drivers" / "sqlserver" / "statements"
PASSWORD = "Gr3p;me} n'ow {ü€"
PLAN = """
family = "{family}"
[factors]
{factor}
[workload]
commands = 4000
[design]
blocks = 1
confirm_blocks = 0
"""
FACTORS = {
    "log_reader": ("freetds", "ReadBatchSize = [500, 1000]"),
    "distribution_agent": ("microsoft", "SubscriptionStreams = [1, 8]\nCommitBatchSize = [100, 200]"),
    "wan_delivery": ("mssql-python", "SubscriptionStreams = [1, 8]"),
}


@dataclass(frozen=True)
class Traces:
    """What a session sent, said and left.

    Attributes:
        folder: holds everything: the person's own folders, session, journal, scripts and report.
        held: every content in it, taken apart once, because reports take their time.
        calls, texts: what reached the lab.
        secrets: passwords in the job steps of its agents.
    """

    folder: Path
    held: tuple[tuple[str, bytes], ...]
    ended: tuple[Ended, ...]
    calls: list[Call]
    texts: list[str]
    secrets: tuple[str, ...]


def sent_texts(lab: PosedLab) -> list[str]:
    """Return every text that reached a lab; asked in its process."""
    return lab.texts


def step_secrets(lab: PosedLab) -> tuple[str, ...]:
    """Return the passwords of a lab's job steps; asked in its process."""
    found = (re.search(r"Password \[(.*?)\]", step) for step in lab.state.steps.values())
    return tuple(match[1] for match in found if match is not None)


@pytest.fixture(
    scope="module",
    params=[
        "log_reader",
        pytest.param("distribution_agent", marks=pytest.mark.prove),
        pytest.param("wan_delivery", marks=pytest.mark.prove),
    ],
)
def traces(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Traces:
    """Return the traces of a family's session."""
    driver, _factor = FACTORS[request.param]
    if not has_driver(driver):
        pytest.skip(f"{driver} is not installed")
    place = folder_of_all(tmp_path_factory)
    return made_once(place, f"traces-{request.param}", partial(leave_traces, request.param))


def leave_traces(family: str, folder: Path) -> Traces:
    """A target is saved, tested, discovered, experimented on and reported about, as a person does it by command."""
    driver, factor = FACTORS[family]
    environment = {
        "REPLITUNE_PASSWORD": PASSWORD,
        "PYTHON_KEYRING_BACKEND": "keyring.backends.fail.Keyring",
        **own_folders(folder / "home"),
    }
    plan = write(folder / "plan.toml", PLAN.format(family=family, factor=factor))
    with posed_lab(Pose(password=PASSWORD, speed=20_000.0)) as lab:
        session = folder / "out" / "session.replitune"
        commands: tuple[tuple[object, ...], ...] = (
            ("target", "add", "Site B", lab.url(DRIVERS[driver])),
            ("discover", "--target", "Site B", "--json"),
            ("run", plan, "--target", "Site B", "--dry-run"),
            ("run", plan, "--target", "Site B", "--out", folder / "out", "--json"),
            ("report", session, "--out", folder / "redacted.pdf", "--redact", "--keep-rest"),
        )
        ended = []
        for command in commands:
            ended.append(run_alone(*command, environment=environment))
            assert ended[-1].code == 0, (command, ended[-1])
            write(folder / f"said-{len(ended)}.txt", ended[-1].out + ended[-1].err)
        held = tuple(contents(folder))
        return Traces(folder, held, tuple(ended), lab.ask(PosedLab.sent), lab.ask(sent_texts), lab.ask(step_secrets))


def test_every_text_sent_is_a_file_of_the_catalogue(traces: Traces) -> None:
    """Byte for byte, behind its parameters and its session settings; what drivers send by themselves is known, too."""
    files = {
        path.stem: path
        for folder in (DRIVER_STATEMENTS, *statement_folders("sqlserver", systems_roots()))
        for path in folder.glob("*.sql")
    }
    names: Counter[str] = Counter()
    for text in traces.texts:
        if answer_of_driver(text) is not None:
            names["(driver)"] += 1
            continue
        declared, marker, body = text.partition("/* replitune ")
        name, _end, statement = body.partition(" */\n")
        assert marker, f"not of this program: {text[:200]}"
        assert re.fullmatch(r"(DECLARE @\w+ [\w()]+ = (\?|@P\d+);\n)*", declared), f"{name}: {declared}"
        content = files[name].read_text(encoding="utf-8").partition("*/")[2]
        settings, _end, statement = statement.partition("\n")
        assert settings.startswith("SET LOCK_TIMEOUT "), f"{name}: {settings}"
        assert statement.strip() == content.strip(), name
        names[name] += 1
    assert len(names) > 20
    assert {"stop_job", "start_job", "write_load"} <= set(names)


def test_every_statement_sent_is_on_record(traces: Traces) -> None:
    """The session's record holds what the run sent, no less and no more, in order, with text, time and duration."""
    with open_for_reading(traces.folder / "out" / "session.replitune") as reader:
        records = reader.read_session().statements
    sent = traces.calls[-len(records) :]
    assert [record.name for record in records] == [made.name for made in sent]
    # until the servers' names are known, the address that was given stands for the server
    asked = {record.server for record in records if record.name == "server_addresses"}
    assert all(address.startswith("127.0.0.1:") for address in asked)
    named = [(record.server, made.server) for record, made in zip(records, sent, strict=True)]
    assert all(recorded == ran for recorded, ran in named if recorded not in asked)
    assert all(record.text.startswith(f"/* replitune {record.name} */") for record in records)
    assert all(record.duration_ms > 0 for record in records)
    # a new connection is asked for its server's name, and marked, while the statement it is made for waits
    others = [record for record in records if record.name not in ("server_name", "take_change_mark")]
    assert others == sorted(others, key=lambda record: record.sent_utc)


def test_no_password_stands_anywhere(traces: Traces) -> None:
    """In no file, spelling, archive or attachment: not the login's, and not those in the job steps."""
    assert len(traces.secrets) == 6
    for secret in (PASSWORD, *traces.secrets):
        assert found_among(traces.held, secret) == []


def test_the_search_finds_what_is_there(traces: Traces) -> None:
    """The target's user stands in targets and session, and a parameter's name in the report's attachments."""
    found = " ".join(found_among(traces.held, "replitune@127.0.0.1"))
    for name in ("targets.json", "session.replitune", "undo.journal"):
        assert name in found
    attached = " ".join(
        found_among(traces.held, "set_job_step_token") + found_among(traces.held, "set_profile_parameter")
    )
    assert "report.pdf/statements.csv" in attached
    assert "redacted.pdf/statements.csv" in attached
