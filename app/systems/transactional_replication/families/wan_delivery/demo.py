"""The runs of the demonstration: two slow links."""

from app.domain.family import DemoRun
from app.domain.plan import Design
from app.systems.transactional_replication.agent_family import one_factor_plan
from app.systems.transactional_replication.load import WorkloadSpec
from app.systems.transactional_replication.server.documented import STREAMS

_WAN_BACKLOG_COMMANDS = 6_000


def demo_runs(seed: int) -> tuple[DemoRun, ...]:
    """Return the runs, small enough for half a minute in all."""
    work = WorkloadSpec(commands_per_transaction=(5, 10), commands=_WAN_BACKLOG_COMMANDS)
    streams = (1, 8, 16)
    return tuple(
        DemoRun(target, one_factor_plan("wan_delivery", STREAMS, streams, 1, work, Design(seed=seed)))
        for target in ("lab:wan-512k", "lab:wan-128k")
    )
