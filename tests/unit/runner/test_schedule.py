"""The schedule: blocks, races, confirmation, and going on after an interruption."""

from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from app.analysis.plan_settings import plan_settings
from app.domain import metrics
from app.domain.measurement import Measurement, TrialResult, TrialStatus
from app.domain.plan import Design, Factor, Phase, Plan, Stop, TrialSpec
from app.domain.setting import Costly, Parameter, SameAsDefault, Setting
from app.runner.schedule import Schedule

_NOW = datetime(2026, 1, 1, tzinfo=UTC)


def _plan(design: Design, levels: tuple[int, ...] = (1, 8, 16)) -> Plan:
    return Plan(
        "distribution_agent",
        (Factor("SubscriptionStreams", levels),),
        Setting.of(SubscriptionStreams=1),
        design=design,
    )


def _result(spec: TrialSpec, run_time_s: float, status: TrialStatus = TrialStatus.USED) -> TrialResult:
    measured = Measurement(
        "distribution_agent", spec.trial_id, spec.block, "run_time", run_time_s, "s", spec.setting, phase=spec.phase
    )
    return TrialResult(spec.trial_id, spec.block, spec.phase, spec.setting, status, (), (measured,), (), _NOW, _NOW)


def _play(plan: Plan, run_time_s: Callable[[TrialSpec], float]) -> list[TrialResult]:
    """Run the schedule to its end with made-up run times."""
    schedule, done = Schedule(plan, "E1", metrics.RUN_TIME), list[TrialResult]()
    while (spec := schedule.next_spec(done)) is not None:
        done.append(_result(spec, run_time_s(spec)))
        assert len(done) < 200, "the schedule does not end"
    return done


def _times(spec: TrialSpec) -> float:
    base = {1: 550.0, 2: 540.0, 4: 350.0, 8: 300.0, 16: 440.0}[int(spec.setting["SubscriptionStreams"])]
    return base * (1 + 0.004 * ((spec.order * 7) % 5 - 2))


def test_blocks_hold_every_setting_once_and_confirmation_only_two() -> None:
    """Three blocks of three settings, then the winner against the baseline in fresh blocks."""
    done = _play(_plan(Design(blocks=3, confirm_blocks=2)), _times)
    explored = [t for t in done if t.phase is Phase.EXPLORE]
    confirmed = [t for t in done if t.phase is Phase.CONFIRM]
    assert [t.block for t in explored] == [1, 1, 1, 2, 2, 2, 3, 3, 3]
    for block in (1, 2, 3):
        assert {t.setting["SubscriptionStreams"] for t in explored if t.block == block} == {1, 8, 16}
    assert [t.block for t in confirmed] == [4, 4, 5, 5]
    assert {t.setting["SubscriptionStreams"] for t in confirmed} == {1, 8}


def test_trial_ids_are_unique_and_in_order() -> None:
    """Every trial has an id of its own that sorts in the order it ran."""
    ids = [t.trial_id for t in _play(_plan(Design()), _times)]
    assert ids == sorted(set(ids))
    assert ids[0] == "E1-T001"


def test_no_confirmation_where_the_baseline_is_best() -> None:
    """Nothing is claimed against a baseline that nothing beat."""
    done = _play(_plan(Design(blocks=2)), lambda spec: 100.0 + int(spec.setting["SubscriptionStreams"]))
    assert all(t.phase is Phase.EXPLORE for t in done)


def test_baseline_outside_the_levels_runs_in_every_block() -> None:
    """The value in effect is measured too, whether or not the plan lists it."""
    plan = Plan(
        "distribution_agent",
        (Factor("SubscriptionStreams", (8, 16)),),
        Setting.of(SubscriptionStreams=2),
        design=Design(blocks=2, confirm_blocks=0, further_blocks=0),
    )
    done = _play(plan, _times)
    for block in (1, 2):
        assert Setting.of(SubscriptionStreams=2) in {t.setting for t in done if t.block == block}


def test_race_drops_what_is_clearly_worse() -> None:
    """Racing needs fewer trials than the full design where one level is clearly best."""
    plan = _plan(Design(stop=Stop.RACE, blocks=6, confirm_blocks=0, further_blocks=0, noise_cv=0.01), (1, 2, 4, 8, 16))
    done = _play(plan, _times)
    assert len(done) < 6 * 5
    assert Schedule(plan, "E1", metrics.RUN_TIME).winner(done) == Setting.of(SubscriptionStreams=8)


