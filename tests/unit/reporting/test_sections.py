"""Sections of the report as data."""

import re
from collections.abc import Callable
from dataclasses import replace

import pytest

from app.domain.comparison import Rivals
from app.domain.decision import DecisionKind
from app.domain.finding import Source
from app.domain.setting import Setting
from app.domain.table import ResultTable, TableCell, TableColumn
from app.foundation.paths import resource_path
from app.reporting.blocks import Block, Callout, Fields, FigureBlock, Heading, Paragraph, Table
from app.reporting.decision_words import before_and_after, rivals_text, task_text
from app.reporting.document.attachments import build_attachments
from app.reporting.document.environment import environment_section
from app.reporting.document.method import method_section
from app.reporting.document.provenance import statement_blocks
from app.reporting.document.restored import open_changes, restored_blocks
from app.reporting.document.result_tables import table_blocks
from app.reporting.document.sources import SourceList
from app.reporting.document.whole import build_document
from app.reporting.render.characters import breakable, characters_of, clean, drawn_text, spell_out, uncovered
from app.reporting.request import ReportRequest
from app.reporting.wording import Vocabulary
from app.systems.transactional_replication.site import AgentParameters
from tests.report.kept import replication_of, with_replication
from tests.report.sample import (
    FAMILIES,
    TARGET,
    empty_request,
    full_advice,
    full_request,
    full_session,
    imported_request,
)

_WORDS = Vocabulary(FAMILIES)


def _tables(blocks: tuple[Block, ...]) -> list[Table]:
    return [block for block in blocks if isinstance(block, Table)]


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


def test_readings_of_one_name_stand_together() -> None:
    """What each of several servers told under one name needs no line of names for each."""
    facts = (("Cost", "PUB: 5 ms", ""), ("Round trip", "1.2", "ms"), ("Cost", "SUB: 7 ms", ""))
    environment = replace(full_session().environments[0], facts=facts)
    blocks = environment_section(replace(full_session(), environments=(environment,)), _WORDS).blocks
    pairs = next(block.pairs for block in blocks if isinstance(block, Fields) and block.pairs[0][0] == "Cost")
    assert pairs == (("Cost", "PUB: 5 ms; SUB: 7 ms"), ("Round trip", "1.2 ms"))


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
    (table,) = _tables(tuple(statement_blocks((*readings, failed, other, changed))))
    assert table.rows == (
        ("DIST1", "3", "6\u00a0ms", "12\u00a0ms"),
        ("PUB1", "1", "1.5\u00a0ms", "1.5\u00a0ms"),
    )


def test_without_readings_nothing_is_said_of_their_cost() -> None:
    """Statements that only change or look things up are no measuring."""
    looked = [replace(s, name="agents") for s in full_session().statements]
    assert not _tables(tuple(statement_blocks(looked)))


def test_nothing_changed_is_said() -> None:
    """A session without changes says so."""
    (block,) = restored_blocks(replace(full_session(), changes=()))
    assert isinstance(block, Callout)
    assert block.title == "Nothing was changed"
    assert not open_changes(full_session())


def test_documents_are_listed_once() -> None:
    """A document named by six findings, of different sections, has one number, and its title and address once."""
    findings = full_advice().findings
    assert [SourceList(findings).number_of(source) for source in findings[3].sources] == [1, 2]
    agent, stream = "https://example.com/agent", "https://example.com/stream"
    cited = (
        Source("Agent (Vendor), -Streams", agent),
        Source("Stream (Vendor), Chart 1", stream),
        Source("Agent (Vendor), -Streams, -PacketSize", agent),
        Source("Stream (Vendor), Chart 2", stream),
        Source("A book, page 3"),
        Source("A book, page 4"),
        Source("Stream (Vendor)", stream),
        Source("Chart of streams", agent),
    )
    sources = SourceList([replace(findings[0], sources=cited)])
    assert [sources.number_of(source) for source in cited] == [1, 2, 1, 2, 3, 4, 2, 1]
    (pairs,) = [block.pairs for block in sources.blocks() if isinstance(block, Fields)]
    assert pairs == (
        ("[1]", f"Agent (Vendor), -Streams; Agent (Vendor), -Streams, -PacketSize; Chart of streams, {agent}"),
        ("[2]", f"Stream (Vendor), Chart 1; Chart 2, {stream}"),
        ("[3]", "A book, page 3"),
        ("[4]", "A book, page 4"),
    )


