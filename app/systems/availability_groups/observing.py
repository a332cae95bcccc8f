"""Observe mode on availability groups: the primary's own views, with nothing changed and no load written."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from app.advice import evaluate
from app.domain.facts import FactValue
from app.domain.finding import Finding
from app.domain.target import Target
from app.foundation.texts import _
from app.services.explain.advising import Advisor
from app.services.look.experiment_costs import experiment_costs
from app.services.look.looking import Looking
from app.services.look.parts import Parts
from app.systems.availability_groups.analysis.watched import observed_database
from app.systems.availability_groups.groups import AvailabilityGroup, GroupTopology
from app.systems.availability_groups.observed import RECOVERY_MEANS, GroupsObservation, ObservedGroupDatabase
from app.systems.availability_groups.offer import group_ports, watched
from app.systems.availability_groups.readings import GroupSample
from app.systems.availability_groups.subjects import SYSTEM_ID

# A reading is one round trip to each replica; this many in a look show whether a queue grows.
_READINGS: Final = 6
_FAMILY: Final = "commit_mode"  # whose rules speak of secondaries


def observe_groups(target: Target, looking: Looking) -> GroupsObservation | None:
    """Read every group whose primary is here for some seconds; only statements marked as reading are sent.

    None where there is no group.
    """
    topology = group_ports(target).groups.discover()
    if not topology.groups:
        return None
    cost, watch_s = looking.cost, looking.watch_s
    parts = Parts([sentence for _server, sentence in topology.unreachable])
    own = topology.led_here()
    parts.unread += topology.cautions()
    away = [group for group in topology.groups if group not in own and not group.is_distributed]
    parts.unread += [_elsewhere(group, topology.connected_to) for group in away]
    samples = looking.watch(target, watched(target, topology), watch_s / _READINGS, parts)
    databases = tuple(_observed(own, samples))
    parts.unread += [_log_unknown(found) for found in databases if found.log_used_share is None]
    return GroupsObservation(
        target=target.key,
        taken=max((taken[-1].at for taken in samples.values()), default=target.clock.now_utc()),
        watch_s=watch_s,
        topology=topology,
        databases=databases,
        costs=experiment_costs(looking.advisor.families, target, SYSTEM_ID),
        limits=_limits(watch_s) if databases else (),
        statements=cost.statements,
        statement_ms=cost.statement_ms,
        unread=tuple(dict.fromkeys(parts.unread)),
        findings=_findings(target, looking.advisor, topology, databases),
    )


def _observed(
    groups: Sequence[AvailabilityGroup], samples: Mapping[tuple[str, str], Sequence[GroupSample]]
) -> Iterator[ObservedGroupDatabase]:
    for group in groups:
        for database in group.database_names():
            if taken := samples.get((group.name, database)):
                yield observed_database(group, database, taken)


def _findings(
    target: Target, advisor: Advisor, topology: GroupTopology, databases: Sequence[ObservedGroupDatabase]
) -> tuple[Finding, ...]:
    """Return the rules' findings on each database at each secondary."""
    packs = [pack for pack in advisor.packs if any("observed_secondary" in rule.needs for rule in pack.rules)]
    states = [state for group in topology.groups for state in group.databases]
    suspended = {(state.database, state.server) for state in states if state.is_suspended}
    made: list[Finding] = []
    for database in databases:
        for secondary in database.secondaries:
            name = _("{database} at {server}").format(database=database.database, server=secondary.server)
            facts: dict[str, FactValue] = {
                "observed_secondary": name,
                "observed_synchronization": secondary.synchronization_state,
                "observed_suspended": int(
                    # suspended at the primary, it is for every secondary
                    not suspended.isdisjoint((database.database, at) for at in (secondary.server, database.primary))
                ),
            }
            evidence = (_("views of {server}").format(server=database.primary),)
            made += evaluate(packs, target.engine, _FAMILY, facts, evidence)[0]
    return tuple(sorted(made, key=lambda finding: finding.priority))


def _log_unknown(found: ObservedGroupDatabase) -> str:
    return _("{server}: no counter tells how full the log of {database} is").format(
        server=found.primary, database=found.database
    )


def _elsewhere(group: AvailabilityGroup, own: str) -> str:
    if not group.primary:
        return _(
            "{server} cannot tell which server is primary in the group {group}; connect to another replica"
        ).format(server=own, group=group.name)
    return _(
        "{server} is a secondary replica of {group} and does not know its queues; connect to its primary, {primary}"
    ).format(server=own, group=group.name, primary=group.primary)


def _limits(watch_s: float) -> tuple[str, ...]:
    """Return the limits of these figures.

    Source: MicrosoftDocs sys-dm-hadr-database-replica-states-transact-sql.md (rates) and
    monitor-performance-for-always-on-availability-groups.md (time to recover).
    """
    return (
        _("These views keep no history: the queues are those of {seconds:g} s; a busier hour may show others.").format(
            seconds=watch_s
        ),
        _("Send and redo rates are averages the server makes over its active time, not the rates of this moment."),
        RECOVERY_MEANS,
        _("The commit delay is a mean over all commits; what one shape of transaction pays, an experiment shows."),
    )
