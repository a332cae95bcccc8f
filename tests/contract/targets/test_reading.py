"""What the adapter reads from the lab: topology, parameters with their origins, history, queues, tokens, network."""

from pathlib import Path

import pytest

from app.domain.errors import BadInput, Unsupported
from app.domain.setting import Setting
from app.systems.transactional_replication.agent_kind import AgentKind
from app.systems.transactional_replication.lab.scenario import scenario_path
from app.systems.transactional_replication.offer import agent_ports
from tests.contract.targets.checking import make_bench
from tests.labs import open_lab


def test_topology_names_servers_agents_and_articles() -> None:
    """Each pair has its publication, subscription and two agents; each server its role and processors."""
    topology = make_bench().topology
    assert [(s.name, s.role) for s in topology.servers][:3] == [
        ("PUB1", "Publisher"),
        ("DIST1", "Distributor"),
        ("SUB1", "Subscriber"),
    ]
    assert {s.cpu_count for s in topology.servers} == {16}
    assert topology.distribution_db == "distribution"
    assert "ReplituneLoad" in topology.publications[0].articles
    assert topology.subscriptions[0].subscription_type == "push"
    reader, agent = topology.agents_of(AgentKind.LOG_READER)[0], topology.agents_of(AgentKind.DISTRIBUTION)[0]
    assert reader.name == "PUB1-Sales1-1"
    assert (reader.subscriber, reader.publication) == ("", "")
    assert (agent.publication, agent.subscriber, agent.subscriber_db) == ("Sales1Orders", "SUB1", "Sales1Copy")


def test_parameter_origin_is_the_strongest_source() -> None:
    """A job step beats the profile, the profile the default."""
    bench = make_bench()
    agent = bench.own_server()
    assert bench.value(agent, "CommitBatchSize") == ("100", "profile")
    assert bench.value(agent, "SubscriptionStreams") == ("1", "default")
    assert bench.value(agent, "PacketSize") == ("4096", "default")
    bench.server.state.steps[agent.job_id] += " -commitbatchsize 250 -SubscriptionStreams 4"
    assert bench.value(agent, "CommitBatchSize") == ("250", "job step")
    assert bench.value(agent, "SubscriptionStreams") == ("4", "job step")


def test_limits_are_the_servers_then_the_documented_ones() -> None:
    """The server's list gives limits where it has the parameter, the vendor's pages where it has not."""
    bench = make_bench()
    found = {p.name: p for p in agent_ports(bench.target).agents.read_parameters(bench.own_server())}
    assert (found["CommitBatchSize"].low, found["CommitBatchSize"].high) == (1, 10_000)
    assert (found["SubscriptionStreams"].low, found["SubscriptionStreams"].high) == (0, 64)
    assert list(found) == sorted(found, key=str.lower)


def test_drained_backlog_ends_with_an_exact_row() -> None:
    """The row that completes a backlog and the idle row carry the time of the last delivery, whatever the polling."""
    ends = []
    for poll_s in (0.7, 45.0):
        bench = make_bench()
        reader, agent = bench.reader(), bench.own_server()
        agent_ports(bench.target).agents.stop(agent)
        written = agent_ports(bench.target).workload.write(reader, 20_000, (2.5, 2.5), 5).commands
        bench.target.clock.sleep(60.0)
        agent_ports(bench.target).agents.start(agent)
        for _tick in range(round(90 / poll_s)):
            agent_ports(bench.target).agents.sample()
            bench.target.clock.sleep(poll_s)
        rows = agent_ports(bench.target).agents.read_history(agent)
        full = next(row for row in rows if row.delivered_commands >= written)
        assert full.delivered_commands == written
        assert rows[-1].runstatus == 4
        assert rows[-1].last_time == full.last_time
        ends.append(((full.last_time - full.session_start).total_seconds(), len(rows)))
    assert ends[0] == ends[1]
    assert 10.0 < ends[0][0] < 60.0


def test_totals_are_per_session_and_ascend() -> None:
    """A new session counts from zero; within one, totals never fall and times never run back."""
    bench = make_bench()
    agents, reader = agent_ports(bench.target).agents, bench.reader()
    agent_ports(bench.target).workload.write(reader, 4_000, (2.0, 2.0), 1)
    bench.target.clock.sleep(30)
    first = agents.read_history(reader)
    assert first[-1].delivered_commands == 8_000
    totals = [row.delivered_commands for row in first]
    assert totals == sorted(totals)
    assert [row.last_time for row in first] == sorted(row.last_time for row in first)
    agents.stop(reader)
    assert agents.read_history(reader)[-1].runstatus == 2
    agents.start(reader)
    second = agents.read_history(reader)
    assert second[0].session_start > first[0].session_start
    assert {row.delivered_commands for row in second} == {0}
    agent_ports(bench.target).workload.write(reader, 500, (2.0, 2.0), 2)
    bench.target.clock.sleep(30)
    assert agents.read_history(reader)[-1].delivered_commands == 1_000


