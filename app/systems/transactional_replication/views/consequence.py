"""The consequences of a run at the servers of replication, in the words they are agreed to in."""

from app.domain.setting import value_text
from app.domain.work_source import work_source_of
from app.foundation.texts import _
from app.services.plan.dry_run import DryRun
from app.systems.transactional_replication.load import Scenario, workload_of
from app.systems.transactional_replication.rig.filled import most_window_commands


def consequence(role: str, dry: DryRun) -> str:
    """Return the consequence at a Publisher, a Distributor or a Subscriber."""
    if work_source_of(dry.plan.load).is_own_work:
        return _on_own_work(role, dry)
    if role == "Publisher":
        return _at_the_publisher(dry)
    if role == "Distributor":
        return _("{n} changes; agents are stopped and started; each change is undone and checked.").format(
            n=value_text(len(dry.changes))
        )
    return _("The test rows arrive here.")


def _on_own_work(role: str, dry: DryRun) -> str:
    """Return the consequence of windows on the client's own work."""
    if role == "Publisher":
        return _("Nothing is changed or written; its log and databases are read.")
    if role == "Distributor":
        return _(
            "{n} changes; the agent is restarted for each of up to {windows} windows, and delivers in between; each "
            "change is undone and checked."
        ).format(n=value_text(len(dry.changes)), windows=value_text(dry.most_trials))
    return _("The client's own rows arrive here, as without it; no others are written.")


def _at_the_publisher(dry: DryRun) -> str:
    work = workload_of(dry.plan.load)
    trials, pairs = dry.most_trials, work.agent_pairs
    if work.scenario is Scenario.DRAINED:
        return _("Up to {n:,} commands are written to the published test table; its rows stay.").format(
            n=work.commands * trials * pairs
        )
    if work.scenario is Scenario.WINDOWS:
        return _(
            "One backlog is written to the published test table for up to {windows} windows, as large as the first one "
            "shows that it must be, {n:,} commands at most; its rows stay, and what is left of it is delivered after "
            "the run."
        ).format(windows=value_text(trials), n=most_window_commands(dry.plan) * trials * pairs)
    return _("A steady load runs on the published test table in up to {trials} trials; its rows stay.").format(
        trials=value_text(trials)
    )
