"""Sections of the report as data."""

from dataclasses import replace

import pytest

from app.domain.setting import Setting
from app.foundation.paths import resource_path
from app.reporting.blocks import Block, Callout, Cell, Code, Fields, Heading, Paragraph, Table
from app.reporting.document.appendix import scripts_section, trials_section
from app.reporting.document.change_log import changes_section
from app.reporting.document.environment import environment_section
from app.reporting.document.place import Places
from app.reporting.document.results import comparisons_section, not_shown_section
from app.reporting.document.sources import SourceList
from app.reporting.document.statement_log import statements_section
from app.reporting.document.summary import simulation_notice
from app.reporting.render.characters import breakable, characters_of, clean, spell_out, uncovered
from app.reporting.wording import Vocabulary
from app.systems.transactional_replication.site import AgentParameters
from tests.report.kept import replication_of, with_replication
from tests.report.sample import FAMILIES, TARGET, empty_session, full_advice, full_session

_WORDS = Vocabulary(FAMILIES)


def _tables(blocks: tuple[Block, ...]) -> list[Table]:
    return [block for block in blocks if isinstance(block, Table)]


def test_changes_of_one_thing_are_one_row() -> None:
    """A value that was set in every trial is told once, with its original and how often it was set."""
    (table,) = _tables(changes_section(full_session()).blocks)
    assert len(table.rows) == 1
    row = table.rows[0]
    assert row[2] == "profile 1 (Default agent profile)"
    assert row[4:] == ("12", "put back, read back")


def test_agents_with_equal_parameters_share_a_table() -> None:
    """Three agents of one profile need no three tables."""
    session = full_session()
    environment = session.environments[0]
    agents = replication_of(environment).agents
    shared = with_replication(environment, agents=(*agents, AgentParameters("Twin", agents[0].parameters)))
    blocks = environment_section(replace(session, environments=(shared,)), _WORDS).blocks
    texts = [block.text for block in blocks if isinstance(block, Paragraph)]
    assert "CONTOPUB03-SalesLedger-1, Twin" in texts
    again = replace(shared, target="second")
    blocks = environment_section(replace(session, environments=(shared, again)), _WORDS).blocks
    texts = [block.text for block in blocks if isinstance(block, Paragraph)]
    assert len(texts) == 2
    assert texts[0].startswith(f"CONTOPUB03-SalesLedger-1 on {TARGET}, second")


def test_a_given_noise_level_is_read_as_a_percentage() -> None:
    """A share is shown as people say it."""
    shared = replace(full_session().environments[0], facts=(("Noise", "0.03", "share"), ("Odd", "n/a", "share")))
    blocks = environment_section(replace(full_session(), environments=(shared,)), _WORDS).blocks
    pairs = [pair for block in blocks if isinstance(block, Fields) for pair in block.pairs]
    assert ("Noise", "3\u00a0%") in pairs
    assert ("Odd", "n/a share") in pairs


def test_every_table_row_has_all_its_cells() -> None:
    """No table of any section has a row that is too short or too long."""
    session, advice = full_session(), full_advice()
    sections = [
        changes_section(session),
        environment_section(session, _WORDS),
        statements_section(session.statements),
        trials_section(session, _WORDS),
        comparisons_section(advice, _WORDS, Places(session, _WORDS)),
        not_shown_section(advice, _WORDS, Places(session, _WORDS)),
        SourceList(advice.findings).section(),
    ]
    tables = [table for section in sections for table in _tables(section.blocks)]
    assert len(tables) > 10
    assert all(len(row) == len(table.columns) for table in tables for row in table.rows)


def test_statements_that_change_come_first() -> None:
    """An auditor reads what changed something before what only looked."""
    grouped = _tables(statements_section(full_session().statements).blocks)[0]
    assert [row[2] for row in grouped.rows] == ["change", "read"]
    assert grouped.rows[0][0] == Cell("assign_profile", mono=True)
    assert grouped.rows[1][3] == "300"


def test_what_measuring_cost_each_server_is_told() -> None:
    """Readings at a tick are counted for each server, with the time of one and its share of a second."""
    statement = full_session().statements[-1]
    readings = [
        replace(statement, name="distributor_sample", server="DIST1", duration_ms=ms, error="")
        for ms in (2.0, 4.0, 12.0)
    ]
    failed = replace(statement, name="distributor_sample", server="DIST1", duration_ms=900.0, error="lost")
    other = replace(statement, name="publisher_sample", server="PUB1", duration_ms=1.5, error="")
    changed = replace(statement, name="assign_profile", server="DIST1", error="")
    blocks = statements_section((*readings, failed, other, changed)).blocks
    (place,) = (number for number, b in enumerate(blocks) if isinstance(b, Heading) and "cost the servers" in b.text)
    table = blocks[place + 2]
    assert isinstance(table, Table)
    assert table.rows == (
        ("DIST1", "3", "6\u00a0ms", "12\u00a0ms", "18\u00a0ms", "0.6\u00a0%"),
        ("PUB1", "1", "1.5\u00a0ms", "1.5\u00a0ms", "1.5\u00a0ms", "0.1\u00a0%"),
    )


