"""Trials where applications of the site go on writing: each ends with this run's own last write, and says so."""

import re
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from app.domain.errors import StatementTimeout
from app.domain.events import RunStatus
from app.domain.family import ExperimentFamily
from app.domain.happening import Work
from app.domain.measurement import TrialResult, TrialStatus
from app.domain.plan import Plan
from app.domain.target import Target
from app.drivers.sqlserver.catalogue import catalogue
from app.drivers.sqlserver.lab.servers import LabClock, LabTransport
from app.systems.availability_groups.groups import CommitMode
from app.systems.availability_groups.offer import group_ports
from app.systems.availability_groups.subjects import SYSTEM_ID as GROUPS
from app.systems.transactional_replication.lab.scenario import scenario_path
from app.systems.transactional_replication.load import Scenario
from app.systems.transactional_replication.metrics import RUN_TIME
from app.systems.transactional_replication.offer import agent_ports
from app.systems.transactional_replication.readings import ReplicationSample
from app.systems.transactional_replication.topology import Agent
from tests.contract.families.lab_runs import AGENT_FAMILIES, FAMILIES, LABS, run_on_lab, small_plan
from tests.labs import build_lab, sqlserver_over
from tests.writers import site_with_writers

CASES = [
    (family_id, scenario)
    for family_id in AGENT_FAMILIES
    for scenario in (Scenario.DRAINED, Scenario.CONTINUOUS)  # windows end by their length, and tell what arrives
]


def one_pair(family: ExperimentFamily, scenario: Scenario) -> Plan:
    """Return a small plan for one pair of agents; a trial that takes an hour ends the run."""
    plan = small_plan(family, scenario)
    return replace(plan, load=plan.load.but(agent_pairs=1), limits=plan.limits.but(trial_duration_s=3_600))


def took_s(trial: TrialResult) -> float:
    """Return how long a trial took, preparation and what follows included."""
    return (trial.finished_utc - trial.started_utc).total_seconds()


@pytest.mark.parametrize(("family_id", "scenario"), CASES)
def test_a_trial_ends_with_its_own_last_write(family_id: str, scenario: Scenario, tmp_path: Path) -> None:
    """Where something always waits, no trial waits for nothing; what others wrote is told of each."""
    family = AGENT_FAMILIES[family_id]
    plan = one_pair(family, scenario)
    alone = run_on_lab(family, plan, noise=False).trials
    shared = run_on_lab(family, plan, noise=False, scenario=site_with_writers(tmp_path, 10.0, 5))
    assert [trial.status for trial in shared.trials] == [TrialStatus.USED] * len(alone), shared.end
    for quiet, busy in zip(alone, shared.trials, strict=True):
        assert took_s(busy) < 1.5 * took_s(quiet) + 60.0
        assert Work.OTHER_COMMANDS not in {one.work for one in quiet.happenings}
        (told,) = (one for one in busy.happenings if one.work is Work.OTHER_COMMANDS)
        assert 0.01 <= told.share < 0.5
        assert "Sales1 on PUB1 had not been written by this run" in told.text
    shared.assert_restored()


def measured_s(trial: TrialResult) -> float:
    """Return the run time a trial measured."""
    (run_time,) = (one.value for one in trial.measurements if one.metric == RUN_TIME.name)
    return run_time


