"""What happens between two trials: a run measures the servers it began with, or ends marked and puts back.

Between an interruption and the rest of a run days may lie, and nobody watches: what is not as it was is told then.
"""

from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest

from app.domain.errors import BadInput
from app.domain.events import Note, RunEvent, RunStatus, TrialFinished
from app.domain.measurement import TrialStatus
from app.domain.system import system_of
from app.foundation.codec import dump_json, load_json
from app.runner.control import RunControl
from app.services.plan.checking import prepare_run
from app.services.plan.plan_file import load_plan
from app.services.run.continued_run import refuse_other_servers
from app.services.run.environment import read_environment
from app.services.workplace import open_workplace
from app.store import open_for_reading
from app.systems.availability_groups.groups import GroupTopology
from app.systems.availability_groups.site import GroupSite
from app.systems.transactional_replication.lab_server.site import LISTENER
from app.systems.transactional_replication.server.documented import AGENT_TYPES
from tests.labs import FAMILIES as LAB_FAMILIES
from tests.prove.agent_happenings import AGENTS, GROUP_FAILS_OVER_AT_ONCE, agents_in_groups
from tests.prove.dba_changes import VERBOSE
from tests.prove.group_happenings import FAILS_OVER_AT_ONCE, GROUPS, groups_by_alias
from tests.prove.group_happenings import HAPPENINGS as TO_GROUPS
from tests.prove.happenings import Ground, Happening, run_session
from tests.prove.wire_faults import installed_drivers

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


def _interrupted(ground: Ground, lab: Any, plan: str, folder: Path) -> None:
    """Run one plan until its first trial is over, and cancel it there."""
    control = RunControl()

    def cancel_after_the_first(event: RunEvent) -> None:
        if isinstance(event, TrialFinished):
            control.cancel()

    ended = run_session(ground, lab, plan, folder, cancel_after_the_first, control=control)
    assert ended.finished is not None
    assert (ended.finished.status, len(ended.trials)) == (RunStatus.CANCELLED, 1)


@pytest.mark.parametrize("plan", ["commit_mode", "seeding"])
def test_trials_that_are_kept_and_those_of_another_primary_are_not_laid_together(tmp_path: Path, plan: str) -> None:
    """An address leads to another primary replica since: refused before anything is changed."""
    ground = groups_by_alias(installed_drivers()[0])
    with ground.make_lab() as lab:
        _interrupted(ground, lab, plan, tmp_path)
        lab.let(FAILS_OVER_AT_ONCE)
        before = lab.truth()
        ended = run_session(ground, lab, plan, tmp_path, goes_on=True)
        assert lab.truth() == before
    assert (ended.finished, ended.trials) == (None, ())


@pytest.mark.parametrize("plan", ["commit_mode", "seeding"])
def test_a_third_replica_that_has_become_primary_is_named(tmp_path: Path, plan: str) -> None:
    """The secondary of the plan is a secondary still, and nothing but the primary tells the trials apart."""
    path = tmp_path / "plan.toml"
    path.write_text(GROUPS.plans[plan], encoding="utf-8")
    loaded = load_plan(path, dict(LAB_FAMILIES))
    family = LAB_FAMILIES[loaded.family]
    with GROUPS.make_lab() as lab:
        target = GROUPS.open(lab, lambda _statement: None)
        prepared = prepare_run(loaded, family, target, str(path))
        earlier = read_environment(target, prepared.site, system_of(family))
        target.close()
    assert isinstance(prepared.site, GroupSite)
    refuse_other_servers(earlier, prepared.site, prepared.plan, system_of(family), family.subject)
    with pytest.raises(BadInput) as refused:
        refuse_other_servers(
            earlier, _with_third_as_primary(prepared.site), prepared.plan, system_of(family), family.subject
        )
    assert "were run with SQLNODE1 (Primary), SQLNODE2 (Secondary)" in str(refused.value)
    assert "would be run with SQLNODE2 (Secondary), SQLNODE3 (Primary)" in str(refused.value)
    assert "or start a new run" in str(refused.value)


def _with_third_as_primary(site: GroupSite) -> GroupSite:
    """Return a site whose first server is another one, known by all that stands there of the one before."""
    text = dump_json(site.topology).replace("SQLNODE1", "SQLNODE3")
    return replace(site, topology=load_json(GroupTopology, text))


def _assign_verbose_profile(lab: Any) -> None:
    for agent in lab.state.site.agents:
        lab.state.profile_ids[agent.job_id] = VERBOSE[AGENT_TYPES[agent.kind]]


def _set_trace_flag(lab: Any) -> None:
    lab.state.lab.set_trace_flag("SQLNODE1", 1448, on=True)


@pytest.mark.parametrize(
    ("ground", "plan", "deed", "words"),
    [
        (AGENTS, "log_reader", _assign_verbose_profile, ("HistoryVerboseLevel", "1 before, 2 now")),
        (GROUPS, "commit_mode", _set_trace_flag, ("SQLNODE1, trace flag 1448: not there before, set now",)),
    ],
)
def test_what_was_set_meanwhile_is_told_where_a_run_goes_on(
    tmp_path: Path, ground: Ground, plan: str, deed: Callable[[Any], None], words: tuple[str, ...]
) -> None:
    """One note names it, and is kept with the session for its report; none where nothing was set."""
    for is_set in (False, True):
        folder = tmp_path / str(is_set)
        with ground.make_lab() as lab:
            _interrupted(ground, lab, plan, folder)
            if is_set:
                deed(lab)
            ended = run_session(ground, lab, plan, folder, goes_on=True)
        assert ended.finished is not None, ended.problem
        assert ended.finished.status is RunStatus.SUCCEEDED, ended.problem
        told = [
            event.text for event in ended.events if isinstance(event, Note) and "trials that are kept" in event.text
        ]
        assert len(told) == is_set, told
    assert all(word in told[0] for word in words), told
    with open_for_reading(open_workplace(tmp_path / "True").session_file) as reader:
        assert told[0] in reader.read_session(reader.list_sessions()[0].header.session_id).notes
