"""Availability groups in the hand-over: environment, method, tables, scripts, redaction."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from app.domain.events import TrialFinished
from app.domain.session import Advice, SessionRecord
from app.domain.table import ResultTable, TableCell, TableColumn
from app.reporting.blocks import Fields, Section, Table
from app.reporting.document.environment import environment_section
from app.reporting.document.method import method_section
from app.reporting.document.result_tables import table_blocks
from app.reporting.document.whole import build_document
from app.reporting.place import Places
from app.reporting.printed import printed
from app.reporting.redact.redaction import redact
from app.reporting.request import ReportRequest
from app.reporting.tables.comparisons import comparisons_note, comparisons_table
from app.reporting.wording import Vocabulary
from app.systems.availability_groups.families.commit_mode import FAMILY
from tests.report.kept import groups_of, with_groups
from tests.report.scripts import DECLARED, apply_script, apply_scripts, rollback_script, rollback_scripts
from tests.unit.runner.commit_runs import CommitRun, commit_plan, run_in_memory
from tests.unit.runner.groups import SECONDARY, group, topology

WORDS = Vocabulary((FAMILY,))
NOW = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.fixture(scope="module", name="run")
def _run() -> CommitRun:
    return run_in_memory(commit_plan(blocks=3), noise_cv=0.01)


@pytest.fixture(scope="module", name="session")
def _session(run: CommitRun) -> SessionRecord:
    return run.session()


@pytest.fixture(scope="module", name="said")
def _said(run: CommitRun) -> Advice:
    return run.advise()


def texts(section: Section) -> str:
    """Return everything a section says."""
    return repr(section.blocks)


def test_the_environment_shows_replicas_modes_databases_and_flags(session: SessionRecord) -> None:
    """Each group with its replicas, what it requires, its databases, and the trace flags found."""
    said = texts(environment_section(session, WORDS))
    for word in ("Availability group AG1", "SQL-B", "synchronous", "Orders", "FULL", "20,000", "none"):
        assert word in said
    found = topology(group("AG1", "Orders", listeners=("ag1-listen",), required_synchronized_secondaries=1))
    flagged = replace(found, trace_flags=(("SQL-A", 9592),), unreachable=((SECONDARY, "the login failed"),))
    other = replace(session, environments=(with_groups(session.environments[0], flagged),))
    said = texts(environment_section(other, WORDS))
    for word in ("ag1-listen", "SQL-A: 9592", "SQL-B could not be asked: the login failed."):
        assert word in said


def test_the_method_tells_load_and_design_of_the_family(session: SessionRecord, said: Advice) -> None:
    """Its own fields with units, all comparisons named beforehand, and nothing of replication agents."""
    section = method_section(session, said, WORDS)
    [fields] = [block for block in section.blocks if isinstance(block, Fields)]
    pairs = dict(fields.pairs)
    assert "Inserts of each shape: 1, 100, 10,000" in pairs["Workload"]
    assert "Longest time for one shape in one loop: 60 s" in pairs["Workload"]
    assert pairs["Design"].startswith("3 blocks, every setting in each; all comparisons named before the run")
    assert "Distribution" not in texts(section)
    assert "agent is restarted" not in texts(section)
    assert "no winner is picked" in texts(section)


def test_comparisons_of_one_pair_stand_in_one_table_by_shape(session: SessionRecord, said: Advice) -> None:
    """The heading names the pair, each row its shape."""
    first = said.comparisons[0]
    pair = [c for c in said.comparisons if (c.reference, c.candidate) == (first.reference, first.candidate)]
    table = printed(comparisons_table(pair, WORDS, Places(session, WORDS)))
    assert [column.title for column in table.columns][:2] == ["Inserts × rows per insert", "Run time"]
    assert [row[0] for row in table.rows] == ["1 × 100,000", "100 × 1,000", "10,000 × 10"]
    both = printed(comparisons_table(said.comparisons, WORDS, Places(session, WORDS)))
    assert [column.title for column in both.columns][:2] == ["Inserts × rows per insert", "Compared"]


def _told(cells: Sequence[object]) -> tuple[str, ...]:
    """Return what cells say; their ends stay on one line."""
    return tuple(str(cell).replace("\u00a0", " ") for cell in cells)


def test_result_tables_are_broken_up_and_show_intervals() -> None:
    """Labels are repeated in each part; a cell without an interval shows its value alone."""
    columns = tuple(TableColumn(f"c{i}", f"C{i}", "ms" if i > 1 else "") for i in range(8))
    row = (TableCell(1), TableCell(1_000_000), TableCell(12.345, 11.0, 14.5), *(TableCell(float(i)) for i in range(4)))
    table = ResultTable("commit_mode/x", "Title", columns, ((*row, "text"),), "Note.")
    parts = [block for block in table_blocks([table]) if isinstance(block, Table)]
    assert [[c.title for c in part.columns] for part in parts] == [
        ["C0", "C1", "C2 (ms)", "C3 (ms)", "C4 (ms)"],
        ["C0", "C1", "C5 (ms)", "C6 (ms)", "C7 (ms)"],
    ]
    assert _told(parts[0].rows[0][:4]) == ("1", "1,000,000", "12.35 (11 to 14.5)", "0")
    assert parts[1].rows[0][-1] == "text"
    assert [part.caption for part in parts] == ["", "Note."]


def test_scripts_set_the_flag_at_every_replica_and_only_there(session: SessionRecord, said: Advice) -> None:
    """One guarded script for each server, whole, so that one edited line applies it; no agent is named."""
    made, taking_back = apply_scripts(said.findings, session), rollback_scripts(said.findings, session)
    assert len(made) == len(taking_back) == 2
    apply, back = "".join(made), "".join(taking_back[::-1])
    assert re.findall(r"ServerName'\)\) <> N'([^']+)'", apply) == ["SQL-A", "SQL-B"]
    assert re.findall(r"ServerName'\)\) <> N'([^']+)'", back) == ["SQL-B", "SQL-A"]
    assert apply.count("DECLARE @turn_on int = 1;") == back.count("DECLARE @turn_on int = 0;") == 2
    assert apply.count("DECLARE @flag int = 9592;") == back.count("DECLARE @flag int = 9592;") == 2
    assert apply.count("-- Only if the workload resembles the shapes that gained.") == 2
    assert not re.findall(r"(?m)^-- (?:IF|DECLARE|DBCC|SET)\b", apply + back), "a line is commented out"
    for script in (apply, back):
        assert "Distributor" not in script
        assert "By hand" not in script
        assert "restart" in script or "start-up" in script


def test_a_flag_that_was_set_before_stays_set_by_the_way_back(session: SessionRecord, said: Advice) -> None:
    """Rolling the advice back must not clear what the client had set."""
    [environment] = session.environments
    flagged = with_groups(environment, replace(groups_of(environment), trace_flags=(("SQL-B", 9592),)))
    back = rollback_script(said.findings, replace(session, environments=(flagged,)))
    assert back.count("DECLARE @turn_on int = 0;") == 1
    assert "Trace flag 9592 was set before: it stays." in back


def test_measurements_made_elsewhere_give_a_script_for_every_replica(session: SessionRecord, said: Advice) -> None:
    """Servers are not known then; the batch says where it is to be run."""
    unknown = replace(session, environments=(), runs=())
    script = apply_script(said.findings, unknown)
    assert "every replica of the group" in script
    assert script.count("DECLARE @turn_on int = 1;") == 1


@pytest.mark.parametrize("name", ["SQL-A", "SQL-B", "Orders", "AG1", "Alone"])
def test_no_name_of_a_group_is_left_after_redaction(session: SessionRecord, said: Advice, name: str) -> None:
    """Servers, databases and groups are replaced everywhere, also in the plan's load."""
    shown = repr(redact(session, said, DECLARED))
    assert name in repr((session, said))
    assert not re.search(rf"(?<![A-Za-z0-9]){name}(?![A-Za-z0-9])", shown)


