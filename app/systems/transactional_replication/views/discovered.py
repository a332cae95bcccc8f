"""The topology of replication, in one sentence, as lines of text and as JSON."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Final

from app.flows.words import counted
from app.foundation.texts import _
from app.reporting.render.terminal import table_lines
from app.systems.transactional_replication.site import Replication
from app.systems.transactional_replication.tables import agent_parameters_table, servers_table
from app.systems.transactional_replication.topology import Subscription, Topology, UnreachedServer

_MOST_LISTED: Final = 48
_MOST_ALIKE: Final = 3
_NOTHING: Final = Replication(Topology("", (), (), (), ()), ())


def reached(replication: Replication | None) -> str:
    """Return in one sentence the servers reached, or that no Distributor is there."""
    servers = () if replication is None else replication.topology.servers
    distributor = next((server for server in servers if server.role == "Distributor"), None)
    if replication is None or distributor is None:
        return _("Reached, but no Distributor is set up there.")
    topology = replication.topology
    return _("Reached: Distributor {name}, SQL Server {version}, {edition}; {publications}, {agents}.").format(
        name=distributor.name,
        version=distributor.version,
        edition=distributor.edition,
        publications=counted(len(topology.publications), _("1 publication"), _("{count} publications")),
        agents=counted(len(topology.agents), _("1 agent"), _("{count} agents")),
    )


def discovered_lines(replication: Replication) -> list[str]:
    """Return servers, subscriptions, and each agent with its parameters."""
    topology = replication.topology
    lines = [_("Distribution database: {name}").format(name=topology.distribution_db), "", _("Servers:")]
    lines += table_lines(servers_table(topology))
    lines += [_unreached_line(server) for server in topology.unreached]
    lines += [f"  {caution}" for caution in topology.cautions]
    lines += ["", _("Subscriptions:")]
    lines += _subscription_lines(topology.subscriptions)
    for agent in replication.agents:
        lines += ["", agent.agent, *table_lines(agent_parameters_table(agent.parameters))]
    return lines


def _subscription_lines(subscriptions: Sequence[Subscription]) -> list[str]:
    """Return a line for each subscription; of many of one kind to one publication the first ones, and a count."""
    alike: dict[tuple[str, str, str], list[Subscription]] = {}
    for one in subscriptions:
        alike.setdefault((one.publisher_db, one.publication, one.subscription_type), []).append(one)
    is_long = len(subscriptions) > _MOST_LISTED
    lines: list[str] = []
    for (database, publication, kind), found in alike.items():
        listed = found[:_MOST_ALIKE] if is_long else found
        lines += [f"  {database}.{publication} → {s.subscriber}.{s.subscriber_db} ({kind})" for s in listed]
        if len(found) > len(listed):
            more = _("{count} more").format(count=len(found) - len(listed))
            lines.append(f"  {database}.{publication} → {more} ({kind})")
    return lines


def _unreached_line(server: UnreachedServer) -> str:
    return _("  {role} {name}: not reached; {reason}").format(role=server.role, name=server.name, reason=server.reason)


def discovered_json(replication: Replication | None) -> Mapping[str, object]:
    """Return topology and agents; both are there, and empty, where there is no replication."""
    whole = asdict(_NOTHING if replication is None else replication)
    return {"topology": whole["topology"], "agents": whole["agents"]}
