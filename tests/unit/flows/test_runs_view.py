"""The browser of runs: the runs of a file, their trials, and two of either over each other."""

import math
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from app.bootstrap import build_program
from app.domain.events import RunStatus
from app.domain.measurement import Sample, TrialStatus
from app.domain.metrics import RUN_TIME, THROUGHPUT, listed_metrics
from app.domain.plan import Phase
from app.domain.view import Emphasis
from app.flows.explain.compare_choices import comparables
from app.flows.explain.run_trials_view import trial_of, trials_hint, trials_table
from app.flows.explain.runs_overlay import (
    compared_metrics,
    no_runs_text,
    no_series_text,
    overlay_plot,
    overlay_runs,
    run_labels,
    stream_names,
)
from app.flows.explain.runs_view import (
    BrowsedRuns,
    browse_engagement,
    browse_runs,
    file_line,
    key_of,
    row_key,
    run_of,
    runs_hint,
    runs_table,
    status_titles,
)
from app.flows.explain.trial_view import trial_detail
from app.flows.hand_over.engagement_view import sessions_table
from app.flows.palette_view import file_places
from app.flows.shell.start_view import local_time
from app.reporting.tables.trials import phase_in_words, status_in_words, trial_key
from app.reporting.wording import Vocabulary
from app.services.explain.advising import Advisor
from app.services.explain.comparison.sides import read_sides
from app.services.hand_over.engagement import read_engagement
from app.services.hand_over.past_sessions import RunKey, list_runs, list_trials, read_time_series
from app.store import create_session_file, open_for_reading
from tests.labs import FAMILIES
from tests.store.sample import make_record

LISTED = listed_metrics(FAMILIES.values())


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """An engagement of two sessions, the second a day later, each with runs E1 and E2."""
    path = tmp_path / "s.replitune"
    record = make_record()
    later = replace(record, session_id="S2", title="The day after", created_utc=record.created_utc + timedelta(days=1))
    with create_session_file(path) as store:
        store.add_session(record)
        store.add_session(later)
    return path


@pytest.fixture
def browsed(path: Path) -> BrowsedRuns:
    """The engagement as it is browsed."""
    return browse_runs(path, build_program())


def test_the_runs_of_every_session_have_a_row_the_newest_first(browsed: BrowsedRuns) -> None:
    """State, trials and session of each run; a row's key names its run."""
    table = runs_table(browsed)
    runs = browsed.listed.runs
    assert [run_of(row.key) for row in table.rows] == [key_of(run) for run in reversed(runs)]
    assert {run.session_id for run in runs} == {make_record().session_id, "S2"}
    newest = {column.key: cell.text for column, cell in zip(table.columns, table.rows[0].cells, strict=True)}
    assert newest["run"] == runs[-1].run_id
    assert newest["session"] == "The day after"
    first = {column.key: cell.text for column, cell in zip(table.columns, table.rows[-1].cells, strict=True)}
    assert first["family"] == "Distribution Agent: commit batches and streams"
    assert (first["used"], first["finished"]) == ("1", "3")
    assert browsed.first_key == row_key(key_of(runs[-1]))
    assert file_line(browsed.listed).endswith(f"· 2 sessions · {len(runs)} runs")


def test_a_run_whose_program_died_is_called_interrupted_unless_it_goes_on(path: Path) -> None:
    """The file still says "running"; only the run of this very moment does run."""
    listed = list_runs(path)
    open_runs = tuple(run._replace(status=RunStatus.RUNNING) for run in listed.runs)
    browsed = BrowsedRuns(replace(listed, runs=open_runs), (), running="S2")
    table = runs_table(browsed)
    place = [column.key for column in table.columns].index("status")
    states = {(run_of(row.key).session_id, row.cells[place].text) for row in table.rows}
    assert states == {("S2", "running"), (make_record().session_id, "interrupted")}
    assert len(runs_table(browsed, RunStatus.INTERRUPTED).rows) == sum(r.session_id != "S2" for r in open_runs)
    assert browse_runs(path, build_program(), is_running=True).running == "S2"


def _on_a_lab(path: Path, target: str = "lab:incident") -> None:
    """Write a session of a lab, whose clock shows 2026-01-05, into a file."""
    record, lab_utc = make_record(), datetime(2026, 1, 5, 8, 12, tzinfo=UTC)
    later_utc = record.created_utc + timedelta(days=2)
    runs = tuple(
        replace(
            run,
            target=target,
            started_utc=lab_utc,
            finished_utc=lab_utc + timedelta(hours=1),
            trials=tuple(replace(trial, started_utc=lab_utc, finished_utc=lab_utc) for trial in run.trials),
        )
        for run in record.runs
    )
    with create_session_file(path) as store:
        store.add_session(replace(record, session_id="LAB", title="On the lab", created_utc=later_utc, runs=runs))


@pytest.mark.parametrize("target", ["lab:incident", "lab@127.0.0.1:4433"])
def test_the_days_of_a_lab_stand_nowhere_beside_real_ones(path: Path, target: str) -> None:
    """Its runs began when their session did; its trials have a time of day of the lab's; the newest stays on top."""
    _on_a_lab(path, target)
    program = build_program()
    engagement = read_engagement(path)
    began_utc = engagement.sessions[0].overview.header.created_utc
    keys = [RunKey(session.session_id, "E1") for session in engagement.sessions]
    sides = [side for key in keys for side in read_sides(path, f"{key.session_id}/E1", Advisor(FAMILIES, ()))]
    for browsed in (browse_runs(path, program), browse_engagement(engagement, program)):
        newest = runs_table(browsed).rows[0]
        assert (run_of(newest.key).session_id, newest.cells[0].text) == ("LAB", local_time(began_utc))
        assert any(local_time(began_utc) in label for label in run_labels(browsed, keys))
    assert any(f"{began_utc:%Y-%m-%d}" in side.label for side in sides)
    texts = [
        *(cell.text for row in trials_table(list_trials(path, keys, LISTED)).rows for cell in row.cells),
        *(cell.text for row in sessions_table(engagement, {}).rows for cell in row.cells),
        *(choice.title for choice in comparables(engagement)),
        *(place.title for place in file_places(path)),
        *(side.label for side in sides),
        *(text for _name, text in _facts_of_a_trial(path)),
    ]
    assert not [text for text in texts if "2026-01-05" in text]
    assert "lab time 08:12" in texts


