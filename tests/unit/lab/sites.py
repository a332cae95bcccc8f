"""Scenarios made from the shipped ones by changing a few constants, and a small lab to try things on."""

from app.systems.transactional_replication.lab.replication import (
    DistributionSettings,
    LogReaderSettings,
    ReplicationLab,
)
from app.systems.transactional_replication.lab.scenario import Scenario
from tests.calibration.trials import shipped


def changed(scenario: Scenario, section: str, **values: float) -> Scenario:
    """Return a scenario with some constants of one section replaced."""
    part = getattr(scenario, section).model_copy(update=values)
    return scenario.model_copy(update={section: part})


def quiet_lab(name: str = "lan") -> ReplicationLab:
    """Return a lab without noise."""
    return ReplicationLab(shipped(name), noise=False)


def start_both(lab: ReplicationLab, pair: int = 0, read_batch_size: int = 500, streams: int = 1) -> None:
    """Start both agents of a pair."""
    lab.start_log_reader(pair, LogReaderSettings(read_batch_size=read_batch_size))
    lab.start_distribution_agent(pair, DistributionSettings(subscription_streams=streams))


def fill_distribution(lab: ReplicationLab, transactions: int, size: tuple[float, float] = (2.5, 2.5)) -> int:
    """Bring a backlog of pair 0 into the distribution database and return its commands."""
    commands = lab.write_transactions(0, transactions, size, seed=7)
    lab.start_log_reader(0, LogReaderSettings(read_batch_size=5000))
    while lab.log_pending_transactions(0):
        lab.advance(5.0)
    lab.stop_log_reader(0)
    return commands
