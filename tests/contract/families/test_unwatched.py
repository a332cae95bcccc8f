"""What a limit is held against may be unknown at a site: a run says so, and takes it for no reading of nothing."""

from dataclasses import replace
from pathlib import Path

import pytest

from app.domain.events import Note, RunStatus
from app.domain.view import NO_VALUE
from app.drivers.sqlserver.lab.servers import CountingState
from app.flows.system_views import views_of
from app.services.look.discovering import read_discovery
from app.services.look.look_cost import LookCost
from app.services.look.looking import Looking
from app.systems.availability_groups.groups import GroupTopology
from app.systems.availability_groups.observing import observe_groups
from app.systems.availability_groups.subjects import SYSTEM_ID
from app.systems.availability_groups.tables import databases_table
from tests.labs import SYSTEMS, ignore
from tests.prove.agent_happenings import AGENTS
from tests.prove.group_happenings import GROUPS
from tests.prove.happenings import Ground, run_session
from tests.shipped_rules import ADVISOR


@pytest.mark.parametrize(
    ("ground", "plan", "logs"),
    [
        pytest.param(AGENTS, "distribution_agent", ["Sales1 (PUB1)"], id="distribution_agent"),
        pytest.param(AGENTS, "log_reader", ["Sales1 (PUB1)"], id="log_reader"),
        pytest.param(GROUPS, "commit_mode", ["LoadSync (SQLNODE1)"], id="commit_mode"),
        pytest.param(GROUPS, "seeding", ["ReplituneSeeding (SQLNODE1)"], id="seeding"),
    ],
)
def test_a_run_says_once_of_each_log_that_its_limit_is_not_watched(
    tmp_path: Path, ground: Ground, plan: str, logs: list[str]
) -> None:
    """Where counters are off, a log may run full during a run although the plan limits it."""
    with ground.make_lab() as lab:
        has_counters_off(lab.state)
        ended = run_session(ground, lab, plan, tmp_path)
    assert ended.finished is not None
    assert (ended.finished.status, len(ended.trials) > 1) == (RunStatus.SUCCEEDED, True), ended.problem
    said = [event.text for event in ended.events if isinstance(event, Note) and "used log" in event.text]
    assert said == [
        f"the limit of 90\N{NO-BREAK SPACE}% used log is not watched for {log}: no counter there tells how full the "
        "log is; watch it by hand"
        for log in logs
    ]


def test_what_no_counter_tells_is_no_measurement_of_nothing(tmp_path: Path) -> None:
    """Log rate, flow control and commit delay: not 0, and a limit on them that holds nothing is told once."""
    limited = replace(GROUPS, plans={"limited": f"{GROUPS.plans['commit_mode']}[limits]\ncommit_delay_ms = 500\n"})
    made: dict[bool, set[str]] = {}
    for has_counters in (True, False):
        with GROUPS.make_lab() as lab:
            lab.state.has_counters = has_counters
            ended = run_session(limited, lab, "limited", tmp_path / str(has_counters))
        assert ended.finished is not None, ended.problem
        assert ended.finished.status is RunStatus.SUCCEEDED, ended.problem
        made[has_counters] = {m.metric for event in ended.trials for m in event.trial.measurements}
        made[has_counters] |= {sample.stream for event in ended.trials for sample in event.trial.samples}
        told = [event.text for event in ended.events if isinstance(event, Note) and "commit delay" in event.text]
        assert len(told) == (not has_counters), told
    assert made[True] - made[False] == {
        "log_rate", "flow_control", "commit_delay", "commit delay", "flow control", "log written",
    }  # fmt: skip


def test_a_look_names_a_log_that_no_counter_tells_of() -> None:
    """Neither the look, nor the picture, nor the tables make an empty log of it."""
    with GROUPS.make_lab() as lab:
        has_counters_off(lab.state)
        target = GROUPS.open(lab, ignore)
        seen = observe_groups(target, Looking(ADVISOR, LookCost()))
        discovered = read_discovery(target, SYSTEMS).of(SYSTEM_ID)
        assert isinstance(discovered, GroupTopology)
        now = SYSTEMS[SYSTEM_ID].read_now(target, discovered, None)
    assert seen is not None
    assert now is not None
    assert [said for said in seen.unread if "how full the log of" in said] == [
        f"SQLNODE1: no counter tells how full the log of {database} is" for database in ("LoadAsync", "LoadSync")
    ]
    views = views_of(SYSTEMS[SYSTEM_ID])
    told = "\n".join(views.look_lines(seen))
    assert told.count("commit delay: not known, as no counter tells") == len(seen.databases)
    assert not any(words in told for words in ("0 KiB/s", "0.0%", "no commit waited", "none waited"))
    picture = views.picture(discovered, seen, [now])
    assert picture is not None
    assert not any("log" in line for node in picture.nodes for line in node.lines)
    table = databases_table(discovered.databases)
    used = [column.key for column in table.columns].index("log_used_share")
    assert {row.cells[used].text for row in table.rows} == {NO_VALUE}


def has_counters_off(state: CountingState) -> None:
    """Disable the performance counters of a lab's servers."""
    state.has_counters = False
