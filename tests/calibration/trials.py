"""Trials on the lab as the published tests ran them: drained backlogs with noise off."""

from functools import cache

from app.systems.transactional_replication.lab.replication import (
    DistributionSettings,
    LogReaderSettings,
    ReplicationLab,
)
from app.systems.transactional_replication.lab.scenario import Scenario, load_scenario, scenario_path

LAN_COMMANDS = 1_000_000
LAN_COMMANDS_PER_TRANSACTION = (2.5, 2.5)
WAN_COMMANDS = 15_000
WAN_COMMANDS_PER_TRANSACTION = (5.0, 10.0)


@cache
def shipped(name: str) -> Scenario:
    """Return a shipped scenario."""
    return load_scenario(scenario_path(name))


def write_commands(lab: ReplicationLab, commands: int, size: tuple[float, float], seed: int = 1) -> int:
    """Write about so many commands on pair 0 and return how many it were."""
    return lab.write_transactions(0, round(commands / (sum(size) / 2)), size, seed)


def drain_log(lab: ReplicationLab, settings: LogReaderSettings, tick_s: float = 1.0) -> float:
    """Run the Log Reader Agent of pair 0 until the log is empty; return seconds from its start to its last commit."""
    lab.start_log_reader(0, settings)
    while lab.log_pending_transactions(0):
        lab.advance(tick_s)
    lab.stop_log_reader(0)
    state = lab.log_reader(0)
    assert state.last_delivery_s is not None
    assert state.session_start_s is not None
    return state.last_delivery_s - state.session_start_s


def drain_distribution(lab: ReplicationLab, settings: DistributionSettings, tick_s: float = 1.0) -> float:
    """Run the Distribution Agent of pair 0 until nothing is pending; return seconds to its last commit."""
    lab.start_distribution_agent(0, settings)
    while lab.distribution_pending_commands(0):
        lab.advance(tick_s)
    lab.stop_distribution_agent(0)
    state = lab.distribution_agent(0)
    assert state.last_delivery_s is not None
    assert state.session_start_s is not None
    return state.last_delivery_s - state.session_start_s


def log_reader_run_time_s(
    scenario: Scenario, settings: LogReaderSettings, size: tuple[float, float] = LAN_COMMANDS_PER_TRANSACTION
) -> float:
    """Return the time a Log Reader Agent takes for a drained backlog, scaled to exactly a million commands."""
    lab = ReplicationLab(scenario, noise=False)
    written = write_commands(lab, LAN_COMMANDS, size)
    return drain_log(lab, settings) * LAN_COMMANDS / written


def distribution_run_time_s(
    scenario: Scenario,
    settings: DistributionSettings,
    size: tuple[float, float] = LAN_COMMANDS_PER_TRANSACTION,
    commands: int = LAN_COMMANDS,
) -> float:
    """Return the time a Distribution Agent takes for a drained backlog, scaled to exactly so many commands."""
    lab = ReplicationLab(scenario, noise=False)
    written = write_commands(lab, commands, size)
    drain_log(lab, LogReaderSettings(read_batch_size=5000))
    return drain_distribution(lab, settings) * commands / written


def wan_commands_per_s(scenario: Scenario, streams: int, commands: int = WAN_COMMANDS) -> float:
    """Return the throughput of a Distribution Agent over a slow line."""
    settings = DistributionSettings(subscription_streams=streams)
    return commands / distribution_run_time_s(scenario, settings, WAN_COMMANDS_PER_TRANSACTION, commands)
