"""Reading a Distributor with its replication agents before anything is changed."""

from collections.abc import Callable
from typing import TypeVar

from app.domain.errors import BadInput, TargetError
from app.domain.family import AgentSite
from app.domain.ports import Capability, Target
from app.domain.session import AgentParameters, Environment
from app.domain.setting import AgentKind
from app.foundation.texts import _

T = TypeVar("T")


def read_agent_site(target: Target, kind: AgentKind) -> AgentSite:
    """Read topology, parameters in effect, Subscriber objects and link of a target.

    Raises:
        BadInput: there is no agent of this kind.
        TargetError: topology or parameters cannot be read; what only explains (link, objects) may be missing.
    """
    topology = target.agents.discover()
    agents = topology.agents_of(kind)
    deliverers = topology.agents_of(AgentKind.DISTRIBUTION)
    if not agents or not deliverers:
        raise BadInput(
            _("{target} has no replication agents this experiment could measure; choose another target").format(
                target=target.key
            )
        )
    first = deliverers[0]
    probes = Capability.NETWORK_PROBE in target.capabilities
    return AgentSite(
        topology=topology,
        agents=agents,
        parameters={p.name: p for p in target.agents.read_parameters(agents[0])},
        subscriber_objects=_optional(lambda: target.agents.read_subscriber_objects(first)),
        rtt_ms=_optional(lambda: target.network.read_rtt_ms(first)) if probes else None,
        network_kbps=_optional(lambda: target.network.read_bandwidth_kbps(first)) if probes else None,
    )


def _optional(read: Callable[[], T]) -> T | None:
    """Return what explains but is not needed, None where this login may not read it."""
    try:
        return read()
    except TargetError:
        return None


def agent_environment(target: Target, site: AgentSite) -> Environment:
    """Read the parameters in effect of every agent, for the report."""
    agents = tuple(AgentParameters(agent.name, target.agents.read_parameters(agent)) for agent in site.topology.agents)
    facts: list[tuple[str, str, str]] = []
    if site.rtt_ms is not None:
        facts.append((_("Round-trip time Distributor to Subscriber"), f"{site.rtt_ms:.1f}", "ms"))
    if site.network_kbps is not None:
        facts.append((_("Bandwidth Distributor to Subscriber"), f"{site.network_kbps:,.0f}", "kbps"))
    if site.subscriber_objects is not None:
        facts.append((_("Subscriber objects that may block streams"), str(site.subscriber_objects.total), _("objects")))
    return Environment(
        target=target.key,
        topology=site.topology,
        agents=agents,
        facts=tuple(facts),
        subscriber_objects=site.subscriber_objects,
        rtt_ms=site.rtt_ms,
        network_kbps=site.network_kbps,
    )


def agent_site_of(environment: Environment, kind: AgentKind) -> AgentSite | None:
    """Return the site an environment was read from, None where it holds no replication agents."""
    if environment.topology is None:
        return None
    agents = environment.topology.agents_of(kind)
    by_name = {entry.agent: entry.parameters for entry in environment.agents}
    first = by_name.get(agents[0].name, ()) if agents else ()
    return AgentSite(
        topology=environment.topology,
        agents=agents,
        parameters={parameter.name: parameter for parameter in first},
        subscriber_objects=environment.subscriber_objects,
        rtt_ms=environment.rtt_ms,
        network_kbps=environment.network_kbps,
    )