def test_without_readings_nothing_is_said_of_their_cost() -> None:
    """Statements that only change or look things up are no measuring."""
    looked = [replace(s, name="agents") for s in full_session().statements]
    blocks = statements_section(looked).blocks
    assert not any(isinstance(block, Heading) and "cost the servers" in block.text for block in blocks)


def test_failed_statements_show_their_error() -> None:
    """An error stands in the list, not only in the log."""
    order = _tables(statements_section(full_session().statements).blocks)[1]
    assert "Deadlock at contodist07; it was sent again." in order.rows[0]


def test_long_scripts_are_cut_with_a_note() -> None:
    """A script of many agents fills no twenty pages; the attached file is complete."""
    blocks = scripts_section([("apply.sql", "SELECT 1;\n" * 500), ("rollback.sql", "SELECT 2;\n")]).blocks
    codes = [block for block in blocks if isinstance(block, Code)]
    assert len(codes[0].text.splitlines()) < 250
    assert "the attached file is complete" in codes[0].text
    assert codes[1].text == "SELECT 2;\n"


def test_nothing_changed_is_said() -> None:
    """A session without changes says so instead of showing an empty table."""
    blocks = changes_section(replace(full_session(), changes=())).blocks
    assert isinstance(blocks[0], Callout)
    assert blocks[0].title == "Nothing was changed"
    assert not _tables(changes_section(empty_session()).blocks)


def test_sources_are_numbered_once() -> None:
    """A document named by six findings has one number."""
    findings = full_advice().findings
    sources = SourceList(findings)
    assert [sources.number_of(source) for source in findings[3].sources] == [1, 2]
    assert len(_tables(sources.section().blocks)[0].rows) == 2


def test_a_single_agent_pair_is_not_worth_a_word() -> None:
    """Conditions name what distinguishes, not what is always so."""
    assert _WORDS.conditions(Setting.of(agent_pairs=1, rtt_ms=300)) == "300 ms round trip"


def test_control_characters_are_taken_out() -> None:
    """What a PDF must not carry is replaced, line ends and letters stay."""
    assert clean("a\x00b\x07\nc") == "a b \nc"
    assert clean("a\u202eb\ue000\udc80") == "a\ufffdb\ufffd\ufffd"
    assert clean("Ünïcode → ≤ ≥ ✓") == "Ünïcode → ≤ ≥ ✓"


def test_long_words_can_be_broken() -> None:
    """A name without spaces gets places to break; a short text has none."""
    assert "\u200b" in breakable("x" * 60)
    assert breakable("a short text") == "a short text"
    assert breakable("x" * 60).replace("\u200b", "") == "x" * 60


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("lab:streams-2009", "lab:|streams-|2009"),
        ("STRMADMIN.CAPTURE_QUEUE", "STRMADMIN.|CAPTURE_|QUEUE"),
        ("CommitBatchSize", "CommitBatchSize"),
        ("db1.example", "db1.example"),
        ("1,234,567,890.25", "1,234,567,890.25"),
        ("lab@127.0.0.1:1433", "lab@|127.0.0.1:1433"),
    ],
)
def test_long_names_break_at_their_joints(name: str, shown: str) -> None:
    """What is too wide for a narrow column may go on in the next line instead of over its neighbour."""
    assert breakable(name) == shown.replace("|", "\u200b")


def test_missing_characters_are_spelled_out() -> None:
    """A character the shipped fonts lack is written as its code."""
    missing = uncovered("Łódź 客 → ≤ −")
    assert missing == frozenset("客")
    assert spell_out("客!", missing) == "[U+5BA2]!"


def test_shipped_fonts_have_what_the_texts_need() -> None:
    """Every character the report's own texts use is in both shipped faces."""
    needed = frozenset("→×≤≥±−–—’“”·…§µ∞%")
    for name in (
        "Inter-Regular.otf",
        "Inter-Bold.otf",
        "Inter-SemiBold.otf",
        "Inter-Italic.otf",
        "JetBrainsMono-Regular.ttf",
    ):
        assert needed <= characters_of(resource_path("fonts", name)), name


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("lab", True), ("lab:wan-512k", True), ("lab@127.0.0.1:1433", True), ("sqlserver://anna@lab:1433", False),
        ("laboratory", False),
    ],
)  # fmt: skip
def test_every_lab_is_warned_of(target: str, expected: bool) -> None:
    """A lab in a process of its own is as simulated as one inside the program."""
    session = full_session()
    runs = tuple(replace(run, target=target) for run in session.runs)
    assert bool(simulation_notice(replace(session, runs=runs))) is expected