@pytest.mark.parametrize("stop", list(Stop))
def test_interrupted_run_goes_on_with_the_same_trials(stop: Stop) -> None:
    """Whatever trial the interruption came after, the rest is what it would have been."""
    plan = _plan(Design(stop=stop, blocks=3, confirm_blocks=2, noise_cv=0.02))
    whole = _play(plan, _times)
    for finished in range(len(whole) + 1):
        spec = Schedule(plan, "E1", metrics.RUN_TIME).next_spec(whole[:finished])
        expected = whole[finished] if finished < len(whole) else None
        assert (spec and (spec.trial_id, spec.setting, spec.block)) == (
            expected and (expected.trial_id, expected.setting, expected.block)
        )


def test_trial_that_failed_its_checks_is_not_repeated_and_not_used() -> None:
    """A trial that cannot be used stays in the record and does not decide the winner."""
    plan = _plan(Design(blocks=2, confirm_blocks=0, further_blocks=0))
    schedule, done = Schedule(plan, "E1", metrics.RUN_TIME), list[TrialResult]()
    while (spec := schedule.next_spec(done)) is not None:
        failed = spec.setting == Setting.of(SubscriptionStreams=8)
        done.append(_result(spec, _times(spec), TrialStatus.NOT_USED if failed else TrialStatus.USED))
    assert len(done) == 6
    assert schedule.winner(done) == Setting.of(SubscriptionStreams=16)


def test_planned_trials_is_what_runs() -> None:
    """The number shown at the end of exploring is the number that really runs."""
    plan = _plan(Design(blocks=3, confirm_blocks=2))
    done = _play(plan, _times)
    schedule = Schedule(plan, "E1", metrics.RUN_TIME)
    assert schedule.planned_trials([]) == len(done)
    assert schedule.planned_trials(done) == len(done)


def test_two_factors_are_crossed() -> None:
    """A plan with two factors runs the whole grid."""
    plan = Plan(
        "distribution_agent",
        (Factor("CommitBatchSize", (100, 200)), Factor("SubscriptionStreams", (1, 8))),
        Setting.of(CommitBatchSize=100, SubscriptionStreams=1),
    )
    assert len(plan_settings(plan)) == 4


STREAMS = Parameter("SubscriptionStreams", "", 1, 1, 64, (1, 8), "help", "source", costly=Costly.HIGHER)


def _play_declared(
    times: dict[int, float], design: Design, scatter: float = 0.006
) -> tuple[Schedule, list[TrialResult]]:
    """Run a schedule whose parameter declares that more of it costs, with noise of up to twice the scatter."""
    schedule, done = Schedule(_plan(design, tuple(times)), "E1", metrics.RUN_TIME, (STREAMS,)), list[TrialResult]()
    while (spec := schedule.next_spec(done)) is not None:
        noise = 1 + scatter * ((spec.order * 7) % 5 - 2)
        done.append(_result(spec, times[int(spec.setting["SubscriptionStreams"])] * noise))
        assert len(done) < 200, "the schedule does not end"
    return schedule, done


def test_of_levels_that_do_equally_well_the_simplest_is_confirmed() -> None:
    """16 streams are 1 % faster than 4: blocks of those in question settle it, and 4 runs against the baseline."""
    schedule, done = _play_declared({1: 550.0, 4: 302.0, 16: 299.0}, Design())
    assert schedule.winner(done) == Setting.of(SubscriptionStreams=4)
    assert {t.setting["SubscriptionStreams"] for t in done if t.phase is Phase.CONFIRM} == {1, 4}
    settling = {t.setting["SubscriptionStreams"] for t in done if t.phase is Phase.EXPLORE and t.block > 3}
    assert settling <= {4, 16}
    for finished in range(len(done) + 1):
        spec = schedule.next_spec(done[:finished])
        expected = done[finished] if finished < len(done) else None
        assert (spec and (spec.block, spec.setting)) == (expected and (expected.block, expected.setting))


@pytest.mark.parametrize("scatter", [0.035, 0.06])
def test_no_block_is_run_that_the_noise_makes_useless(scatter: float) -> None:
    """16 streams 5 % faster, six or ten times the noise: five further blocks would hardly settle it, so none is run."""
    schedule, done = _play_declared({1: 550.0, 4: 315.0, 16: 299.0}, Design(), scatter=scatter)
    assert [t.block for t in done if t.phase is Phase.EXPLORE] == [1] * 3 + [2] * 3 + [3] * 3
    winner = schedule.winner(done)
    assert winner is not None
    assert {t.setting for t in done if t.phase is Phase.CONFIRM} == {Setting.of(SubscriptionStreams=1), winner}


def test_a_change_that_gains_nothing_is_not_made() -> None:
    """A level 1 % better than the baseline is not worth more connections: nothing is confirmed."""
    _schedule, done = _play_declared({1: 300.0, 4: 297.0, 16: 299.0}, Design())
    assert all(t.phase is Phase.EXPLORE for t in done)


