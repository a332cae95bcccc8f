"""The start page: recent sessions, what a click begins, and the offer to restore."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from app.bootstrap import build_program
from app.domain.change import EntryState, JournalEntry
from app.domain.comparison import Verdict
from app.domain.events import RunStatus
from app.domain.view import Emphasis
from app.flows.run.restore_view import read_journal, restore_offer, restore_result
from app.flows.shell.recent_view import (
    RecentLine,
    RecentSession,
    go_on_line,
    read_recent,
    read_recent_lines,
    recent_line,
    recent_table,
)
from app.flows.shell.shell_view import place_at_hand
from app.flows.shell.start_view import (
    load_ahead,
    local_time,
    new_session,
    next_test,
    opened_session,
    propose_folder,
    session_at,
)
from app.flows.shell.wizard import Choices, RunEnd, Step, Wizard
from app.flows.table_view import column_position
from app.services.explain.verdict_counts import Showed
from app.services.hand_over.past_sessions import summarise_session
from app.services.preferences import Preferences
from app.services.run.restoring import RestoreOutcome
from app.store import UndoJournalFile, create_session_file
from tests.store.sample import make_change, make_record

NOW = datetime(2026, 3, 4, 9, 30, tzinfo=UTC)


@pytest.fixture
def session_file(tmp_path: Path) -> Path:
    """A session with two runs, the second interrupted."""
    path = tmp_path / "contoso.replitune"
    with create_session_file(path) as store:
        store.add_session(make_record())
    return path


def test_the_next_thing_is_kept_in_the_file_of_the_session_at_hand(tmp_path: Path) -> None:
    """One report tells of both, whoever made no client's file first; nobody is called "session" for that."""
    place = tmp_path / "2026-03-04 0930"
    place.mkdir()
    ended = Choices("sqlserver://dist1", folder=place, run_end=RunEnd("S1", "E1", "succeeded", "", ()))
    begun = next_test(Wizard(Step.HAND_OVER, ended), Preferences(), NOW).choices
    assert begun.place is not None
    assert begun.place.session_file == place / "session.replitune"
    assert begun.folder is not None
    assert begun.folder.parent == place
    assert place_at_hand(begun) == "sqlserver://dist1"
    imported = replace(ended, target="")
    assert next_test(Wizard(Step.HAND_OVER, imported), Preferences(), NOW).choices.engagement is None


@pytest.mark.parametrize(
    ("servers", "told"),
    [
        ("sqlserver://anna@dist1:1433?trust=yes", "Streams on DIST1 · cancelled"),
        ("sqlserver://anna@10.0.0.5:1433?trust=yes", "Streams on DIST1 · 10.0.0.5:1433 · cancelled"),
        ("Nordwind", "Streams on DIST1 · Nordwind · cancelled"),
    ],
)
def test_the_session_to_go_on_with_names_its_servers_once(servers: str, told: str) -> None:
    """Login, port and options of an address make no other servers than those its title names."""
    title = "Streams on DIST1"
    line = RecentLine(Path("one.replitune"), title, "2026-03-04", "cancelled", 3, "", servers)
    assert go_on_line([line], {}) == told


def test_files_that_cannot_be_read_stay_on_the_list(session_file: Path, tmp_path: Path) -> None:
    """A missing file and a damaged one are told, each in one sentence."""
    damaged = tmp_path / "damaged.replitune"
    damaged.write_bytes(b"nothing")
    gone = tmp_path / "gone.replitune"
    readable, missing, broken = read_recent([str(session_file), str(gone), str(damaged)])
    assert readable.summary is not None
    assert missing.is_missing
    assert str(damaged) in broken.problem
    assert not broken.is_missing
    line = recent_line(missing, {})
    assert (line.title, line.can_open, line.trials) == ("gone.replitune", False, None)


@pytest.mark.parametrize(
    ("name", "target", "client"),
    [
        ("session.replitune", "lab", "Lab"),
        ("session.replitune", "sqlserver://anna@dist1:1433?trust=yes", "dist1:1433"),
        ("session.replitune", "", "nordwind"),
        ("Lindau.replitune", "lab", "Lindau"),
    ],
)
def test_a_file_that_nobody_named_is_called_as_its_servers_or_its_folder(
    session_file: Path, name: str, target: str, client: str
) -> None:
    """`session` is no client."""
    summary = summarise_session(session_file)
    path = Path("nordwind") / name
    runs = tuple(run._replace(target=target) for run in summary.runs) if target else ()
    several = replace(summary, path=path, runs=runs, sessions_in_file=2, ids_in_file=("S1", "S2"), client="")
    line = recent_line(RecentSession(path, several), {})
    assert (line.client, recent_table([line]).rows[0].cells[1].text) == (client, "2 sessions")


def test_a_session_is_described_by_its_runs(session_file: Path) -> None:
    """Title, date, how the last run ended, trials that can be used, and the experiments by their titles."""
    line = read_recent_lines([str(session_file)], build_program())[0]
    assert line.title == "Log Reader, night load"
    assert (line.state, line.can_resume) == ("interrupted, can be resumed", True)
    assert line.trials == 1
    assert line.detail == "measurements from elsewhere.csv"
    row = recent_table([line]).rows[0]
    assert row.key == str(session_file)
    assert row.cells[0].emphasis is Emphasis.PLAIN
    (session_id,) = line.session_ids
    changed = recent_table([line], standing={session_id: 3, "S-of-another": 2})
    place = column_position(changed, "state")
    assert place is not None
    state = changed.rows[0].cells[place]
    assert (state.text, state.emphasis) == ("3 changes still in effect · interrupted, can be resumed", Emphasis.STRONG)


