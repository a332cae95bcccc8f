"""A run guided by a model, on the lab: what it predicts is shown as predicted while it runs."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from app.analysis.response.exploring import Advice, Prediction
from app.analysis.response.guided import departed
from app.bootstrap import build_program, load_families
from app.domain.events import Predicted, RunEvent, TrialFinished
from app.domain.measurement import Measurement, TrialResult, TrialStatus
from app.domain.metrics import RUN_TIME
from app.domain.plan import Phase, Stop
from app.domain.plot import Mark
from app.domain.setting import Setting
from app.flows.run.run_state import RunState
from app.services.run.run_job import JobEnded, JobOrder, RunJob
from app.services.workplace import Workplace
from tests.ui.sessions import small_plan


def _events(folder: Path) -> list[RunEvent]:
    program, ended, events = build_program(), list[JobEnded](), list[RunEvent]()
    plan = small_plan(levels=(1, 2, 4, 8))
    plan = replace(plan, design=replace(plan.design, stop=Stop.MODEL))
    order = JobOrder("lab", plan, program.families[plan.family], Workplace(folder), folder / "undo.journal")
    job = RunJob(order, program.parts.open_target, events.append, ended.append)
    job.start()
    job.join()
    assert ended[0].problem == ""
    return events


def test_predictions_follow_each_exploring_trial(tmp_path: Path) -> None:
    """The plot is dashed with a band and says that nothing of it is measured; confirming trials take its place."""
    events = _events(tmp_path)
    state = RunState(load_families())
    state.start(0.0)
    shown = []
    for number, event in enumerate(events):
        state.take([event], datetime(2026, 3, 4, tzinfo=UTC), float(number))
        if isinstance(event, Predicted):
            plot = state.by_setting()
            assert plot is event.plot
            assert "not measured" in plot.title
            assert next(series for series in plot.series if series.mark is Mark.BAND).is_dashed
            shown.append(event)
    explored = [e for e in events if isinstance(e, TrialFinished) and e.trial.phase is Phase.EXPLORE]
    assert len(shown) == len(explored) < len(events)
    assert "The model picks" in shown[-1].sentence
    after = state.by_setting()
    assert after is not None
    assert after is not shown[-1].plot
    assert any(shown[-1].sentence in line.text for line in state.log.since(0))


def _confirmed(value: float, number: int) -> TrialResult:
    at = datetime(2026, 3, 4, tzinfo=UTC)
    measured = Measurement("distribution_agent", "E1", number, "run_time", value, "s", _PICK, phase=Phase.CONFIRM)
    return TrialResult(f"E1-T{number:03d}", number, Phase.CONFIRM, _PICK, TrialStatus.USED, (), (measured,), (), at, at)


_PICK = Setting.of(SubscriptionStreams=8)


@pytest.mark.parametrize(("values", "is_told"), [((96, 103, 99), False), ((131, 128, 130), True), ((131,), False)])
def test_confirming_trials_outside_the_band_are_told(values: tuple[float, ...], is_told: bool) -> None:
    """One alone says nothing; several that agree with each other and not with the model do."""
    advice = Advice(None, _PICK, 0.9, predictions=(Prediction(_PICK, 90.0, 100.0, 110.0, is_tried=True, right=0.9),))
    left = departed(advice, [_confirmed(value, number) for number, value in enumerate(values, 1)], RUN_TIME)
    assert (left is not None) is is_told
