"""The demonstration: which plans run on which lab scenarios, small enough for half a minute."""

from dataclasses import dataclass

from app.domain.plan import Design, Factor, Plan, Stop, WorkloadSpec
from app.domain.setting import Setting

# As large as the backlog of the published study.
_BACKLOG_COMMANDS = 1_000_000
_WAN_BACKLOG_COMMANDS = 6_000


@dataclass(frozen=True)
class DemoRun:
    """One plan with the target it runs on."""

    target: str
    plan: Plan


def demo_runs(families: tuple[str, ...], seed: int) -> tuple[DemoRun, ...]:
    """Return the runs of the demonstration for the given families, in the order of the pipeline."""
    made = (*_log_reader(seed), *_distribution_agent(seed), *_wan_delivery(seed))
    return tuple(run for run in made if run.plan.family in families)


def _plan(family: str, factor: str, levels: tuple[int, ...], default: int, work: WorkloadSpec, design: Design) -> Plan:
    return Plan(family, (Factor(factor, levels),), Setting.from_mapping({factor: default}), work, design)


def _log_reader(seed: int) -> tuple[DemoRun, ...]:
    work = WorkloadSpec(commands=_BACKLOG_COMMANDS)
    levels = (500, 1_000, 2_500, 5_000, 10_000)
    return (DemoRun("lab", _plan("log_reader", "ReadBatchSize", levels, 500, work, Design(seed=seed))),)


def _distribution_agent(seed: int) -> tuple[DemoRun, ...]:
    work = WorkloadSpec(commands=_BACKLOG_COMMANDS)
    race = Design(stop=Stop.RACE, blocks=4, seed=seed)
    streams, commits = (1, 2, 4, 8, 16), (100, 200, 500, 1_000)
    return (
        DemoRun("lab", _plan("distribution_agent", "SubscriptionStreams", streams, 1, work, race)),
        DemoRun("lab", _plan("distribution_agent", "CommitBatchSize", commits, 100, work, Design(seed=seed))),
    )


def _wan_delivery(seed: int) -> tuple[DemoRun, ...]:
    work = WorkloadSpec(commands_per_transaction=(5, 10), commands=_WAN_BACKLOG_COMMANDS)
    streams = (1, 8, 16)
    return tuple(
        DemoRun(target, _plan("wan_delivery", "SubscriptionStreams", streams, 1, work, Design(seed=seed)))
        for target in ("lab:wan-512k", "lab:wan-128k")
    )
