"""The runs of the demonstration: streams with a model of the site, and a sweep over batches."""

from app.domain.family import DemoRun
from app.domain.plan import Design, Stop
from app.systems.transactional_replication.agent_family import one_factor_plan
from app.systems.transactional_replication.load import WorkloadSpec
from app.systems.transactional_replication.server.documented import STREAMS

# As large as the backlog of the published study.
_BACKLOG_COMMANDS = 1_000_000


def demo_runs(seed: int) -> tuple[DemoRun, ...]:
    """Return the runs, small enough for half a minute in all."""
    work = WorkloadSpec(commands=_BACKLOG_COMMANDS)
    guided = Design(stop=Stop.MODEL, seed=seed)
    streams, commits = (1, 2, 4, 8, 16), (100, 200, 500, 1_000)
    return (
        DemoRun("lab", one_factor_plan("distribution_agent", STREAMS, streams, 1, work, guided)),
        DemoRun(
            "lab:lan-uneven",  # whose noise is that of a server with other work
            one_factor_plan("distribution_agent", "CommitBatchSize", commits, 100, work, Design(seed=seed)),
        ),
    )