def test_what_began_to_be_confirmed_stays() -> None:
    """A run begun by another rule goes on with the setting it was confirming, and explores no more."""
    times = {1: 550.0, 8: 302.0, 16: 299.0}
    done = _play(_plan(Design(further_blocks=0)), lambda spec: times[int(spec.setting["SubscriptionStreams"])])
    begun = done[:11]
    schedule = Schedule(_plan(Design()), "E1", metrics.RUN_TIME, (STREAMS,))
    spec = schedule.next_spec(begun)
    assert schedule.winner(begun) == Setting.of(SubscriptionStreams=16)
    assert spec is not None
    assert (spec.phase, spec.block) == (Phase.CONFIRM, 5)


MODE = Parameter("mode", "", "async", None, None, ("async", "sync"), "help", "source", ("alone", "async", "sync"))
PACKED = Parameter(
    "packed",
    "",
    "default",
    None,
    None,
    ("default", "on"),
    "help",
    "source",
    ("default", "off", "on"),
    same_as_default=(SameAsDefault("mode", "alone"), SameAsDefault("mode", "async", ("on",))),
)


def _named_plan() -> Plan:
    return Plan(
        "commit_mode",
        (Factor("mode", ("alone", "async", "sync")), Factor("packed", ("off", "on"))),
        Setting.of(mode="async", packed="on"),
        design=Design(blocks=2, confirm_blocks=3),
    )


def test_settings_that_do_the_same_are_one() -> None:
    """A value that makes no difference beside another parameter's value counts as the default."""
    assert set(plan_settings(_named_plan(), (MODE, PACKED))) == {
        Setting.of(mode="alone", packed="default"),
        Setting.of(mode="async", packed="off"),
        Setting.of(mode="async", packed="default"),
        Setting.of(mode="sync", packed="off"),
        Setting.of(mode="sync", packed="on"),
    }
    assert len(plan_settings(_named_plan())) == 6


def test_where_all_is_compared_every_block_holds_every_setting_as_a_confirmation() -> None:
    """No winner is picked, so nothing is explored first and nothing is confirmed afterwards."""
    plan, done = _named_plan(), list[TrialResult]()
    schedule = Schedule(plan, "E1", metrics.RUN_TIME, (MODE, PACKED), compares_all=True)
    assert schedule.planned_trials(done) == 10
    while (spec := schedule.next_spec(done)) is not None:
        done.append(_result(spec, 100.0 + spec.order))
    assert [(t.block, t.phase) for t in done] == [(1, Phase.CONFIRM)] * 5 + [(2, Phase.CONFIRM)] * 5
    for block in (1, 2):
        assert {t.setting for t in done if t.block == block} == set(plan_settings(plan, (MODE, PACKED)))
    assert schedule.planned_trials(done) == 10
    assert schedule.reason(done) == "complete; 10 of 10 trials can be used"
    for finished in range(len(done)):
        spec = schedule.next_spec(done[:finished])
        assert spec is not None
        assert (spec.trial_id, spec.setting) == (done[finished].trial_id, done[finished].setting)


@pytest.mark.parametrize("confirm_blocks", [0, 2])
@pytest.mark.parametrize("simplest", [8, 16])
def test_how_a_run_ended_is_told_as_it_was(simplest: int, confirm_blocks: int) -> None:
    """A simpler setting did not do best, and without confirming trials nothing ran again."""
    plan, done = _plan(Design(blocks=3, confirm_blocks=confirm_blocks)), list[TrialResult]()
    streams = Parameter("SubscriptionStreams", "count", 1, 1, 64, (1, 8, 16), "help", "source", costly=Costly.HIGHER)
    schedule = Schedule(plan, "E1", metrics.RUN_TIME, (streams,))
    while (spec := schedule.next_spec(done)) is not None:
        level = int(spec.setting["SubscriptionStreams"])
        done.append(_result(spec, {1: 550.0, 8: 300.0 if simplest == 8 else 350.0, 16: 298.0}[level] + spec.block))
    told = {
        (
            8,
            2,
        ): "SubscriptionStreams 8, the simplest not worse than SubscriptionStreams 16, ran against the baseline again",
        (8, 0): "SubscriptionStreams 8 is the simplest not worse than SubscriptionStreams 16; nothing was confirmed",
        (16, 2): "SubscriptionStreams 16 did best and ran against the baseline again",
        (16, 0): "SubscriptionStreams 16 did best in the exploring trials; nothing was confirmed",
    }
    assert schedule.reason(done) == f"complete; {told[simplest, confirm_blocks]}"
