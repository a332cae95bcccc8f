"""Replication as nodes of the tree: servers, databases, publications, subscriptions and agents."""

from enum import StrEnum

from app.domain.server import ServerInfo
from app.domain.server_versions import named_version
from app.domain.setting import value_text
from app.domain.view import NO_VALUE
from app.flows.topology_tree import Node, walk
from app.flows.words import counted
from app.foundation.texts import _
from app.systems.transactional_replication.agent_kind import AgentKind
from app.systems.transactional_replication.tables import ROLES, agent_kind_title
from app.systems.transactional_replication.topology import Agent, Publication, Subscription, Topology


class NodeKind(StrEnum):
    """The kind of a node of the tree."""

    SERVER = "server"
    DATABASE = "database"
    PUBLICATION = "publication"
    SUBSCRIPTION = "subscription"
    AGENT = "agent"


def topology_tree(topology: Topology) -> tuple[Node, ...]:
    """Return the Distributor, each Publisher with its publications, and agents that belong to no publication."""
    distributors = [s for s in topology.servers if s.role == "Distributor"]
    publishers = [s.name for s in topology.servers if s.role == "Publisher"]
    publishers += sorted({p.publisher for p in topology.publications} - set(publishers))
    roots = [_server(server, _distributor_facts(topology)) for server in distributors]
    roots += [_publisher(topology, name) for name in publishers]
    placed = {node.tuned for root in roots for node in walk(root) if node.tuned}
    left = [agent for agent in topology.agents if agent.name not in placed]
    return (*roots, *(_agent(agent) for agent in left))


def _server(server: ServerInfo, more: tuple[tuple[str, str], ...] = (), children: tuple[Node, ...] = ()) -> Node:
    title = _("{role} {name}").format(role=ROLES.get(server.role, server.role), name=server.name)
    return Node(
        f"server/{server.role}/{server.name}",
        NodeKind.SERVER,
        title,
        title,
        (*_server_facts(server), *more),
        children=children,
    )


def _server_facts(server: ServerInfo) -> tuple[tuple[str, str], ...]:
    return (
        (_("Version"), named_version(server.version)),
        (_("Edition"), server.edition),
        (_("Logical processors"), value_text(server.cpu_count)),
    )


def _unreached_facts(topology: Topology, name: str) -> tuple[tuple[str, str], ...]:
    return tuple((_("Not reached"), server.reason) for server in topology.unreached if server.name == name)[:1]


def _distributor_facts(topology: Topology) -> tuple[tuple[str, str], ...]:
    readers, deliverers = topology.agents_of(AgentKind.LOG_READER), topology.agents_of(AgentKind.DISTRIBUTION)
    return (
        (_("Distribution database"), topology.distribution_db),
        (_("Log Reader Agents"), value_text(len(readers))),
        (_("Distribution Agents"), value_text(len(deliverers))),
        *((_("Note"), caution) for caution in topology.cautions),
    )


def _publisher(topology: Topology, name: str) -> Node:
    databases = sorted({p.publisher_db for p in topology.publications if p.publisher == name})
    children = tuple(_database(topology, name, database) for database in databases)
    server = next((s for s in topology.servers if s.role == "Publisher" and s.name == name), None)
    if server is not None:
        return _server(server, children=children)
    title = _("Publisher {name}").format(name=name)
    facts = _unreached_facts(topology, name)
    return Node(f"server/Publisher/{name}", NodeKind.SERVER, title, title, facts, children=children)


def _database(topology: Topology, publisher: str, database: str) -> Node:
    of_database = [p for p in topology.publications if (p.publisher, p.publisher_db) == (publisher, database)]
    readers = [
        a for a in topology.agents_of(AgentKind.LOG_READER) if (a.publisher, a.publisher_db) == (publisher, database)
    ]
    return Node(
        key=f"database/{publisher}/{database}",
        kind=NodeKind.DATABASE,
        title=_("Database {name}").format(name=database),
        heading=_("Publication database {name}").format(name=database),
        facts=(
            (_("Publisher"), publisher),
            (_("Publications"), value_text(len(of_database))),
            (_("Log Reader Agent"), ", ".join(agent.name for agent in readers) or NO_VALUE),
        ),
        children=(*(_agent(agent) for agent in readers), *(_publication(topology, p) for p in of_database)),
    )


def _publication(topology: Topology, publication: Publication) -> Node:
    subscriptions = [
        s
        for s in topology.subscriptions
        if (s.publisher_db, s.publication) == (publication.publisher_db, publication.name)
    ]
    return Node(
        key=f"publication/{publication.publisher}/{publication.publisher_db}/{publication.name}",
        kind=NodeKind.PUBLICATION,
        title=_("Publication {name}").format(name=publication.name),
        heading=_("Publication {name}").format(name=publication.name),
        facts=(
            (_("Publication database"), f"{publication.publisher}.{publication.publisher_db}"),
            (_("Articles"), counted(len(publication.articles), _("1 table"), _("{count} tables"))),
            *((_("Article"), article) for article in publication.articles),
            (_("Subscriptions"), value_text(len(subscriptions))),
        ),
        children=tuple(_subscription(topology, publication, s) for s in subscriptions),
    )


def _subscription(topology: Topology, publication: Publication, subscription: Subscription) -> Node:
    place = f"{subscription.subscriber}.{subscription.subscriber_db}"
    server = next((s for s in topology.servers if s.role == "Subscriber" and s.name == subscription.subscriber), None)
    agents = [a for a in topology.agents_of(AgentKind.DISTRIBUTION) if _delivers(a, publication, subscription)]
    return Node(
        key=f"subscription/{publication.publisher}/{publication.publisher_db}/{publication.name}/{place}",
        kind=NodeKind.SUBSCRIPTION,
        title=_("Subscription {place}").format(place=place),
        heading=_("Subscription of {publication} at {place}").format(publication=publication.name, place=place),
        facts=(
            (_("Subscriber"), subscription.subscriber),
            (_("Subscription database"), subscription.subscriber_db),
            (_("Type"), _subscription_type(subscription.subscription_type)),
            *(_server_facts(server) if server is not None else _unreached_facts(topology, subscription.subscriber)),
        ),
        children=tuple(_agent(agent) for agent in agents),
    )


def _delivers(agent: Agent, publication: Publication, subscription: Subscription) -> bool:
    return (
        agent.publisher == publication.publisher
        and agent.publisher_db == publication.publisher_db
        and (agent.is_shared or agent.publication == publication.name)
        and (agent.subscriber, agent.subscriber_db) == (subscription.subscriber, subscription.subscriber_db)
    )


def _subscription_type(kind: str) -> str:
    explained = {
        "push": _("push: its agent runs at the Distributor"),
        "pull": _("pull: its agent runs at the Subscriber"),
    }
    return explained.get(kind, kind)


def _agent(agent: Agent) -> Node:
    title = agent_kind_title(agent.kind)
    heading = _("{kind} {name}").format(kind=title, name=agent.name)
    return Node(f"agent/{agent.kind}/{agent.name}", NodeKind.AGENT, title, heading, tuned=agent.name, opens=True)


def nothing_found(topology: Topology | None) -> str:
    """Return in one sentence that there is no replication, "" where there is."""
    if topology is not None and (topology.agents or topology.publications):
        return ""
    return _("This target has no publication and no replication agent; choose another target.")