@pytest.fixture(scope="module", name="cut_short")
def _cut_short(run: CommitRun) -> CommitRun:
    """Return a run whose smallest inserts were cut short by the time allowed."""
    return replace(run, events=[_cut(e) if isinstance(e, TrialFinished) else e for e in run.events])


def _cut(event: TrialFinished) -> TrialFinished:
    measurements = event.trial.measurements
    times = [m for m in measurements if m.metric == "shape_time"]
    most = max(times, key=lambda m: float(m.conditions["inserts"]))
    done = replace(most, metric="inserts_done", unit="inserts", value=77.0)
    return replace(event, trial=replace(event.trial, measurements=(*measurements, done)))


def test_run_times_worked_out_from_a_part_of_the_inserts_are_marked(cut_short: CommitRun) -> None:
    """Method, trials, comparisons and the tables of results say from how many inserts; other shapes are not marked."""
    session, said = cut_short.session(), cut_short.advise()
    places = Places(session, WORDS)
    assert "77 of" in texts(method_section(session, said, WORDS))
    times = [c for c in said.comparisons if c.metric == "shape_time"]
    table = printed(comparisons_table(times, WORDS, places), comparisons_note(times, places))
    marked = [row for row in table.rows if "≈" in str(row[0])]
    assert 0 < len(marked) < len(table.rows)
    assert "worked out from the inserts done" in table.caption
    assert all("77 inserts done" in made.note for made in said.tables)


def test_run_times_of_all_inserts_are_not_marked(session: SessionRecord, said: Advice) -> None:
    """Nothing is said where nothing was worked out."""
    assert "≈" not in texts(method_section(session, said, WORDS))
    assert all("worked out" not in made.note for made in said.tables)


def test_comparisons_named_before_the_run_need_no_fresh_trials(session: SessionRecord, said: Advice) -> None:
    """Where every comparison is named beforehand nothing is confirmed afterwards, and the report does not say so."""
    places = Places(session, WORDS)
    shown = repr(build_document(ReportRequest(session, said, NOW, families=(FAMILY,)), ()).sections)
    assert "it was named before the run" in shown
    table = printed(comparisons_table(said.comparisons, WORDS, places))
    assert "named before" in repr(table.rows)
    for word in ("From fresh confirmation trials", "confirmed by fresh trials", "'confirmed'"):
        assert word not in shown + repr(table.rows)


def test_the_ends_of_an_interval_have_the_decimals_of_its_largest_value() -> None:
    """No cell mixes "93.56" with "103"."""
    columns = tuple(TableColumn(key, key) for key in ("a", "b", "c", "d", "e"))
    cells = (TableCell(98.07, 93.56, 103.2), TableCell(34.17, 32.6, 35.82), TableCell(0.5, 0.25, 0.75))
    [_head, table] = table_blocks((ResultTable("t", "T", columns, (("x", "y", *cells),)),))
    assert isinstance(table, Table)
    assert _told(table.rows[0][2:]) == ("98 (94 to 103)", "34.17 (32.6 to 35.82)", "0.5 (0.25 to 0.75)")
    assert [column.align for column in table.columns] == ["left", "left", "right", "right", "right"]