def _facts_of_a_trial(path: Path) -> tuple[tuple[str, str], ...]:
    with open_for_reading(path) as reader:
        session = reader.read_session("LAB")
    run = session.runs[0]
    key = trial_key(run.plan.family, run.trials[0].trial_id)
    found = trial_detail(session, key, Vocabulary(FAMILIES.values()))
    assert found is not None
    return found.facts


def test_one_state_can_be_shown_alone(browsed: BrowsedRuns) -> None:
    """Each state narrows the table down to its runs; together they are all."""
    counts = {status: len(runs_table(browsed, status).rows) for status, _title in status_titles()}
    assert counts.pop("") == sum(counts.values()) == len(browsed.listed.runs)


def test_every_trial_of_the_runs_chosen_has_a_row(path: Path) -> None:
    """Values with four digits, a dash where there is none, trials not used marked with their reason."""
    first = RunKey(make_record().session_id, "E1")
    (run,) = list_trials(path, [first], LISTED)
    used, unused, aborted = trials_table([run]).rows
    texts = [cell.text for cell in used.cells]
    assert texts[:5] == ["E1-T001", "PacketSize 4,096, SubscriptionStreams 2", "1", "exploring", "used"]
    assert texts[5:9] == ["217.3", "–", "–", "55.0"]
    assert unused.cells[4].emphasis is Emphasis.QUIET
    assert unused.cells[10].text == "the agent fell back to one stream"
    assert aborted.cells[5].value is None
    assert trial_of(used.key) == (first, "E1-T001")
    both = trials_table(list_trials(path, [first, RunKey("S2", "E1")], LISTED))
    assert len({row.key for row in both.rows}) == 6


def test_two_runs_stand_beside_each_other(path: Path, browsed: BrowsedRuns) -> None:
    """Means with their lowest and highest trial, of used trials only; runs of one name are told apart by their time."""
    keys = [RunKey(make_record().session_id, "E1"), RunKey("S2", "E1")]
    runs = list_trials(path, keys, LISTED)
    labels = run_labels(browsed, keys)
    assert all(label.startswith("E1, ") for label in labels)
    assert run_labels(browsed, keys[:1]) == ("E1",)
    first, second = (next(run for run in browsed.listed.runs if key_of(run) == key) for key in keys)
    same_time = second._replace(started_utc=first.started_utc)
    for runs_then in (
        (first, same_time._replace(status=RunStatus.FAILED)),
        (first, same_time._replace(status=first.status)),
    ):
        alike = replace(browsed, listed=replace(browsed.listed, runs=runs_then))
        assert len(set(run_labels(alike, keys))) == 2
    assert compared_metrics(runs) == (RUN_TIME,)
    spec = overlay_runs(RUN_TIME, tuple(zip(labels, runs, strict=True)))
    assert spec is not None
    assert [len(series.x) for series in spec.series] == [1, 1]
    assert spec.series[0].x[0] < spec.x_ticks[0][0] < spec.series[1].x[0]
    assert spec.series[0].low == spec.series[0].y == spec.series[0].high == (217.3,)
    assert spec.y_label == "Run time (s)"
    assert overlay_runs(THROUGHPUT, tuple(zip(labels, runs, strict=True))) is None


def test_time_series_of_two_trials_share_a_plot(path: Path) -> None:
    """The stream chosen is drawn for each trial that has it, values that are no numbers left out."""
    session = make_record().session_id
    first, second, none = read_time_series(
        path,
        [
            (RunKey(session, "E1"), "E1-T001"),
            (RunKey("S2", "E1"), "E1-T003"),
            (RunKey(session, "E9"), "E1-T001"),
        ],
    )
    assert none == ()
    assert stream_names([first, second]) == ("latency 0", "latency 1")
    odd = (*first, Sample("latency 0", 9.0, math.nan, "ms"))
    plot = overlay_plot("latency 0", [("E1-T001", odd), ("E1-T003", second)])
    assert plot is not None
    assert [series.label for series in plot.series] == ["E1-T001", "E1-T003"]
    assert plot.series[0].x == (0.0, 2.0)
    assert plot.y_label == "ms"
    assert overlay_plot("nothing", [("E1-T001", first)]) is None


def test_the_page_says_what_to_choose() -> None:
    """None, one, two and three runs or trials chosen."""
    assert "or two with Ctrl" in no_series_text(0)
    assert "No time series" in no_series_text(2)
    assert "or two with Ctrl" in no_runs_text(0)
    assert "can be used" in no_runs_text(2)
    for hint in (runs_hint, trials_hint):
        assert hint(0) == hint(2) == ""
        assert "second" in hint(1)
        assert "3 " in hint(3)


def test_every_state_has_its_word() -> None:
    """No status and no phase is without a word."""
    assert all(status_in_words(status) for status in TrialStatus)
    assert all(phase_in_words(phase) for phase in Phase)
