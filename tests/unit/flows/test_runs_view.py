"""The browser of runs: the table of trials, and two of them over each other."""

import math
from pathlib import Path

import pytest

from app.bootstrap import build_program
from app.domain.measurement import Sample, TrialStatus
from app.domain.plan import Phase
from app.flows.runs_view import (
    BrowsedRuns,
    browse_runs,
    overlay_hint,
    overlay_missing,
    overlay_plot,
    phase_in_words,
    runs_table,
    session_line,
    status_in_words,
    status_titles,
    stream_names,
    trial_of,
)
from app.flows.table_view import Emphasis
from app.services.past_sessions import read_time_series
from app.store import create_session_file
from tests.store.sample import make_record


@pytest.fixture
def browsed(tmp_path: Path) -> BrowsedRuns:
    """The sample session as it is browsed."""
    path = tmp_path / "s.replitune"
    with create_session_file(path) as store:
        store.add_session(make_record())
    return browse_runs(path, None, build_program())


def test_every_trial_has_a_row(browsed: BrowsedRuns) -> None:
    """Values with four digits, a dash where there is none, trials not used marked with their reason."""
    used, unused, aborted = browsed.table.rows
    texts = [cell.text for cell in used.cells]
    assert texts[0] == "E1-T001"
    assert texts[1] == "Distribution Agent: commit batches and streams"
    assert texts[2:6] == ["PacketSize 4096, SubscriptionStreams 2", "1", "exploring", "used"]
    assert texts[6:10] == ["217.3", "–", "–", "55.0"]
    assert unused.cells[5].emphasis is Emphasis.QUIET
    assert unused.cells[11].text == "the agent fell back to one stream"
    assert aborted.cells[6].value is None
    assert trial_of(used.key) == ("E1", "E1-T001")
    assert session_line(browsed.listed).endswith("· 3 trials")


def test_one_status_can_be_shown_alone(browsed: BrowsedRuns) -> None:
    """Each status narrows the table down to its trials."""
    for status, _title in status_titles():
        rows = runs_table(browsed.listed, {}, status).rows
        assert len(rows) == (1 if status else 3)


def test_time_series_of_two_trials_share_a_plot(browsed: BrowsedRuns) -> None:
    """The stream chosen is drawn for each trial that has it, values that are no numbers left out."""
    session = browsed.listed.session
    first, second, none = read_time_series(
        session.path, session.session_id, [("E1", "E1-T001"), ("E1", "E1-T003"), ("E9", "E1-T001")]
    )
    assert none == ()
    assert stream_names([first, second]) == ("latency 0", "latency 1")
    odd = (*first, Sample("latency 0", 9.0, math.nan, "ms"))
    plot = overlay_plot("latency 0", [("E1-T001", odd), ("E1-T003", second)])
    assert plot is not None
    assert [series.label for series in plot.series] == ["E1-T001", "E1-T003"]
    assert plot.series[0].x == (0.0, 2.0)
    assert plot.y_label == "latency 0 (ms)"
    assert overlay_plot("nothing", [("E1-T001", first)]) is None


def test_the_page_says_what_to_choose() -> None:
    """None, one, two and three trials chosen."""
    assert "or two with Ctrl" in overlay_missing(0)
    assert "No time series" in overlay_missing(2)
    assert overlay_hint(0) == overlay_hint(2) == ""
    assert "second one" in overlay_hint(1)
    assert "3 trials" in overlay_hint(3)


def test_every_state_has_its_word() -> None:
    """No status and no phase is without a word."""
    assert all(status_in_words(status) for status in TrialStatus)
    assert all(phase_in_words(phase) for phase in Phase)
