"""How finely values were written down."""

import pytest

from app.analysis.comparing.evidence import compared
from app.analysis.comparing.experiment import Declared, MeasuredRun, experiment_of
from app.analysis.resolution import step_of
from app.bootstrap import load_families
from app.domain.comparison import Verdict
from app.domain.measurement import Measurement, TrialResult, TrialStatus
from app.domain.plan import Design, Factor, Phase, Plan
from app.domain.setting import Setting
from tests.prove.noise_worlds import NOW


@pytest.mark.parametrize(
    ("values", "step"),
    [
        ((7.0, 8.0), 1.0),
        ((199.08, 186.15, 163.8), 0.01),
        ((1_000.0, 25_000.0), 1_000.0),
        ((1_000.0, 0.0), 1_000.0),
        ((), 0.0),
        ((1e308,), 1e308),
        ((100.0, 100.0, 100.0), 1.0),
        ((7.0, 7.0), 1.0),
        ((20_000.0, 20_000.0), 100.0),
    ],
)
def test_the_last_digit_counts(values: tuple[float, ...], step: float) -> None:
    """The finest digit of all values is the step."""
    assert step_of(values) == pytest.approx(step)


def test_a_computed_number_has_no_step() -> None:
    """A third is written with all its digits, far finer than any noise."""
    assert step_of([100 / 3]) < 1e-12


@pytest.mark.parametrize(("behind_s", "verdict"), [(0.6, Verdict.CANNOT_TELL), (3.0, Verdict.IMPROVEMENT)])
def test_a_difference_below_the_step_of_a_run_time_is_not_claimed(behind_s: float, verdict: Verdict) -> None:
    """A pipeline is read once a second: 0.6 s less of 10 s, the same in every pair, may be no time at all."""
    family = load_families()["streams_apply"]
    factor = Factor("PARALLELISM", (1, 4))
    plan = Plan("streams_apply", (factor,), Setting.of(PARALLELISM=1), design=Design())
    metric = family.main_metric(plan)
    trials = []
    for number in range(16):
        block, setting = 1 + number // 2, Setting.of(PARALLELISM=factor.levels[number % 2])
        phase = Phase.EXPLORE if block < 4 else Phase.CONFIRM
        value_s = 10.0 + 0.01 * (block % 3) - behind_s * (number % 2)
        at = f"T{number}"
        measured = Measurement("streams_apply", at, block, metric.name, value_s, metric.unit, setting, phase=phase)
        trials.append(TrialResult(at, block, phase, setting, TrialStatus.USED, (), (measured,), (), NOW, NOW))
    experiment = experiment_of(MeasuredRun(Declared.by(family), metric, plan, tuple(trials), None))
    assert experiment is not None
    (confirmed,) = (c for c in compared(experiment).evidence.comparisons if c.phase is Phase.CONFIRM)
    assert confirmed.verdict is verdict
