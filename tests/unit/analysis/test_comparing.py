"""The policy as data: which settings are asked about against which, with which noise and confidence."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import pytest

from app.analysis.compare import Against, AgainstBest
from app.analysis.comparing.evidence import compared
from app.analysis.comparing.experiment import (
    Declared,
    Experiment,
    MainMeasure,
    MeasuredElsewhere,
    MeasuredRun,
    experiments_of,
)
from app.analysis.comparing.policy import NamedPairs, asked_of
from app.domain import metrics
from app.domain.comparison import Verdict
from app.domain.measurement import Measurement, Metric, TrialStatus
from app.domain.plan import Design, Phase, Stop
from app.domain.setting import Parameter, SameAsDefault, Setting
from app.systems.transactional_replication import metrics as agent_metrics
from tests.unit.analysis.observing import plan_of, setting, spec_of, trial_of, trials_of

MODE = Parameter("mode", "", "plain", None, None, ("plain", "packed"), "", "", choices=("plain", "packed"))
LEVEL = Parameter(
    "level", "count", 1, 1, 9, (1, 9), "", "", same_as_default=(SameAsDefault(other="mode", value="plain"),)
)
PICKS = Declared(
    family_id="toy",
    parameters=(LEVEL,),
    metrics=(),
    main_metrics=(metrics.THROUGHPUT, metrics.RUN_TIME),
    stand_in_metrics=(agent_metrics.LONGEST_GAP, agent_metrics.TOKEN_TO_SUBSCRIBER),
    backlog_elsewhere=None,
    compares_all=False,
    swept=frozenset(),
    may_forecast=lambda _p, _c: True,
    own_backlog=lambda _p, _s: None,
)
NAMES = replace(
    PICKS, parameters=(MODE, LEVEL), main_metrics=(metrics.RUN_TIME,), compares_all=True, swept=frozenset({"rows"})
)
PLAN = plan_of("toy", level=(1, 9))
SWEEP = {1: (10.0, 10.2, 9.9), 9: (5.0, 5.1, 4.9)}
NOTHING_ELSEWHERE = MeasuredElsewhere({"toy": PICKS}, (), (), None)


def own(
    explored: Mapping[int, Sequence[float]], confirmed: Mapping[int, Sequence[float]], **design: object
) -> Experiment:
    """Return the experiment of a run over one parameter; `design` changes the plan's."""
    rows = [(setting(level=n), Phase.EXPLORE, values) for n, values in explored.items()]
    rows += [(setting(level=n), Phase.CONFIRM, values) for n, values in confirmed.items()]
    plan = replace(PLAN, design=Design(**design))  # type: ignore[arg-type]  # callers name what it takes
    trials = trials_of(metrics.RUN_TIME, rows, family="toy")
    [made] = experiments_of([MeasuredRun(PICKS, metrics.RUN_TIME, plan, tuple(trials), None)], NOTHING_ELSEWHERE)
    return made


def taken(
    values: Mapping[Setting, float], metric: Metric = metrics.RUN_TIME, phase: Phase = Phase.EXPLORE, **conditions: int
) -> tuple[Measurement, ...]:
    """Return one value for each setting, made elsewhere in one block."""
    held = Setting.of(**conditions)
    return tuple(
        Measurement("toy", f"R{n}", 1, metric.name, value, metric.unit, measured, held, phase)
        for n, (measured, value) in enumerate(values.items())
    )


def elsewhere(
    family: Declared,
    named: Iterable[Measurement] = (),
    picked: Iterable[tuple[Measurement, ...]] = (),
    noise_cv: float | None = None,
) -> tuple[Experiment, ...]:
    """Return the experiments of measurements made elsewhere."""
    return experiments_of((), MeasuredElsewhere({"toy": family}, tuple(named), tuple(picked), noise_cv))


def test_a_run_that_picks_a_winner_asks_twice_and_pools_noise_not_means() -> None:
    """Exploring trials against the baseline, then the confirming ones alone, which borrow the residual only."""
    experiment = own(SWEEP, {1: (10.0, 10.1), 9: (6.0, 6.1)})
    exploring, confirming = asked_of(experiment, experiment.main[0])
    assert exploring.which == confirming.which == Against(setting(level=1))
    assert ({m.phase for m in exploring.measurements}, exploring.exploring) == ({Phase.EXPLORE}, ())
    assert ({m.phase for m in confirming.measurements}, confirming.exploring) == (
        {Phase.CONFIRM},
        exploring.measurements,
    )
    assert [c.phase for c in compared(experiment).evidence.comparisons] == [Phase.EXPLORE, Phase.CONFIRM]


