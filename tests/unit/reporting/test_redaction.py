"""Replacing the client's names."""

from dataclasses import replace

import pytest

from app.domain.session import SessionRecord
from app.reporting import apply_script, redact
from app.reporting.redaction import Redactor
from tests.report.sample import NAMES, full_advice, full_session, imported_request


@pytest.fixture
def session() -> SessionRecord:
    """Return the full session with names of the client in every kind of text."""
    return full_session()


@pytest.mark.parametrize("name", NAMES)
def test_no_name_is_left_in_any_record(session: SessionRecord, name: str) -> None:
    """After redaction no record of session or advice holds a name of the client, whatever its case."""
    shown, advice = redact(session, full_advice())
    assert name.casefold() in repr(session).casefold()
    assert name.casefold() not in repr((shown, advice)).casefold()


def test_same_name_gets_the_same_word(session: SessionRecord) -> None:
    """A server is called the same wherever it is named, so that the report still reads."""
    shown, _advice = redact(session, full_advice())
    topology = shown.environments[0].topology
    assert topology is not None
    assert topology.servers[0].name == topology.agents[0].publisher
    assert topology.agents[1].name == shown.environments[0].agents[1].agent
    assert topology.servers[0].name.startswith("Server ")
    assert topology.agents[0].name.startswith("Agent ")
    assert topology.distribution_db == "distribution"


def test_scripts_name_nobody(session: SessionRecord) -> None:
    """Scripts made from a redacted session hold none of the names either."""
    shown, advice = redact(session, full_advice())
    script = apply_script(advice.findings, shown).casefold()
    assert not [name for name in NAMES if name.casefold() in script]


@pytest.mark.parametrize(
    "text",
    [
        "at CONTOPUB03.",
        "[CONTOPUB03]",
        '{"server": "CONTOPUB03"}',
        "contopub03\\INST1",
        "x_CONTOPUB03_y",
        "(CONTOPUB03)",
    ],
)
def test_names_are_found_in_every_surrounding(text: str) -> None:
    """Quotes, brackets, dots and underscores around a name do not hide it."""
    assert "contopub03" not in Redactor([("CONTOPUB03", "Server 1")]).text(text).casefold()


def test_parts_of_words_are_left_alone() -> None:
    """A database called "Sales" does not garble "Salesforce", nor one called "me" the word "Me"."""
    redactor = Redactor([("Sales", "Database 1"), ("me", "Database 2")])
    assert redactor.text("Salesforce and Sales") == "Salesforce and Database 1"
    assert redactor.text("Me and me") == "Me and Database 2"


def test_longer_names_go_first() -> None:
    """An agent named after its server is one name, not a server with a tail."""
    redactor = Redactor([("SRV", "Server 1"), ("SRV-Sales-1", "Agent 1")])
    assert redactor.text("SRV-Sales-1 on SRV") == "Agent 1 on Server 1"


def test_names_with_quotes_are_found_as_sql_and_json_write_them() -> None:
    """O'Brien is found as O''Brien, and HOST\\INST as JSON writes it."""
    redactor = Redactor([("O'Brien", "Database 1"), ("HOST\\INST", "Server 1")])
    assert redactor.text("N'O''Brien'") == "N'Database 1'"
    assert redactor.text('{"server": "HOST\\\\INST"}') == '{"server": "Server 1"}'


def test_the_file_of_imported_measurements_is_replaced() -> None:
    """A file name can hold the client's name."""
    request = imported_request()
    named = replace(request.session, imported_from="/home/ann/Contoso Retail/runs.csv")
    shown, _advice = redact(named, request.advice)
    assert shown.imported_from == "File 1"


def test_addresses_do_not_turn_numbers_into_names(session: SessionRecord) -> None:
    """A server known by its IP address does not make every 192 a server."""
    target = "sqlserver://ann@192.168.7.20:1433"
    moved = replace(session, runs=tuple(replace(run, target=target) for run in session.runs), notes=("192 rows, ann",))
    shown, _advice = redact(moved, full_advice())
    assert shown.notes == ("192 rows, Login 2",)
