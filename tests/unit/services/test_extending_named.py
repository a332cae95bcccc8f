"""A run that compares everything in each block goes on once, where some of it is open, and is judged for two looks."""

from dataclasses import replace

import pytest

from app.analysis.comparing.evidence import compared
from app.analysis.comparing.experiment import experiment_of
from app.bootstrap import load_families
from app.domain.comparison import Comparison
from app.domain.events import RunStatus
from app.domain.session import RunRecord
from app.runner.schedule import schedule_of
from app.services.run.extending import extension_of
from tests.prove.noise_worlds import NOW
from tests.unit.services.test_cautions import commit_run

FAMILY = load_families()["commit_mode"]


def _record(scatter: float, blocks: int = 3) -> RunRecord:
    measured = commit_run(scatter, blocks)
    return RunRecord("E1", measured.plan, "lab", RunStatus.SUCCEEDED, "", NOW, NOW, measured.trials)


def _comparisons(record: RunRecord) -> tuple[Comparison, ...]:
    experiment = experiment_of(replace(commit_run(0.1), plan=record.plan, trials=record.trials))
    assert experiment is not None
    return compared(experiment).evidence.comparisons


def test_it_goes_on_with_blocks_of_every_setting() -> None:
    """The next trial is the first of the fourth block; it has as many trials at most as its blocks have."""
    record = _record(0.12)
    extension = extension_of(record, FAMILY)
    assert (extension.reason, extension.least_blocks) == ("", extension.plan.design.blocks)
    assert extension.blocks_left == extension.plan.design.blocks - 3 > 0
    schedule = schedule_of(extension.plan, "E1", FAMILY, extension.least_blocks)
    following = schedule.next_spec(record.trials)
    assert following is not None
    assert following.block == 4
    assert (
        schedule.most_trials(record.trials)
        == schedule.planned_trials(record.trials)
        == 3 * extension.plan.design.blocks
    )
    assert schedule_of(record.plan, "E1", FAMILY).next_spec(record.trials) is None


def test_the_second_look_is_the_last_and_pays_for_the_first() -> None:
    """Its intervals hold together in 99 of 100 sessions; where something stays open a new run is needed."""
    record = _record(0.12)
    extended = replace(record, plan=replace(record.plan, design=record.plan.design.extended_to(3)))
    for once, twice in zip(_comparisons(record), _comparisons(extended), strict=True):
        assert twice.ratio == once.ratio
        assert (twice.low < once.low, twice.high > once.high) == (True, True)
    assert "no further look" in extension_of(extended, FAMILY).reason


@pytest.mark.parametrize(("scatter", "reason"), [(0.002, "settled"), (1.0, "too large for 30 blocks")])
def test_it_does_not_where_nothing_is_open_or_nothing_would_settle_it(scatter: float, reason: str) -> None:
    """And says which of the two it is."""
    extension = extension_of(_record(scatter), FAMILY)
    assert not extension.blocks_left
    assert reason in extension.reason