def test_a_race_shares_its_error_over_its_looks_and_its_confirmation_does_not() -> None:
    """Four looks at most: each has a quarter of the error; fresh trials are looked at once."""
    experiment = own(SWEEP, {1: (10.0,), 9: (6.0,)}, stop=Stop.RACE, blocks=4)
    assert [asked.confidence for asked in asked_of(experiment, experiment.main[0])] == pytest.approx([0.9875, 0.95])


@pytest.mark.parametrize(("is_extended", "confidence"), [(False, 0.95), (True, 0.99)])
def test_the_second_look_at_comparisons_named_before_is_stricter(is_extended: bool, confidence: float) -> None:
    """Both looks together err in at most 6 % of the runs that are extended."""
    plan = plan_of("toy", mode=("plain", "packed"), level=(1, 9))  # type: ignore[arg-type]  # levels may be words
    design = Design(blocks=2)
    plan = replace(plan, design=design.extended_to(4) if is_extended else design)
    rows = [(setting(mode=mode, level=1), Phase.CONFIRM, (10.0, 10.1)) for mode in ("plain", "packed")]
    trials = trials_of(metrics.RUN_TIME, rows, family="toy")
    [made] = experiments_of([MeasuredRun(NAMES, metrics.RUN_TIME, plan, trials, None)], NOTHING_ELSEWHERE)
    [asked] = asked_of(made, made.main[0])
    assert asked.confidence == confidence


@pytest.mark.parametrize("metric", [metrics.RUN_TIME, replace(metrics.RUN_TIME, step=0.5)])
def test_a_run_is_measured_with_its_clock(metric: Metric) -> None:
    """Values that happen to be whole are none of a coarser clock; elsewhere nothing else tells of it."""
    rows = [(setting(level=n), Phase.EXPLORE, (10.0, 20.0)) for n in (1, 9)]
    trials = trials_of(metric, rows, family="toy")
    [made] = experiments_of([MeasuredRun(PICKS, metric, PLAN, trials, None)], NOTHING_ELSEWHERE)
    assert {asked.step for asked in asked_of(made, made.main[0])} == {metric.step}
    [typed] = elsewhere(PICKS, picked=[taken({setting(level=1): 10.0, setting(level=9): 20.0})])
    assert [asked.step for asked in asked_of(typed, typed.main[0])] == [10.0]


def test_without_its_baseline_a_run_asks_nothing_and_is_an_experiment_still() -> None:
    """Its trials may say why they could not be used."""
    experiment = own({9: (5.0, 5.1)}, {})
    assert asked_of(experiment, experiment.main[0]) == ()
    assert compared(experiment).evidence.measurements == experiment.measurements


def test_a_run_without_any_measured_trial_is_no_experiment() -> None:
    """Nothing measured, nothing to say; trials that were measured and not used are something."""
    aborted = trial_of(spec_of(setting(level=1)), {}, status=TrialStatus.ABORTED)
    assert experiments_of([MeasuredRun(PICKS, metrics.RUN_TIME, PLAN, (aborted,), None)], NOTHING_ELSEWHERE) == ()
    unused = trial_of(spec_of(setting(level=1)), {metrics.RUN_TIME: 1.0}, status=TrialStatus.NOT_USED)
    [made] = experiments_of([MeasuredRun(PICKS, metrics.RUN_TIME, PLAN, (unused,), None)], NOTHING_ELSEWHERE)
    assert (made.measurements, made.trials) == ((), (unused,))


def test_elsewhere_the_best_is_picked_and_further_main_metrics_stand_beside() -> None:
    """Claims are about the first of the family's main metrics, in its order; the others are compared as well."""
    slow = taken({setting(level=1): 10.01, setting(level=9): 5.02})
    rates = taken({setting(level=1): 100.1, setting(level=9): 200.2}, metrics.THROUGHPUT)
    [experiment] = elsewhere(PICKS, picked=[slow, rates], noise_cv=0.03)
    [asked] = asked_of(experiment, experiment.main[0])
    assert (asked.which, asked.metric, asked.noise_cv) == (AgainstBest(), metrics.THROUGHPUT, 0.03)
    made = compared(experiment)
    assert [c.metric for c in made.evidence.comparisons] == ["throughput"]
    assert [c.metric for c in made.evidence.beside] == ["run_time"]
    assert {c.verdict for c in (*made.evidence.comparisons, *made.evidence.beside)} == {Verdict.IMPROVEMENT}
    assert made.evidence.measurements == (*slow, *rates)


