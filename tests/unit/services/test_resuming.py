"""What a run that broke off goes on with."""

from dataclasses import replace

from app.domain.events import RunStatus
from app.domain.measurement import TrialResult, TrialStatus
from app.domain.plan import Design, Factor, Phase, Plan
from app.domain.session import RunRecord
from app.runner.schedule import Schedule
from app.services.run.resuming import begun_blocks, without_unusable
from app.systems.transactional_replication.metrics import RUN_TIME
from tests.prove.noise_worlds import FACTOR, LEVELS, NOW, made_trial, settings

# How much longer than 300 s each setting takes, as a share: too little for the noise below to show.
_LONGER = (0.0, -0.03, 0.02, 0.01, 0.03)


def test_a_block_that_was_asked_for_is_finished_after_it_broke_off() -> None:
    """Whoever extends a run gets a whole block, also where it broke off in the block's first or second trial."""
    plan = Plan("distribution_agent", (Factor(FACTOR, LEVELS),), settings()[0], design=Design(further_blocks=0))
    done: list[TrialResult] = []
    while (spec := Schedule(plan, "E1", RUN_TIME).next_spec(done)) is not None:
        arm = settings().index(spec.setting)
        shift = 0.08 if (spec.block + arm) % 3 == 0 else -0.04  # noise that no rule takes for an effect
        done.append(made_trial(spec, 300.0 * (1.0 + _LONGER[arm] + shift)))
    extended = replace(plan, design=plan.design.extended())
    assert Schedule(extended, "E1", RUN_TIME).next_spec(done) is None
    asked = Schedule(extended, "E1", RUN_TIME, least_confirm_blocks=4).next_spec(done)
    assert asked is not None
    for status in (TrialStatus.ABORTED, TrialStatus.USED):
        first = replace(made_trial(asked, 300.0), status=status)
        run = RunRecord("E1", extended, "lab", RunStatus.INTERRUPTED, "", NOW, NOW, (*done, first))
        kept = [trial for trial in run.trials if trial.status is not TrialStatus.ABORTED]
        again = Schedule(extended, "E1", RUN_TIME, least_confirm_blocks=begun_blocks(run)).next_spec(kept)
        assert again is not None
        assert (again.phase, again.block) == (Phase.CONFIRM, asked.block)


def test_a_trial_that_could_not_be_used_is_repeated_and_keeps_its_number() -> None:
    """A resumed run keeps no unusable trial: its setting comes again, under a number that no kept trial has."""
    plan = Plan("distribution_agent", (Factor(FACTOR, LEVELS),), settings()[0], design=Design(further_blocks=0))
    done: list[TrialResult] = []
    for status in (TrialStatus.USED, TrialStatus.NOT_USED, TrialStatus.USED):
        spec = Schedule(plan, "E1", RUN_TIME).next_spec(done)
        assert spec is not None
        done.append(replace(made_trial(spec, 300.0), status=status))
    run = RunRecord("E1", plan, "lab", RunStatus.CANCELLED, "", NOW, NOW, tuple(done))
    kept = without_unusable(run).trials
    assert [trial.trial_id for trial in kept] == ["E1-T001", "E1-T003"]
    again = Schedule(plan, "E1", RUN_TIME).next_spec(kept)
    assert again is not None
    assert (again.trial_id, again.block, again.setting) == ("E1-T004", done[1].block, done[1].setting)
    after = Schedule(plan, "E1", RUN_TIME).next_spec([*kept, made_trial(again, 300.0)])
    assert after is not None
    assert after.trial_id == "E1-T005"
