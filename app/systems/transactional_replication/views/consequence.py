"""The consequences of a run at the servers of replication, in the words they are agreed to in."""

from app.domain.setting import value_text
from app.foundation.texts import _
from app.services.plan.dry_run import DryRun
from app.systems.transactional_replication.load import Scenario, workload_of


def consequence(role: str, dry: DryRun) -> str:
    """Return the consequence at a Publisher, a Distributor or a Subscriber."""
    if role == "Publisher":
        return _at_the_publisher(dry)
    if role == "Distributor":
        return _("{n} changes; agents are stopped and started; each change is undone and checked.").format(
            n=value_text(len(dry.changes))
        )
    return _("The test rows arrive here.")


def _at_the_publisher(dry: DryRun) -> str:
    work = workload_of(dry.plan.load)
    trials, pairs = dry.most_trials, work.agent_pairs
    if work.scenario is Scenario.DRAINED:
        return _("Up to {n:,} commands are written to the published test table; its rows stay.").format(
            n=work.commands * trials * pairs
        )
    return _("A steady load runs on the published test table in up to {trials} trials; its rows stay.").format(
        trials=value_text(trials)
    )
