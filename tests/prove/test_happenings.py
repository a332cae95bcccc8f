"""The matrix of what others do: each thing, before each statement of a session, on each system."""

from collections.abc import Callable
from pathlib import Path

import pytest

from app.domain.events import RunStatus
from app.domain.measurement import TrialStatus
from tests.prove.agent_happenings import AGENTS, TO_SERVERS, served_agents
from tests.prove.agent_happenings import HAPPENINGS as TO_AGENTS
from tests.prove.group_happenings import GROUPS
from tests.prove.group_happenings import HAPPENINGS as TO_GROUPS
from tests.prove.happenings import Case, Ground, Happening, cases_of, run_case, run_cases, stratum_of
from tests.prove.streams_happenings import HAPPENINGS as TO_STREAMS
from tests.prove.streams_happenings import STREAMS
from tests.prove.thirds import Share
from tests.prove.wire_faults import installed_drivers

Record = Callable[[str, object], None]

_ALL = [
    pytest.param(ground, plan, happening, turn, id=f"{plan}-{happening.name.replace(' ', '_')}")
    for ground, happenings in ((AGENTS, TO_AGENTS), (GROUPS, TO_GROUPS), (STREAMS, TO_STREAMS))
    for plan in sorted(ground.plans)
    for turn, happening in enumerate(happenings)
]


@pytest.mark.prove
@pytest.mark.parametrize(("ground", "plan", "happening", "turn"), _ALL)
def test_whatever_others_do_the_trial_is_marked_and_the_rest_put_back(
    tmp_path: Path, ground: Ground, plan: str, happening: Happening, turn: int, share: Share, record_property: Record
) -> None:
    """No trial goes on unmarked, nothing is left changed without a word, and no finished trial is lost."""
    cases = cases_of(ground, plan, [happening], tmp_path)
    tally = run_cases(share.of(cases, stratum_of, turn), tmp_path)
    print(f"{plan}, {happening.name}, {share}: {tally}")
    record_property(f"{plan}, {happening.name}", str(tally))
    assert tally.failures == ()


@pytest.mark.prove
@pytest.mark.parametrize("turn", range(len(TO_SERVERS)), ids=[one.name.replace(" ", "_") for one in TO_SERVERS])
def test_the_same_holds_through_a_real_driver(tmp_path: Path, turn: int, share: Share, record_property: Record) -> None:
    """Over TDS, where what a server ends is a connection that breaks."""
    drivers, happening = installed_drivers(), TO_SERVERS[turn]
    ground = served_agents(drivers[turn % len(drivers)])
    cases = cases_of(ground, "distribution_agent", [happening], tmp_path)
    in_the_middle: dict[str, list[Case]] = {}
    for case in cases:
        in_the_middle.setdefault(case.call.name, []).append(case)
    few = share.of([same[len(same) // 2] for same in in_the_middle.values()], stratum_of, turn)
    tally = run_cases(few, tmp_path)
    print(f"{happening.name} over TDS, {share}: {tally}")
    record_property(f"{happening.name} over TDS", str(tally))
    assert tally.failures == ()


# What the everyday tests let happen, and the reading of a tick before which it does.
_FEW = [
    pytest.param(AGENTS, "distribution_agent", TO_AGENTS, "agents stopped", "distributor_sample", id="agents"),
    pytest.param(GROUPS, "commit_mode", TO_GROUPS, "primary restarted", "group_sample_primary", id="groups"),
    pytest.param(STREAMS, "apply", TO_STREAMS, "apply stopped", "sample_streams_before_11_2", id="streams"),
]


@pytest.mark.parametrize(("ground", "plan", "happenings", "name", "reading"), _FEW)
def test_what_happens_in_the_middle_of_a_trial_ends_it_marked(
    tmp_path: Path, ground: Ground, plan: str, happenings: tuple[Happening, ...], name: str, reading: str
) -> None:
    """The trial ends with a sentence that says what happened, the run goes on to put the rest back."""
    (happening,) = (one for one in happenings if one.name == name)
    ticks = [case for case in cases_of(ground, plan, [happening], tmp_path) if case.call.name == reading]
    ended = run_case(ticks[len(ticks) // 2], tmp_path / "struck")
    assert ended.finished is not None
    assert ended.finished.status is RunStatus.FAILED
    last = ended.trials[-1].trial
    assert last.status is TrialStatus.ABORTED
    assert "during the trial" in last.failed_checks[0]
    assert ended.problem == last.failed_checks[0]