def test_targets_that_are_alike_are_described_once() -> None:
    """Servers and agents stand once; a reading in which the targets differ names its target, any other none."""
    first = replace(full_session().environments[0], facts=(("Round trip", "300", "ms"), ("Bandwidth", "512", "kbps")))
    second = replace(first, target="second", facts=(("Round trip", "300", "ms"), ("Bandwidth", "128", "kbps")))
    blocks = environment_section(replace(full_session(), environments=(first, second)), _WORDS).blocks
    headings = [block.text for block in blocks if isinstance(block, Heading)]
    assert headings[0] == f"{TARGET}, second"
    assert headings.count("Servers") == 1
    pairs = [pair for block in blocks if isinstance(block, Fields) for pair in block.pairs]
    assert pairs[-2:] == [("Round trip", "300 ms"), ("Bandwidth", f"{TARGET}: 512 kbps; second: 128 kbps")]
    other = with_replication(second, agents=(), topology=replace(replication_of(second).topology, agents=()))
    blocks = environment_section(replace(full_session(), environments=(first, other)), _WORDS).blocks
    assert [block.text for block in blocks if isinstance(block, Heading)].count("Servers") == 2


def test_experiments_that_differ_in_their_target_only_are_described_once() -> None:
    """What was planned stands once for both, with each target; another plan is described by itself."""
    session = full_session()
    first = session.runs[0]
    second = replace(first, run_id="E2", target="second")
    third = replace(first, run_id="E3", plan=replace(first.plan, design=replace(first.plan.design, blocks=9)))
    section = method_section(replace(session, runs=(first, second, third)), full_advice(), _WORDS)
    told = [block.text for block in section.blocks if isinstance(block, Heading)]
    assert [text.split(":")[0] for text in told[:2]] == ["Experiment E1, E2", "Experiment E3"]
    targets = [dict(block.pairs)["Target"] for block in section.blocks if isinstance(block, Fields)]
    assert targets == [f"E1: {first.target}; E2: second", first.target]


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


@pytest.mark.parametrize(
    ("name", "drawn"),
    [("SUB4\\Ω 😀", "SUB4\\Ω □"), ("客户01", "□□01"), ("a\ue000b\x07", "a□b "), ("Łódź → ≤", "Łódź → ≤")],
)
def test_a_figure_draws_a_box_for_what_its_font_lacks(name: str, drawn: str) -> None:
    """Never a code, which a narrow box would cut; the face has the box."""
    assert drawn_text(name) == drawn
    assert not uncovered(drawn)


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
    """A lab in a process of its own is as simulated as one inside the program; its clock dates nothing."""
    session = full_session()
    runs = tuple(replace(run, target=target) for run in session.runs)
    environments = tuple(replace(environment, target=target) for environment in session.environments)
    moved = replace(session, runs=runs, environments=environments)
    document = build_document(replace(full_request(), session=moved), ())
    assert bool(document.cover.notice) is expected
    assert ("between 2026" not in repr(document.sections[0])) is expected


@pytest.mark.parametrize("make", [full_request, imported_request, empty_request])
def test_every_table_row_has_all_its_cells_and_no_section_is_empty(make: Callable[[], ReportRequest]) -> None:
    """No table has a row that is too short or too long; figures are numbered in the order they are printed."""
    sections = build_document(make(), build_attachments(make())).sections
    assert all(section.blocks for section in sections)
    tables = [table for section in sections for table in _tables(section.blocks)]
    assert tables
    assert all(len(row) == len(table.columns) for table in tables for row in table.rows)
    captions = [b.caption for section in sections for b in section.blocks if isinstance(b, FigureBlock)]
    assert [caption.split(".")[0] for caption in captions] == [f"Figure {n + 1}" for n in range(len(captions))]