@pytest.mark.parametrize("family_id", AGENT_FAMILIES)
def test_foreign_work_does_not_pile_up_behind_what_is_counted(family_id: str, tmp_path: Path) -> None:
    """A drained trial delivers what others wrote before this run's own last write, and leaves what came after it."""
    family = AGENT_FAMILIES[family_id]
    plan = one_pair(family, Scenario.DRAINED)
    plan = replace(plan, design=replace(plan.design, blocks=3))
    quiet = run_on_lab(family, plan, noise=False).trials
    busy = run_on_lab(family, plan, noise=False, scenario=site_with_writers(tmp_path, 100.0, 4)).trials
    assert {trial.status for trial in busy} == {TrialStatus.USED}
    longest = max(measured_s(trial) for trial in busy[: len(busy) // 2])
    for trial, alone in zip(busy, quiet, strict=True):
        assert measured_s(trial) > measured_s(alone)  # what others wrote before it is delivered first
        assert measured_s(trial) < 1.5 * longest


def test_an_article_of_two_publications_is_read_to_its_end(tmp_path: Path) -> None:
    """Each change counts twice: the trial does not end when half of them has passed, and says that more did."""
    family = AGENT_FAMILIES["log_reader"]
    path = tmp_path / "twice.toml"
    text = scenario_path("lan").read_text(encoding="utf-8")
    path.write_text(text.replace("[publisher]", "[publisher]\npublications_per_article = 2"), encoding="utf-8")
    plan = one_pair(family, Scenario.DRAINED)
    plan = replace(plan, load=plan.load.but(commands=100_000))
    once = run_on_lab(family, plan, noise=False).trials
    twice = run_on_lab(family, plan, noise=False, scenario=path).trials
    for single, double in zip(once, twice, strict=True):
        assert measured_s(double) > 1.7 * measured_s(single)
        (told,) = double.happenings
        assert told.text.startswith("50\N{NO-BREAK SPACE}% of what was delivered from Sales1 on PUB1")


def test_what_never_comes_is_not_waited_for_for_ever(tmp_path: Path) -> None:
    """Where no position is told and others always write, the wait has a limit of its own, whatever the plan's is."""
    family = AGENT_FAMILIES["distribution_agent"]
    plan = one_pair(family, Scenario.DRAINED)
    plan = replace(plan, limits=plan.limits.but(trial_duration_s=86_400))
    run = run_on_lab(family, plan, noise=False, scenario=site_with_writers(tmp_path, 100.0, 1), wrap=without_positions)
    assert run.end.status is RunStatus.ABORTED
    assert re.fullmatch(
        r"the Log Reader Agents had not processed this run's own last write after 920 s, .*; the run ends",
        run.end.reason,
    )
    run.assert_restored()


def without_positions(target: Target) -> Target:
    """Return a target whose servers do not say which transaction an agent processed last."""
    offered = agent_ports(target)
    sample = offered.agents.sample

    def read(concerned: Sequence[Agent] = ()) -> ReplicationSample:
        now = sample(concerned)
        return replace(now, agents=tuple(replace(reading, position="") for reading in now.agents))

    offered.agents.sample = read  # type: ignore[method-assign]  # a server that tells less
    return target


@pytest.mark.parametrize(("rate_per_s", "rows", "status"), [(2.0, 2, "used"), (100.0, 2, "not_used")])
def test_a_streams_trial_ends_with_its_own_last_row(rate_per_s: float, rows: int, status: str, tmp_path: Path) -> None:
    """Where something always flows, a trial ends once everything up to its own last commit is applied, and tells."""
    family = FAMILIES["streams_apply"]
    plan = small_plan(family)
    site = site_with_writers(tmp_path, rate_per_s, rows, name=LABS[family.subject])
    alone = run_on_lab(family, plan, noise=False)
    shared = run_on_lab(family, plan, noise=False, scenario=site)
    assert [trial.status for trial in shared.trials] == [TrialStatus(status)] * len(alone.trials), shared.end
    for quiet, busy in zip(alone.trials, shared.trials, strict=True):
        assert took_s(busy) < took_s(quiet) + 180.0  # a capture that is never idle is waited for two minutes at most
        assert Work.OTHER_COMMANDS not in {one.work for one in quiet.happenings}
        (told,) = (one for one in busy.happenings if one.work is Work.OTHER_COMMANDS)
        assert 0.5 < told.share < 1.0  # of transactions: this run's own are large
    assert "apply_progress" not in {record.name for record in alone.records}
    shared.assert_restored()


@pytest.mark.parametrize(
    ("queue_kb", "rate_kb_per_s", "ends"), [(700, 0, True), (9_000, 10_000, True), (9_000, 500, False)]
)
def test_a_send_queue_that_others_fill_is_not_waited_for(queue_kb: int, rate_kb_per_s: int, ends: bool) -> None:
    """An asynchronous secondary of a group that is written to always has some log to come; a backlog is waited for."""
    lab = build_lab("ag-2016", noise=False)
    answer, positions = lab.answers["group_sample_primary"], catalogue()["group_sample_primary"].positions

    def busy(*asked: Any) -> Any:
        rows = [list(row) for row in answer(*asked)]
        for row in rows:
            row[positions["synchronization_state"]] = "SYNCHRONIZING"
            row[positions["send_queue_kb"]], row[positions["send_rate_kb_per_s"]] = queue_kb, rate_kb_per_s
        return rows

    lab.answers["group_sample_primary"] = busy
    groups = group_ports(sqlserver_over(LabTransport(lab), LabClock(lab), simulates=GROUPS)).groups
    group = next(g for g in groups.discover().groups if any(r.mode is CommitMode.ASYNCHRONOUS for r in g.secondaries()))
    (secondary,) = (r.server for r in group.secondaries() if r.mode is CommitMode.ASYNCHRONOUS)
    waiting = nullcontext() if ends else pytest.raises(StatementTimeout, match="is not synchronized at")
    with waiting:
        groups.wait_synchronized(group.name, group.database_names()[0], secondary, 60.0)
