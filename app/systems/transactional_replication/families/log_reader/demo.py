"""The runs of the demonstration: a race over a backlog as large as that of the published study."""

from app.domain.family import DemoRun
from app.domain.plan import Design, Stop
from app.systems.transactional_replication.agent_family import one_factor_plan
from app.systems.transactional_replication.load import WorkloadSpec

# As large as the backlog of the published study.
_BACKLOG_COMMANDS = 1_000_000


def demo_runs(seed: int) -> tuple[DemoRun, ...]:
    """Return the runs, small enough for half a minute in all."""
    work = WorkloadSpec(commands=_BACKLOG_COMMANDS)
    levels = (500, 1_000, 2_500, 5_000, 10_000)
    race = Design(stop=Stop.RACE, blocks=4, seed=seed)
    return (DemoRun("lab", one_factor_plan("log_reader", "ReadBatchSize", levels, 500, work, race)),)
