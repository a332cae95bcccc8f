"""The matrix of what others do: each thing, before each statement of a session, on each system."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from app.domain.events import RunStatus
from app.domain.measurement import TrialStatus
from app.services.run.restoring import open_changes, restore_all
from app.systems.transactional_replication.lab_server.site import LISTENER
from tests.prove.agent_happenings import (
    AGENTS,
    AGENTS_AT_WORK,
    DISTRIBUTOR_FAILS_OVER,
    GROUP_FAILS_OVER,
    GROUP_FAILS_OVER_AT_ONCE,
    TO_SERVERS,
    scenario_in_groups,
    served_agents,
)
from tests.prove.agent_happenings import HAPPENINGS as TO_AGENTS
from tests.prove.group_happenings import GROUPS
from tests.prove.group_happenings import HAPPENINGS as TO_GROUPS
from tests.prove.happenings import (
    Case,
    Ground,
    Happening,
    Strike,
    cases_of,
    run_case,
    run_cases,
    run_in_branches,
    run_session,
    stratum_of,
)
from tests.prove.shares import Share
from tests.prove.streams_happenings import HAPPENINGS as TO_STREAMS
from tests.prove.streams_happenings import STREAMS
from tests.prove.wire_faults import installed_drivers
from tests.prove.wire_session import open_target

Record = Callable[[str, object], None]

_TO_GROUNDS = ((AGENTS, TO_AGENTS), (AGENTS_AT_WORK, TO_AGENTS), (GROUPS, TO_GROUPS), (STREAMS, TO_STREAMS))
_ALL = [
    pytest.param(ground, plan, happenings, id=plan)
    for ground, happenings in _TO_GROUNDS
    for plan in sorted(ground.plans)
]

_OVER_TDS = (*TO_SERVERS, GROUP_FAILS_OVER)


@pytest.mark.minutes
@pytest.mark.prove
@pytest.mark.parametrize(("ground", "plan", "happenings"), _ALL)
def test_whatever_others_do_the_trial_is_marked_and_the_rest_put_back(
    tmp_path: Path,
    ground: Ground,
    plan: str,
    happenings: Sequence[Happening],
    share: Share,
    record_property: Record,
) -> None:
    """No trial goes on unmarked, nothing is left changed without a word, and no finished trial is lost."""
    cases = share.of_each(happenings, lambda happening: cases_of(ground, plan, [happening]), stratum_of)
    tally = run_in_branches(cases, tmp_path)
    print(f"{plan}, {share}: {tally}")
    record_property(plan, str(tally))
    assert tally.failures == ()


@pytest.mark.prove
@pytest.mark.parametrize("turn", range(len(_OVER_TDS)), ids=[one.name.replace(" ", "_") for one in _OVER_TDS])
def test_the_same_holds_through_a_real_driver(tmp_path: Path, turn: int, share: Share, record_property: Record) -> None:
    """Over TDS, where what a server ends is a connection that breaks."""
    drivers, happening = installed_drivers(), _OVER_TDS[turn]
    in_groups = scenario_in_groups(tmp_path / "groups.toml") if happening is GROUP_FAILS_OVER else None
    ground = served_agents(drivers[turn % len(drivers)], in_groups)
    cases = cases_of(ground, "distribution_agent", [happening])
    in_the_middle: dict[str, list[Case]] = {}
    for case in cases:
        in_the_middle.setdefault(case.call.name, []).append(case)
    few = share.of([same[len(same) // 2] for same in in_the_middle.values()], stratum_of, turn)
    tally = run_cases(few, tmp_path)
    print(f"{happening.name} over TDS, {share}: {tally}")
    record_property(f"{happening.name} over TDS", str(tally))
    assert tally.failures == ()


@pytest.mark.parametrize(
    ("plan", "happening", "words"),
    [
        ("distribution_agent", GROUP_FAILS_OVER, f"the connection to {LISTENER} broke"),
        ("log_reader", GROUP_FAILS_OVER, f"({LISTENER} at 127.0.0.1:"),  # connected to anew, and off
        ("steady", GROUP_FAILS_OVER_AT_ONCE, f"group behind {LISTENER} failed over during the trial"),
    ],
)
def test_a_failover_of_the_published_database_ends_the_trial_marked(
    tmp_path: Path, plan: str, happening: Happening, words: str
) -> None:
    """Through a real driver: its listener answers as another replica, mostly after it answered nobody for a while."""
    ground = served_agents(installed_drivers()[0], scenario_in_groups(tmp_path / "groups.toml"))
    ticks = [case for case in cases_of(ground, plan, [happening]) if case.call.name == "publisher_sample"]
    between = (ticks[-2].number + ticks[-1].number) // 2  # ticks of the last trial
    ended = run_case(replace(ticks[-1], number=between), tmp_path / "struck")
    assert ended.finished is not None
    assert (ended.finished.status, ended.finished.not_restored) == (RunStatus.FAILED, ())
    last = ended.trials[-1].trial
    assert last.status is TrialStatus.ABORTED
    assert words in last.failed_checks[0]


def test_a_failover_of_the_distributor_changes_nothing_at_the_other_replica(tmp_path: Path) -> None:
    """Its address leads to a replica with profiles and jobs of its own: what was changed is open until it fails back.

    Neither the run's own restore nor a later one takes what is not found there for gone.
    """
    ground = served_agents(installed_drivers()[0], scenario_in_groups(tmp_path / "groups.toml"))
    cases = cases_of(ground, "distribution_agent", [DISTRIBUTOR_FAILS_OVER])
    ticks = [case for case in cases if case.call.name == "distributor_sample"]
    out, journal = tmp_path / "struck", tmp_path / "struck" / "undo.journal"
    with ground.make_lab() as lab:
        before = lab.truth()
        lab.strike = Strike(ticks[len(ticks) // 2].number, DISTRIBUTOR_FAILS_OVER.strike)
        ended = run_session(ground, lab, "distribution_agent", out)
        assert ended.finished is not None
        assert ended.finished.status is RunStatus.FAILED
        assert ended.trials[-1].trial.status is TrialStatus.ABORTED
        left = open_changes(journal)
        assert any("leads to DIST2 now and no longer to DIST1" in told for told in ended.finished.not_restored)
        assert lab.truth().elsewhere == ()
        assert {entry.change.kind for entry in left} >= {"dedicated_profile", "job_step_token", "agent_stopped"}
        lab.settle(60.0)
        later = restore_all(journal, open_target, lambda _change: None)
        assert later.restored == ()
        *settings, profile = later.problems
        assert all("was changed at DIST1, and the target leads to DIST2 now" in told for told in settings)
        assert "it stays until the rest is undone" in profile
        assert len(open_changes(journal)) == len(left)
        assert lab.truth().elsewhere == ()
        lab.let(DISTRIBUTOR_FAILS_OVER)
        lab.settle(60.0)
        back = restore_all(journal, open_target, lambda _change: None)
        assert (back.problems, open_changes(journal)) == ((), ())
        lab.settle(60.0)
        assert lab.truth() == before


# What the everyday tests let happen, and the reading of a tick before which it does.
_FEW = [
    pytest.param(AGENTS, "distribution_agent", TO_AGENTS, "agents stopped", "distributor_sample", id="agents"),
    pytest.param(GROUPS, "commit_mode", TO_GROUPS, "primary restarted", "group_sample_primary", id="groups"),
    pytest.param(STREAMS, "apply", TO_STREAMS, "apply stopped", "sample_streams_before_11_2", id="streams"),
    # its rows are under way for minutes, which the trial is not
    pytest.param(STREAMS, "capture", TO_STREAMS, "destination restarted", "insert_load", id="streams-under-way"),
]


@pytest.mark.parametrize(("ground", "plan", "happenings", "name", "reading"), _FEW)
def test_what_happens_in_the_middle_of_a_trial_ends_it_marked(
    tmp_path: Path, ground: Ground, plan: str, happenings: tuple[Happening, ...], name: str, reading: str
) -> None:
    """The trial ends with a sentence that says what happened, the run goes on to put the rest back."""
    (happening,) = (one for one in happenings if one.name == name)
    ticks = [case for case in cases_of(ground, plan, [happening]) if case.call.name == reading]
    ended = run_case(ticks[len(ticks) // 2], tmp_path / "struck")
    assert ended.finished is not None
    assert ended.finished.status is RunStatus.FAILED
    last = ended.trials[-1].trial
    assert last.status is TrialStatus.ABORTED
    assert "during the trial" in last.failed_checks[0]
    assert ended.problem == last.failed_checks[0]