def test_what_a_session_showed_stands_beside_it_once_it_is_counted(session_file: Path, tmp_path: Path) -> None:
    """Dots until then, a dash where it cannot be told, nothing for a file that is gone; few words, best news first."""
    lines = read_recent_lines([str(session_file), str(tmp_path / "gone.replitune")], build_program())

    def showed(known: dict[Path, Showed | None]) -> list[str]:
        content = recent_table(lines, known)
        place = column_position(content, "verdicts")
        assert place is not None
        return [row.cells[place].text for row in content.rows]

    assert showed({}) == ["…", ""]
    assert showed({session_file: None}) == ["–", ""]
    assert showed({session_file: Showed({})}) == ["nothing compared", ""]
    counts = {Verdict.CANNOT_TELL: 4, Verdict.NO_DIFFERENCE: 3, Verdict.IMPROVEMENT: 2, Verdict.WORSE: 1}
    best = Showed(counts, "ReadBatchSize 2,500", -0.113)
    assert showed({session_file: best})[0] == "ReadBatchSize 2,500: \u221211\u00a0%"
    assert showed({session_file: Showed(counts)})[0] == "2 better · 1 worse · 3 no difference · 4 undecided"


def test_the_start_list_is_read_without_importing_families_where_none_ran() -> None:
    """An empty list needs nothing of the families."""
    assert read_recent_lines([], build_program()) == ()


def test_times_are_shown_in_the_zone_of_the_reader() -> None:
    """A moment kept in UTC is shown in local time."""
    assert local_time(NOW, timezone(timedelta(hours=2))) == "2026-03-04 11:30"


def test_a_new_session_has_a_folder_of_its_own(tmp_path: Path) -> None:
    """Folders are named by date and time; one that exists is not used again."""
    first = propose_folder(tmp_path, NOW)
    first.mkdir()
    second = propose_folder(tmp_path, NOW)
    assert second.name == f"{first.name} (2)"
    preferences = Preferences(sessions_folder=str(tmp_path))
    assert new_session(preferences, NOW).choices.folder == second
    lab = session_at(preferences, NOW)
    assert (lab.step, lab.choices.target, lab.choices.folder) == (Step.TOPOLOGY, "lab", second)


def test_an_opened_session_begins_at_its_findings(session_file: Path) -> None:
    """The wizard knows file, session, last run and how it ended; nothing can be run."""
    wizard = opened_session(summarise_session(session_file))
    end = wizard.choices.run_end
    assert wizard.step is Step.FINDINGS
    assert wizard.choices.opened
    assert end is not None
    assert (end.run_id, end.status, end.reason) == ("E2", RunStatus.INTERRUPTED, "power")
    assert (wizard.choices.file_name, wizard.choices.folder) == ("contoso.replitune", session_file.parent)


def entry(number: int, target: str) -> JournalEntry:
    """Return an open entry of the undo journal."""
    return JournalEntry(number, "S1", target, make_change(number), EntryState.APPLIED, NOW, "login refused")


def test_open_changes_are_offered_with_target_and_time() -> None:
    """The offer names how many changes are open where, and each with its values and what went wrong."""
    assert restore_offer([]) is None
    one = restore_offer([entry(1, "lab")])
    assert one is not None
    assert one.headline.endswith("1 change is still in effect on lab.")
    two = restore_offer([entry(2, "lab:a"), entry(1, "lab:b")], UTC)
    assert two is not None
    assert two.headline.endswith("2 changes are still in effect on lab:a, lab:b.")
    told = [[cell.text for cell in row.cells] for row in two.changes.rows]
    assert told[1][1:] == ["1", "8", "lab:b", "2026-03-04 09:30", "login refused"]


def test_the_result_of_a_restore_says_what_is_still_open() -> None:
    """Success says it was read back; failure names the first problem."""
    at = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)
    assert restore_result(RestoreOutcome(("a", "b"), ()), at) == "Restored 09:30, read back: 2 changes."
    assert restore_result(RestoreOutcome(("a",), ("b: refused",)), at) == "Undone: 1; still open: 1. b: refused"


def test_a_journal_that_was_never_made_holds_nothing(tmp_path: Path) -> None:
    """Before the first change there is no journal; afterwards its open entries are read."""
    path = tmp_path / "undo.journal"
    assert read_journal(path).entries == ()
    with UndoJournalFile(path) as journal:
        journal.record_intent("S1", "lab", make_change())
    assert [e.change for e in read_journal(path).entries] == [make_change()]


def test_what_later_pages_need_is_loaded_ahead() -> None:
    """Every family is imported before the first page that shows them."""
    program = build_program()
    assert load_ahead(program) == len(program.families) == len(program.parts.family_ids)


def test_nothing_is_put_back_while_another_window_runs() -> None:
    """What is open may be the other run's own: it is listed, told, and not to be undone here."""
    offer = restore_offer([entry(1, "lab")], UTC, runs_elsewhere=True)
    assert offer is not None
    assert not offer.can_restore
    assert offer.caution.startswith("Another window of Replitune is running an experiment")
    alone = restore_offer([entry(1, "lab")], UTC)
    assert alone is not None
    assert alone.can_restore
    assert alone.caution == ""