def test_only_parameters_varied_or_not_at_their_defaults_are_told() -> None:
    """What is as the vendor ships it is in the attached file."""
    section = environment_section(full_session(), _WORDS)
    told = {
        str(row[0]) for table in _tables(section.blocks) for row in table.rows if table.columns[0].title == "Parameter"
    }
    assert told == {"ReadBatchSize", "SubscriptionStreams"}


def test_the_run_sheet_asks_for_what_each_change_needs() -> None:
    """Prerequisites stand before the changes, each change with its check and its way back."""
    document = build_document(full_request(), ())
    (table,) = _tables(next(section for section in document.sections if section.title == "Run sheet").blocks)
    does = [str(row[2]) for row in table.rows]
    asked = next(i for i, text in enumerate(does) if "VIEW SERVER STATE" in text)
    set_to = next(i for i, text in enumerate(does) if text.startswith("SubscriptionStreams 8 instead of 1"))
    assert asked < set_to
    command = "sqlcmd -S contodist07 -E -b -f 65001 -i {0} -o {0}.log"
    for number, row in enumerate(table.rows[set_to : set_to + 3], start=1):
        assert f"write yes instead of no in the line :setvar Apply no of apply-{number}-contodist07.sql" in str(row[2])
        assert str(row[2]).endswith(command.format(f"apply-{number}-contodist07.sql"))
        assert str(row[4]).endswith(command.format(f"undo-{number}-contodist07.sql"))
    (checks,) = [text for text in does if "which checks only" in text]
    assert all(f"apply-{number}-contodist07.sql" in checks for number in (1, 2, 3))
    assert checks.endswith(command.format("apply-1-contodist07.sql"))
    assert any("before-1-contodist07.sql, before-2-contodist07.sql" in text for text in does[:set_to])
    assert any("verify-1-contodist07.sql, verify-2-contodist07.sql" in text for text in does[set_to:])
    assert {len(row) for row in table.rows} == {6}
    assert {str(row[5]) for row in table.rows} == {""}  # to be filled in
    assert "Run sheet" not in [section.title for section in build_document(empty_request(), ()).sections]


def test_a_run_sheet_says_in_numbers_when_to_stop_and_when_to_look_again() -> None:
    """The measured value to expect and the one to undo at, a quarter of an hour, an hour and a day later, and after
    the next failover, whose replica has jobs of its own."""
    document = build_document(full_request(), ())
    (table,) = _tables(next(section for section in document.sections if section.title == "Run sheet").blocks)
    by_when = {str(row[1]).replace("\u00a0", " "): [str(cell) for cell in row] for row in table.rows}
    assert {"T + 15 min", "T + 1 h", "next day", "next failover", "re-created"} <= by_when.keys()
    changes = [d for d in full_advice().decisions if d.kind is DecisionKind.CHANGE]
    assert "fall-back to a single connection" in by_when["T + 15 min"][3]
    looked = {str(row[2]): str(row[3]) for row in table.rows if ": look at " in str(row[2])}
    gaining = [(d, d.gain) for d in changes if d.gain]
    assert len(looked) == len(gaining) > 1  # a row each: no cell may grow taller than a page
    for decision, gain in gaining:
        before, after = before_and_after(gain)
        seen = next(says for does, says in looked.items() if does.startswith(task_text(decision)))
        assert seen.startswith(after)
        assert f"undo it where it stays at {before}" in seen
    assert "each replica" in by_when["next failover"][2]


