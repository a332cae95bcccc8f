"""What a run of the commit mode shows while it goes on: its own readings, and its own plot by setting."""

from dataclasses import replace
from pathlib import Path

import pytest

from app.domain.change import Change
from app.domain.events import RunEvent, TrialFinished
from app.domain.load import Load
from app.flows.plan.plan_form import plan_form
from app.flows.run.run_plot import plot_by_setting
from app.flows.run.run_state import RunState
from app.reporting.tables.changes import value_now
from app.services.run.run_job import JobEnded, JobOrder, RunJob
from app.services.workplace import Workplace
from tests.unit.flows.run_events import AT
from tests.unit.flows.sites import family, program
from tests.unit.flows.subjects import GROUPS, site_of


@pytest.fixture(scope="module")
def events(tmp_path_factory: pytest.TempPathFactory) -> list[RunEvent]:
    """Everything told by a small run of the commit mode on the lab."""
    folder: Path = tmp_path_factory.mktemp("run")
    plan = plan_form(family("commit_mode"), site_of("commit_mode", GROUPS)).to_plan()
    assert plan is not None
    small = Load.from_mapping({**plan.load, "inserts": (1, 100), "rows_total": 10_000})
    plan = replace(plan, load=small, design=replace(plan.design, blocks=2))
    told: list[RunEvent] = []
    ended: list[JobEnded] = []
    order = JobOrder(GROUPS, plan, family("commit_mode"), Workplace(folder), folder / "undo.journal")
    job = RunJob(order, program().parts.open_target, told.append, ended.append)
    job.start()
    job.join()
    assert ended[0].problem == ""
    return told


@pytest.fixture
def state(events: list[RunEvent]) -> RunState:
    """The state after all of them."""
    made = RunState(program().families)
    made.start(0.0)
    made.take(events, AT, 10.0)
    return made


def test_the_readings_of_the_subject_are_offered_as_they_are_named(state: RunState) -> None:
    """Commit delay first; queues, waits and processors beside it; no rate of agents."""
    streams = {stream.title: stream.unit for stream in state.series.streams}
    assert next(iter(streams)) == "Commit delay"
    assert streams["Log send queue"] == "MB"
    assert streams["HADR_SYNC_COMMIT waits"] == "share"
    assert "Delivered" not in streams
    assert state.series.curve("commit delay").x.size > 0


def test_each_trial_is_a_band_named_by_its_arm(state: RunState) -> None:
    """Mode and compression."""
    labels = {band.label for band in state.series.bands}
    assert labels == {"async × default", "sync × default", "sync × on"}
    assert state.compares_all


def test_the_plot_by_setting_is_the_familys_own_and_grows(state: RunState) -> None:
    """Every trial counts although none explores."""
    plot = state.by_setting()
    assert plot is not None
    assert plot.plot_id.endswith("/by-setting")
    assert len(plot.series) == 3
    assert state.plan is not None
    assert plot_by_setting(family("commit_mode"), state.plan, ()) is None


def test_an_arm_keeps_its_colour_while_others_are_measured(events: list[RunEvent]) -> None:
    """The first plot has the series of the last one, in the same order, some of them still without values."""
    early, late = RunState(program().families), RunState(program().families)
    ends = [place for place, event in enumerate(events) if isinstance(event, TrialFinished)]
    early.take(events[: ends[1] + 1], AT, 10.0)
    late.take(events, AT, 10.0)
    first, last = early.by_setting(), late.by_setting()
    assert first is not None
    assert last is not None
    assert [series.label for series in first.series] == [series.label for series in last.series]
    assert 0 < sum(bool(series.x) for series in first.series) < len(last.series)


def test_in_the_end_everything_is_put_back(state: RunState) -> None:
    """Test tables and trace flags were open, and are not any more."""
    assert state.changes == ()
    assert not state.is_changed


def test_an_apply_process_that_is_stopped_between_trials_is_told_as_that() -> None:
    """It runs while it is measured, so "stopped" alone would be wrong."""
    change = Change("apply_stopped", "apply STREAMS_APPLY", "running", "stopped", (), "", "")
    assert value_now(change) == "stopped between measurements"