def test_sample_reads_everything_in_one_statement_per_server() -> None:
    """A tick costs one statement at the Distributor and one at the Publisher."""
    bench = make_bench()
    reader = bench.reader()
    agent_ports(bench.target).agents.stop(reader)
    agent_ports(bench.target).workload.write(reader, 3_000, (2.0, 2.0), 1)
    before = len(bench.records)
    sample = agent_ports(bench.target).agents.sample()
    assert [record.name for record in bench.records[before:]] == ["distributor_sample", "publisher_sample"]
    assert sample.log_pending_transactions == 3_000
    assert sample.distribution_pending_commands is None
    assert sample.free_disk_gb == pytest.approx(150.0)
    assert len(sample.agents) == 6
    reading = sample.of(reader)
    assert reading is not None
    assert reading.runstatus == 2
    agent_ports(bench.target).agents.start(reader)
    bench.target.clock.sleep(2)
    assert agent_ports(bench.target).agents.sample().log_pending_transactions < 3_000


def test_a_tick_tells_the_total_of_a_subscription_and_the_latency_of_the_moment() -> None:
    """The total outlasts a session; a Log Reader Agent has none; an agent that stands has no counter."""
    bench = make_bench()
    reader, deliverer, agents = bench.reader(), bench.own_server(), agent_ports(bench.target).agents
    for _session in range(2):
        agent_ports(bench.target).workload.write(reader, 200, (2.0, 2.0), 1)
        bench.target.clock.sleep(60)
        agents.stop(deliverer)
        agents.start(deliverer)
    bench.target.clock.sleep(10)
    sample = agents.sample()
    of_reader, of_deliverer = sample.of(reader), sample.of(deliverer)
    assert of_reader is not None
    assert of_deliverer is not None
    assert (of_deliverer.delivered_commands, of_deliverer.total_delivered_commands) == (0, 800)
    assert of_reader.total_delivered_commands is None
    assert of_reader.counter_latency_ms is not None
    assert of_reader.counter_latency_ms > 0.0
    agents.stop(reader)
    standing = agents.sample().of(reader)
    assert standing is not None
    assert standing.counter_latency_ms is None


def test_statistics_name_the_bottleneck() -> None:
    """At the slow apply of one stream the reader waits for the writer."""
    bench = make_bench()
    agent = bench.own_server()
    agent_ports(bench.target).workload.write(bench.reader(), 40_000, (2.5, 2.5), 1)
    bench.target.clock.sleep(200)
    statistics = agent_ports(bench.target).agents.read_statistics(agent)
    assert statistics is not None
    assert statistics.reader_wait_s > 5 * statistics.writer_wait_s
    assert statistics.work_s == pytest.approx(statistics.reader_fetch_s + statistics.reader_wait_s, abs=2)


def test_tracer_token_legs() -> None:
    """A token arrives at the Distributor, then at the Subscriber; after deletion nothing is known of it."""
    bench = make_bench()
    agents, agent = agent_ports(bench.target).agents, bench.own_server()
    token = bench.target.changes.apply(agent_ports(bench.target).agent_changes.plan_tracer_token(agent))
    assert token is not None
    waiting = agents.read_tracer_token(token)
    assert (waiting.to_distributor_s, waiting.to_subscriber_s) == (None, None)
    bench.target.clock.sleep(30)
    arrived = agents.read_tracer_token(token)
    assert arrived.to_distributor_s is not None
    assert arrived.to_subscriber_s is not None
    assert 0.0 < arrived.to_distributor_s < 10.0
    bench.target.changes.undo(token)
    assert agents.read_tracer_token(token).to_distributor_s is None


