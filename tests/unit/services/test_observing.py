"""Observe mode on the lab: a day of history, read only."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import pytest

from app.bootstrap import build_program
from app.domain.errors import BadInput
from app.domain.ports import StatementSink
from app.domain.statement import Access, StatementRecord
from app.domain.target import Target
from app.flows.target.observed_parts import finding_lines
from app.services.look.look_cost import LookCost
from app.services.look.looking import Looking, look
from app.systems.transactional_replication.agent_kind import AgentKind
from app.systems.transactional_replication.observed import ReplicationObservation, Side
from app.systems.transactional_replication.observing import catch_ups, observe_agents, with_backlogs
from app.systems.transactional_replication.offer import agent_ports
from app.systems.transactional_replication.server.agents import SqlServerAgents
from app.systems.transactional_replication.stored_backlog import StoredBacklog
from app.systems.transactional_replication.subjects import SYSTEM_ID
from app.systems.transactional_replication.topology import Agent, Topology
from app.systems.transactional_replication.views.observed import finding_lines_of
from tests.labs import open_lab


@cache
def looked() -> tuple[ReplicationObservation, Sequence[StatementRecord]]:
    """Return one look at the busy day, with every statement it sent."""
    program, records = build_program(), []

    def opener(target: str, seed: int, sink: StatementSink, /) -> Target:
        def both(record: StatementRecord) -> None:
            records.append(record)
            sink(record)

        return program.parts.open_target(target, seed, both)

    seen = look("lab:busy-day", program.advisor, opener).of(SYSTEM_ID)
    assert isinstance(seen, ReplicationObservation)
    return seen, records


def test_every_statement_of_a_look_only_reads() -> None:
    """A look at a production server must not be able to change it."""
    seen, records = looked()
    assert len(records) > 10
    assert {record.access for record in records} == {Access.READ}
    assert [record.error for record in records if record.error] == []
    assert seen.statements == len(records)
    assert seen.unread == ()


def test_hours_show_the_day_and_who_could_not_keep_up() -> None:
    """Nights are quiet, the busiest hour is what the agent can do, and writing at the Subscriber limits it."""
    seen, _records = looked()
    deliverers = [agent for agent in seen.agents if agent.agent.kind is AgentKind.DISTRIBUTION]
    assert len(deliverers) == 2
    for agent in deliverers:
        assert len(agent.hours) in (24, 25)
        rates = [hour.commands / 3_600 for hour in agent.hours]
        assert max(rates) == pytest.approx(1_860, rel=0.03)
        assert min(rates) < 50
        night = [hour.commands / 3_600 for hour in agent.hours if hour.hour_utc.hour < 5]
        assert max(night) < 50
        assert 9 <= max(agent.hours, key=lambda hour: hour.commands).hour_utc.hour <= 18
        assert agent.slow_side is Side.WRITER
        late = [hour for hour in agent.hours if hour.latency_ms is not None and hour.latency_ms > 60_000]
        assert len(late) > 4


def test_the_backlog_is_forecast_with_a_band() -> None:
    """What waits in the log and in the distribution database is divided by what the agents delivered when late."""
    seen, _records = looked()
    assert seen.sample is not None
    assert seen.sample.log_pending_transactions > 100_000
    assert [name for name, _forecast in seen.catch_up] == [
        "PUB1-Sales1-Sales1Orders-SUB1-1",
        "PUB1-Sales2-Sales2Orders-SUB2-2",
    ]
    for _name, forecast in seen.catch_up:
        assert 1_500_000 < forecast.backlog_commands < 2_500_000
        assert 0.1 < forecast.low_hours < forecast.hours < forecast.high_hours < 3.0


def test_subscribers_of_one_publication_each_get_all_of_its_log() -> None:
    """What waits in a log is not shared out among the agents that deliver it; another log is not theirs."""
    seen, _records = looked()
    assert seen.sample is not None
    of_one = [replace(seen_agent, agent=replace(seen_agent.agent, publisher_db="Sales1")) for seen_agent in seen.agents]
    logs = ((("PUB1", "Sales1"), 100_000), (("PUB1", "Sales2"), 900_000))
    sample = replace(seen.sample, log_pending=logs, log_pending_transactions=1_000_000)
    none_stored = {agent.agent.agent_id: StoredBacklog(0) for agent in seen.agents}
    forecasts = [forecast for _name, forecast in catch_ups(with_backlogs(of_one, sample, none_stored), 86_400.0)]
    assert len(forecasts) == 2
    size = forecasts[0].backlog_commands / 100_000
    assert [forecast.backlog_commands for forecast in forecasts] == [round(100_000 * size)] * 2
    assert 1.0 <= size < 5.0, "commands per transaction"


def test_rules_speak_about_what_was_observed_and_name_the_experiment() -> None:
    """Findings name the agent and rest on its history; what an experiment would take stands beside them."""
    seen, _records = looked()
    rules = {finding.rule for finding in seen.findings}
    assert {"observed-delivery-behind", "observed-read-batch-size-untested"} <= rules
    assert all("history of" in finding.evidence[0] for finding in seen.findings)
    assert {cost.family for cost in seen.costs} == {"log_reader", "distribution_agent", "wan_delivery"}
    assert all(cost.trials > 0 and cost.duration_s > 0 for cost in seen.costs)


def test_clocks_of_a_lab_agree() -> None:
    """One clock runs all of its servers."""
    seen, _records = looked()
    assert dict(seen.clock_offsets) == pytest.approx({"PUB1": 0.0, "SUB1": 0.0, "SUB2": 0.0}, abs=0.01)


class _NoAgents(SqlServerAgents):
    """A Distributor that distributes nothing."""

    def discover(self) -> Topology:
        """Find its servers and no agents."""
        return replace(super().discover(), agents=())


def test_a_target_without_agents_is_refused() -> None:
    """There is nothing to observe, and the sentence says so."""
    target = open_lab()
    agents = agent_ports(target).agents
    agents.__class__ = _NoAgents
    with pytest.raises(BadInput, match="no replication agents"):
        observe_agents(target, Looking(build_program().advisor, LookCost()))


class _Behind(SqlServerAgents):
    """A Distributor at which more waits than is counted."""

    def read_backlog(self, agent: Agent, at_most: int) -> int:
        """Count to the limit."""
        super().read_backlog(agent, at_most)
        return at_most


@pytest.mark.parametrize(
    ("kind", "rule"),
    [
        (AgentKind.DISTRIBUTION, "observed-agent-stopped"),
        (AgentKind.LOG_READER, "observed-log-reader-stopped"),
    ],
)
def test_an_agent_that_does_not_run_is_a_finding(kind: AgentKind, rule: str) -> None:
    """Over a backlog of more than is counted nothing may say that no rule objects."""
    program = build_program()
    target = program.parts.open_target("lab:lan", 1, lambda _record: None)
    agents = agent_ports(target).agents
    agents.__class__ = _Behind
    (agent, *_others) = agents.discover().agents_of(kind)
    agents.stop(agent)
    found = observe_agents(target, Looking(program.advisor, LookCost()))
    assert (rule, agent.name) in {(f.rule, f.title.split(" does not run")[0]) for f in found.findings}
    assert "Nothing wrong" not in "\n".join(finding_lines_of(found))


def test_an_agent_that_stood_for_longer_than_history_is_kept_is_a_finding() -> None:
    """No row of its history is left; its job tells that it does not run, over more than is counted."""
    program = build_program()
    target = program.parts.open_target("lab:on-site", 1, lambda _record: None)
    found = observe_agents(target, Looking(program.advisor, LookCost()))
    assert found.sample is not None
    without = [agent for agent in found.topology.agents if found.sample.of(agent) is None]
    assert without
    told = [f.title for f in found.findings if f.rule == "observed-agent-stopped"]
    assert all(any(title.startswith(f"{agent.name} does not run") for title in told) for agent in without)


def test_a_subscriber_that_was_not_reached_is_a_finding() -> None:
    """Nothing was read of it, so nothing says that it is well."""
    program = build_program()
    target = program.parts.open_target("lab:on-site", 1, lambda _record: None)
    found = observe_agents(target, Looking(program.advisor, LookCost()))
    unreached = {server.name for server in found.topology.unreached}
    assert unreached
    told = [f.title for f in found.findings if f.rule == "observed-subscriber-unreached"]
    assert all(any(name in title for title in told) for name in unreached)


def test_without_findings_only_what_was_read_is_called_well() -> None:
    """Where something could not be read, "no rule objects" is said of the rest alone."""
    assert "Nothing wrong found." in finding_lines((), ())
    assert "what could not be read is listed below" in "\n".join(finding_lines((), ("the Subscriber SUB1",)))