def test_a_command_stands_once_in_a_run_sheet() -> None:
    """What undoes a change is beside it; later a row leads there."""
    document = build_document(full_request(), ())
    (table,) = _tables(next(section for section in document.sections if section.title == "Run sheet").blocks)
    said = "\n".join(str(cell) for row in table.rows for cell in row)
    ways_back = re.findall(r"-i (undo\S+)", said)
    assert len(ways_back) == len(set(ways_back)) == 3
    assert table.columns[4].title in next(str(row[2]) for row in table.rows if row[1] == "any time")


def test_what_a_model_predicts_is_said_beside_its_plot() -> None:
    """How sure its pick is stands as text, marked as not measured, once."""
    advice = full_advice()
    experiment = advice.decisions[0].finding.figure.rpartition("/")[0]
    predicted = replace(advice.plots[0], plot_id=f"{experiment}/predicted", alt="The model picks 8 streams.")
    request = replace(full_request(), advice=replace(advice, plots=(*advice.plots, predicted)))
    blocks = [block for section in build_document(request, ()).sections for block in section.blocks]
    said = [block for block in blocks if isinstance(block, Paragraph) and block.text == predicted.alt]
    assert [block.label for block in said] == ["Predicted, not measured."]


def test_the_signs_to_undo_at_are_told_once() -> None:
    """Streams have one more sign than any agent: what both share is not said again."""
    document = build_document(full_request(), ())
    (table,) = _tables(next(section for section in document.sections if section.title == "Run sheet").blocks)
    signs = [str(row[3]) for row in table.rows if "Undo it also where" in str(row[3])]
    assert [text.count("shows an error") for text in signs] == [1]


def test_what_may_do_better_still_is_told_once_with_the_evidence() -> None:
    """A verdict leaves it to the reasons below it."""
    request = full_request()
    advice, told = request.advice, "Whether SubscriptionStreams 16 does better"
    first = advice.decisions[0]
    assert first.gain is not None
    rivals = Rivals(Setting.of(SubscriptionStreams=8), (Setting.of(SubscriptionStreams=16),), 40)
    compared = replace(first.gain.comparison, rivals=rivals)
    because = f"{first.finding.because} {rivals_text(compared, first.parameter)}"
    decision = replace(
        first,
        finding=replace(first.finding, because=because),
        gain=replace(first.gain, comparison=compared),
    )
    of_it = replace(request, advice=replace(advice, decisions=(decision,)))
    evidence = next(s for s in build_document(of_it, ()).sections if s.title == "Evidence")
    assert sum(told in str(block) for block in evidence.blocks) == 1


def test_conditions_stand_in_one_column_of_the_list_of_decisions() -> None:
    """Where a decision holds is told once in its row: its title is without what the column beside it says."""
    decisions = full_advice().decisions
    first = replace(decisions[0].finding, apart=("30,000 commands",))
    listed = (replace(decisions[0], finding=first, where="lab, 30,000 commands"), *decisions[1:])
    request = full_request()
    document = build_document(replace(request, advice=replace(request.advice, decisions=listed)), ())
    rows = [
        row for s in document.sections for t in _tables(s.blocks) for row in t.rows if "lab, 30,000 commands" in row
    ]
    assert [str(cell).count("30,000 commands") for cell in rows[0]].count(1) == 1


def test_every_median_of_a_table_has_its_spread_however_many_columns() -> None:
    """The ends stand together, so that a narrow column puts them on a line of their own; no part has one column."""
    columns = tuple(TableColumn(f"c{n}", f"C{n}") for n in range(8))
    values: tuple[TableCell | str, ...] = (TableCell(2.0, 1.5, 2.5, is_range=True),) * 6
    row = ("one", "explored", *values)
    blocks = table_blocks([ResultTable("t", "Table", columns, (row,))])
    tables = _tables(tuple(blocks))
    assert [len(table.columns) for table in tables] == [5, 5]
    assert all(cell == "2 (1.5\u00a0to\u00a02.5)" for table in tables for cell in table.rows[0][2:])