def test_subscriber_objects_come_from_the_scenario(tmp_path: Path) -> None:
    """The objects that provoke a fall-back are counted on the replicated tables."""
    path = tmp_path / "keys.toml"
    text = scenario_path("lan").read_text(encoding="utf-8")
    text = text.replace("foreign_keys = 0", "foreign_keys = 3").replace("triggers = 0", "triggers = 2")
    path.write_text(text, encoding="utf-8")
    target = open_lab(path)
    agent = agent_ports(target).agents.discover().agents_of(AgentKind.DISTRIBUTION)[0]
    found = agent_ports(target).agents.read_subscriber_objects(agent)
    assert (found.foreign_keys, found.triggers, found.total) == (3, 2, 5)
    assert target.key == f"lab:{path}"


@pytest.mark.parametrize("scenario", ["lan", "wan-512k", "wan-128k"])
def test_network_probe_finds_the_line(scenario: str) -> None:
    """Round trip and bandwidth measured with statements are those of the scenario's line."""
    bench = make_bench(scenario)
    link = bench.server.state.lab.scenario.link
    agent = bench.own_server()
    assert agent_ports(bench.target).network.read_round_trip(agent).median_ms == pytest.approx(link.rtt_ms, abs=1e-6)
    assert agent_ports(bench.target).network.read_bandwidth_kbps(agent) == pytest.approx(link.bandwidth_kbps, rel=0.01)


def test_mean_command_size_is_read_while_commands_wait() -> None:
    """The size of waiting commands is that of the scenario; without any it is unknown."""
    bench = make_bench()
    agent = bench.own_server()
    assert agent_ports(bench.target).agents.read_command_bytes(agent) is None
    agent_ports(bench.target).agents.stop(agent)
    agent_ports(bench.target).workload.write(bench.reader(), 4_000, (2.5, 2.5), 1)
    bench.target.clock.sleep(30)
    expected = bench.server.state.lab.scenario.link.bytes_per_command
    assert agent_ports(bench.target).agents.read_command_bytes(agent) == pytest.approx(expected, rel=0.01)


def test_log_reader_agent_has_no_subscriber() -> None:
    """Asking a Log Reader Agent for its link or its Subscriber is a sentence, not a crash."""
    bench = make_bench()
    reader = bench.reader()
    with pytest.raises(Unsupported, match="Distribution Agent"):
        agent_ports(bench.target).network.read_round_trip(reader)
    with pytest.raises(Unsupported, match="Distribution Agent"):
        agent_ports(bench.target).agents.read_subscriber_objects(reader)


def test_workload_writes_what_was_asked() -> None:
    """A write commits the transactions in statements of bounded size and returns their commands."""
    bench = make_bench()
    done = agent_ports(bench.target).workload.write(bench.reader(), 120, (500, 1000), 9)
    assert done.commands == pytest.approx(90_000, rel=0.05)
    writes = [record for record in bench.records if record.name == "write_load"]
    assert len(writes) == 3
    assert sum(record.name == "load_table" for record in bench.records) == 1


@pytest.mark.parametrize("sizes", [(0.5, 2.0), (3.0, 2.0)])
def test_workload_refuses_impossible_sizes(sizes: tuple[float, float]) -> None:
    """Less than one command a transaction, or low above high, is the user's mistake."""
    bench = make_bench()
    with pytest.raises(BadInput, match="commands per transaction"):
        agent_ports(bench.target).workload.write(bench.reader(), 10, sizes, 1)


def test_statements_are_listed_for_consent() -> None:
    """The target lists every statement it may send, with access, permission and text."""
    listed = make_bench().target.statements()
    assert len(listed) > 30
    assert all(entry.permission and entry.text.startswith("/* replitune ") for entry in listed)


def test_short_names_make_the_key() -> None:
    """A shipped scenario is named by its short name, the default one by none."""
    assert open_lab().key == "lab"
    assert open_lab("wan-128k").key == "lab:wan-128k"


def test_setting_reaches_the_simulation() -> None:
    """Eight streams deliver the same backlog faster than one."""
    times = []
    for streams in (1, 8):
        bench = make_bench()
        agent = bench.own_server()
        agent_ports(bench.target).agents.stop(agent)
        for change in agent_ports(bench.target).agent_changes.plan_setting(
            agent, Setting.of(SubscriptionStreams=streams), "S1"
        ):
            bench.target.changes.apply(change)
        agent_ports(bench.target).workload.write(bench.reader(), 20_000, (2.5, 2.5), 5)
        bench.target.clock.sleep(60.0)
        agent_ports(bench.target).agents.start(agent)
        bench.target.clock.sleep(60.0)
        last = agent_ports(bench.target).agents.read_history(agent)[-1]
        times.append((last.last_time - last.session_start).total_seconds())
    assert times[1] < 0.75 * times[0]