@pytest.mark.parametrize(("also_timed", "told_of"), [(9, 9), (5, 1)])
def test_a_further_measure_tells_of_the_setting_the_first_picked_where_it_was_taken_there(
    also_timed: int, told_of: int
) -> None:
    """What is recommended for its rate is told with its run time, though another did better; else the best is."""
    rates = taken({setting(level=1): 100.0, setting(level=9): 200.0}, metrics.THROUGHPUT)
    times = taken({setting(level=1): 5.0, setting(level=also_timed): 10.0})
    [experiment] = elsewhere(PICKS, picked=[rates, times], noise_cv=0.03)
    made = compared(experiment)
    assert [c.candidate for c in made.evidence.comparisons] == [setting(level=9)]
    assert [c.candidate for c in made.evidence.beside] == [setting(level=told_of)]


@pytest.mark.parametrize("family", [PICKS, NAMES], ids=["picked", "named"])
def test_elsewhere_what_stands_in_for_a_main_metric_is_judged_where_there_is_none(family: Declared) -> None:
    """Beside a main metric it only explains; by itself it carries the claim, the further ones stand beside it."""
    values = {setting(level=1, mode="packed"): 10.01, setting(level=9, mode="packed"): 5.02}
    tokens, gaps = taken(values, agent_metrics.TOKEN_TO_SUBSCRIBER), taken(values, agent_metrics.LONGEST_GAP)
    told = {
        metrics.RUN_TIME.name: (taken(values), tokens, gaps),
        agent_metrics.LONGEST_GAP.name: (tokens, gaps),
        agent_metrics.TOKEN_TO_SUBSCRIBER.name: (tokens,),
    }
    for first, parts in told.items():
        every = tuple(m for part in parts for m in part)
        [made] = elsewhere(family, named=every) if family is NAMES else elsewhere(family, picked=parts)
        (claimed,) = compared(made).evidence.comparisons
        assert (claimed.metric, claimed.candidate["level"]) == (first, 9)
        beside = {c.metric for c in compared(made).evidence.beside}
        assert beside == ({m[0].metric for m in parts} - {first} if first != metrics.RUN_TIME.name else set())


def test_elsewhere_conditions_part_experiments_and_no_main_metric_makes_none() -> None:
    """Only values measured under equal conditions are compared; what explains nothing is left out."""
    values = {setting(level=1): 10.0, setting(level=9): 5.0}
    parts = [taken(values, rtt_ms=10), taken(values, rtt_ms=300), taken(values, agent_metrics.LATENCY, rtt_ms=999)]
    assert [e.conditions for e in elsewhere(PICKS, picked=parts)] == [Setting.of(rtt_ms=10), Setting.of(rtt_ms=300)]


def test_where_all_is_named_settings_that_do_the_same_are_one_and_places_count_together() -> None:
    """The level makes no difference in plain mode; rows are swept, so both shapes are one experiment."""
    values = {
        setting(mode="plain", level=9): 10.0,
        setting(mode="packed", level=1): 6.0,
        setting(mode="packed", level=9): 5.0,
    }
    [experiment] = elsewhere(NAMES, named=(*taken(values, rows=1), *taken(values, rows=100)), noise_cv=0.03)
    assert experiment.conditions == Setting()
    plain, low, high = (setting(mode=mode, level=n) for mode, n in (("plain", 1), ("packed", 1), ("packed", 9)))
    [asked] = asked_of(experiment, experiment.main[0])
    assert asked.which == NamedPairs(((plain, low), (plain, high), (low, high)), frozenset({"rows"}))
    made = compared(experiment).evidence.comparisons
    assert [(c.conditions["rows"], c.candidate) for c in made] == [
        (rows, candidate) for rows in (1, 100) for candidate in (low, high, high)
    ]


def test_a_measure_that_was_not_taken_is_not_asked_about() -> None:
    """A plan's own metric may be missing in every trial that was used."""
    experiment = replace(own(SWEEP, {}), main=(MainMeasure(metrics.THROUGHPUT, ()),))
    assert asked_of(experiment, experiment.main[0]) == ()
    assert asked_of(replace(experiment, family=NAMES), experiment.main[0]) == ()
    assert compared(experiment).evidence.comparisons == ()
