"""Names and numbers for a form from a Distributor that was read: its pairs, and the capacity of its link."""

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from app.domain.family import Site
from app.domain.plan import Plan
from app.domain.work_source import work_source_of
from app.foundation.durations import duration_text
from app.foundation.texts import _
from app.systems.transactional_replication.agent_kind import AgentKind
from app.systems.transactional_replication.load import Scenario, workload_of
from app.systems.transactional_replication.own_work import names_of
from app.systems.transactional_replication.site import AgentSite

# The published study over a distant link: one stream delivered 6 to 7 commands/s at a round trip of 300 ms.
_COMMANDS_PER_ROUND_TRIP: Final = 2.0
_FEWEST_COMMANDS: Final = 1_000


def suggestions(site: Site) -> Mapping[str, tuple[str, ...]]:
    """Return names of measurable agents, by the name of the field they fit."""
    if not isinstance(site, AgentSite):
        return {}
    named = [names_of(site.topology, agent) for agent in site.topology.measurable(AgentKind.DISTRIBUTION)]
    return {key: tuple(dict.fromkeys(names[key] for names in named)) for key in (named[0] if named else ())}


def most_of(site: Site) -> Mapping[str, tuple[int, str]]:
    """Return how many publication databases a Distributor has, and the words for that."""
    if not isinstance(site, AgentSite):
        return {}
    pairs = len(site.topology.pairs())
    return {"agent_pairs": (max(1, pairs), _("the publication databases of this Distributor"))}


def reachable(plan: Plan, site: Site, most_s: float) -> Plan:
    """Return a plan whose backlog one stream delivers over the link of the target in about that time."""
    if not isinstance(site, AgentSite) or work_source_of(plan.load).is_own_work:
        return plan
    per_command_s = link_delivery_s(1, site)
    within = most_s / per_command_s if per_command_s > 0 else math.inf
    commands = min(workload_of(plan.load).commands, within)
    return replace(plan, load=plan.load.but(commands=max(_FEWEST_COMMANDS, int(commands))))


def caution(plan: Plan, site: Site, limit_s: float) -> str:
    """Return one sentence where one stream could not deliver the backlog over the link within the limit, else ""."""
    if not isinstance(site, AgentSite) or site.rtt_ms is None or work_source_of(plan.load).is_own_work:
        return ""
    work = workload_of(plan.load)
    over_link_s = link_delivery_s(work.commands, site) if work.scenario is Scenario.DRAINED else 0.0
    if over_link_s <= limit_s:
        return ""
    return _(
        "The round trip to the Subscriber takes {rtt:.0f} ms: one stream needs about {time} to deliver "
        "{commands:,} commands, and the limit of {limit} would end the trial. Plan a smaller backlog."
    ).format(rtt=site.rtt_ms, time=duration_text(over_link_s), commands=work.commands, limit=duration_text(limit_s))


def link_delivery_s(commands: int, site: AgentSite) -> float:
    """Return how long one stream takes to deliver a backlog where only the round trips of its link count, seconds.

    0 where the round-trip time is not known. The estimate of a family does not know the link.
    """
    return 0.0 if site.rtt_ms is None else commands / _COMMANDS_PER_ROUND_TRIP * site.rtt_ms / 1_000
