"""What happens between two trials: a run measures the servers it began with, or ends marked and puts back."""

from dataclasses import fields
from pathlib import Path

import pytest

from app.domain.events import RunEvent, RunStatus, TrialFinished
from app.domain.measurement import TrialStatus
from app.systems.transactional_replication.lab_server.site import LISTENER
from tests.prove.agent_happenings import GROUP_FAILS_OVER_AT_ONCE, agents_in_groups
from tests.prove.group_happenings import FAILS_OVER_AT_ONCE, GROUPS
from tests.prove.group_happenings import HAPPENINGS as TO_GROUPS
from tests.prove.happenings import Ground, Happening, run_session

_PRIMARY_RESTARTED = next(one for one in TO_GROUPS if one.name == "primary restarted")
_BEHIND = f"the availability group behind {LISTENER} failed over since the previous trial"
_RESTARTED = "SQLNODE1 was restarted since the previous trial"


@pytest.mark.parametrize(
    ("plan", "happening", "words"),
    [
        ("commit_mode", FAILS_OVER_AT_ONCE, "AG_SYNC failed over during the run: SQLNODE2 is its primary now"),
        ("commit_mode", _PRIMARY_RESTARTED, _RESTARTED),
        ("seeding", FAILS_OVER_AT_ONCE, "AG_SYNC failed over"),
        ("seeding", _PRIMARY_RESTARTED, _RESTARTED),
        ("distribution_agent", GROUP_FAILS_OVER_AT_ONCE, _BEHIND),
        ("log_reader", GROUP_FAILS_OVER_AT_ONCE, _BEHIND),
        ("steady", GROUP_FAILS_OVER_AT_ONCE, _BEHIND),
    ],
)
def test_a_run_measures_no_other_server_than_it_began_with(
    tmp_path: Path, plan: str, happening: Happening, words: str
) -> None:
    """The next trial is marked with what happened, and the servers come out as they were."""
    ground: Ground = GROUPS if plan in GROUPS.plans else agents_in_groups(tmp_path)
    with ground.make_lab() as lab:
        before, trials = lab.truth(), []

        def strike_after_the_first(event: RunEvent) -> None:
            if isinstance(event, TrialFinished):
                trials.append(event.trial)
                if len(trials) == 1:
                    happening.strike(lab)

        ended = run_session(ground, lab, plan, tmp_path / "struck", strike_after_the_first)
        lab.settle(happening.settle_s)
        after = lab.truth()
    assert ended.finished is not None
    assert (ended.finished.status, ended.finished.not_restored) == (RunStatus.FAILED, ()), ended.problem
    assert [trial.status for trial in trials] == [TrialStatus.USED, TrialStatus.ABORTED]
    assert words in trials[-1].failed_checks[0]
    assert ended.problem == trials[-1].failed_checks[0]
    changed = {one.name for one in fields(before) if getattr(before, one.name) != getattr(after, one.name)}
    assert changed <= happening.theirs
