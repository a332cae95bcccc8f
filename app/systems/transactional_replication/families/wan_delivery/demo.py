"""What the demonstration runs: two slow links."""

from app.domain.family import DemoRun
from app.domain.limits import usual_limits
from app.domain.plan import Design, Factor, Plan
from app.domain.setting import Setting
from app.systems.transactional_replication.limits import AGENT_LIMITS
from app.systems.transactional_replication.load import WorkloadSpec

_WAN_BACKLOG_COMMANDS = 6_000


def demo_runs(seed: int) -> tuple[DemoRun, ...]:
    """Return the runs, small enough for half a minute in all."""
    work = WorkloadSpec(commands_per_transaction=(5, 10), commands=_WAN_BACKLOG_COMMANDS)
    streams = (1, 8, 16)
    return tuple(
        DemoRun(target, _plan("wan_delivery", "SubscriptionStreams", streams, 1, work, Design(seed=seed)))
        for target in ("lab:wan-512k", "lab:wan-128k")
    )


def _plan(family: str, factor: str, levels: tuple[int, ...], default: int, work: WorkloadSpec, design: Design) -> Plan:
    return Plan(
        family,
        (Factor(factor, levels),),
        Setting.from_mapping({factor: default}),
        work.to_load(),
        design,
        usual_limits(AGENT_LIMITS),
    )
