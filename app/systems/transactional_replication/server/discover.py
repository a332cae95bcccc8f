"""Discovery: servers, publications, subscriptions and agents of one Distributor."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Final

from app.domain.connection import ToChoose
from app.domain.errors import (
    Absent,
    BadInput,
    LoginFailed,
    NotChosen,
    PermissionDenied,
    StatementCancelled,
    TargetError,
)
from app.domain.server import ServerInfo
from app.drivers.sqlserver.session import Place, Rows, Session
from app.foundation.rows import Row
from app.foundation.texts import _
from app.model.reading import read_as
from app.systems.transactional_replication.agent_kind import AgentKind
from app.systems.transactional_replication.spelling import ServersSpelling, spelled_as
from app.systems.transactional_replication.topology import (
    Agent,
    Publication,
    RunsElsewhere,
    Subscription,
    SubscriptionNature,
    Topology,
    UnreachedServer,
    runs_elsewhere,
)

AZURE: Final = "SQL Azure"
"""What such a service calls its edition."""

_MOST_TOLD: Final = 3
# A shop has a server, and a chain has hundreds of shops: each one asked costs its owner a connection, and one that is
# switched off costs 15 s. Of so many Subscribers none is asked that no plan concerns.
_MOST_ASKED: Final = 24

_End = tuple[str, str]
"""A Publisher and a publication database."""


def find_distribution_db(session: Session) -> str:
    """Return the distribution database's name, of several the one that the target names.

    Raises:
        Absent: the server is not a Distributor.
        NotChosen: it has several distribution databases and the target names none of them.
        BadInput: it is a secondary replica there.
    """
    return own_distribution_db(session).text("distribution_db")


def why_secondary(session: Session, distribution_db: str) -> str:
    """Return the remedy where a distribution database is a secondary replica at its server by now, "" elsewhere."""
    rows = _distribution_dbs(session)
    return next((_why_secondary(session, row) for row in rows if row.text("distribution_db") == distribution_db), "")


def _why_secondary(session: Session, row: Row) -> str:
    if row.whole("is_in_group") == 0 or row.whole("is_writable") == 1:
        return ""
    server, database = session.own_server, row.text("distribution_db")
    names: list[str] = []
    with suppress(PermissionDenied):
        for told in session.run("distribution_primary", Place(server, "master"), database_name=database):
            names = [told.text("primary_replica"), told.text("listener")]
    known = [name for name in names if name and name.casefold() != server.casefold()]
    words = (
        _(
            "the distribution database {database} is a secondary replica of its availability group at {server} now, "
            "where no agent runs and nothing can be changed; connect to its primary replica, which is reached as "
            "{names}"
        )
        if known
        else _(
            "the distribution database {database} is a secondary replica of its availability group at {server} now, "
            "where no agent runs and nothing can be changed; connect to the listener of the group, or to its primary "
            "replica"
        )
    )
    return words.format(database=database, server=server, names=" / ".join(known))


def _distribution_dbs(session: Session) -> Rows:
    return session.run("distribution_databases", Place(session.own_server, "master"))


def own_distribution_db(session: Session) -> Row:
    """Return the Distributor's own distribution database; raises as `find_distribution_db`."""
    row = _meant_distribution_db(session)
    if why := _why_secondary(session, row):
        raise BadInput(why)
    return row


def _meant_distribution_db(session: Session) -> Row:
    rows = _distribution_dbs(session)
    names = [row.text("distribution_db") for row in rows]
    if not names:
        raise Absent(
            _("{server} is not a Distributor: it has no distribution database; connect to the Distributor").format(
                server=session.own_server
            )
        )
    if not session.database and len(names) == 1:
        return rows[0]
    named = [row for row in rows if row.text("distribution_db").casefold() == session.database.casefold()]
    if len(named) == 1:
        return named[0]
    if session.database:
        question = _("{server} has no distribution database {database}")
        why = _("{server} has no distribution database {database}; it has {names}")
    else:
        question = _("{server} has several distribution databases")
        why = _(
            "{server} has several distribution databases: {names}; say which one is meant, with database=NAME in the "
            "target or in the form of the server"
        )
    told = partial(str.format, server=session.own_server, database=session.database, names=", ".join(names))
    raise NotChosen(ToChoose(told(why), told(question), option="database", names=tuple(names)))


def discover(session: Session, own: Row, spelling: ServersSpelling) -> Topology:
    """Read the whole topology; a server that cannot be asked stands among the unreached.

    Args:
        own: as of `own_distribution_db`.
        spelling: the equality of names at each server.

    Raises:
        TargetError: the Distributor cannot be read.
    """
    distribution_db, is_in_group = own.text("distribution_db"), own.whole("is_in_group") == 1
    place = Place(session.own_server, distribution_db)
    publications = _publications(session.run("publications", place))
    names = OneSpelling(publications, spelling, session.own_server)
    subscriptions = tuple(
        names.of_subscription(read_as(Subscription, row)) for row in session.run("subscriptions", place)
    )
    redirected = {
        (end[0], names.database(*end)): at
        for end, at in _redirected(session.run("redirected_publishers", place)).items()
    }
    found = (names.of_agent(read_as(Agent, row), subscriptions) for row in session.run("agents", place))
    agents = tuple(replace(a, redirected=redirected.get((a.publisher, a.publisher_db), "")) for a in found)
    elsewhere = read_elsewhere(session, distribution_db)
    publishers, subscribers = _servers_named(publications, subscriptions, agents, redirected)
    unasked = subscribers if len(subscribers) > _MOST_ASKED else ()
    asked = (
        *(_ask_server(session, name, "Publisher") for name in publishers),
        _server(session, session.own_server, "Distributor"),
        *(ask_subscriber(session, name) for name in subscribers if not unasked),
    )
    servers = tuple(server for server in asked if isinstance(server, ServerInfo))
    unreached = tuple(server for server in asked if isinstance(server, UnreachedServer))
    cautions = (
        *((_in_group(distribution_db),) if is_in_group else ()),
        *(_through_listener(end, listener) for end, listener in sorted(redirected.items())),
        *(not_for_experiments(server) for server in servers if is_azure(server)),
        *_unnamed(agents),
        *_of_other_kinds(agents, read_natures(session, distribution_db) or ()),
        *_elsewhere(agents, elsewhere),
        *_not_asked(unasked),
    )
    return Topology(
        distribution_db, servers, publications, subscriptions, agents, unreached, cautions, elsewhere, unasked
    )


class OneSpelling:
    """Gives what the tables of the distribution database spell in several ways one name: that of the publications."""

    def __init__(self, publications: Sequence[Publication], spelling: ServersSpelling, distributor: str) -> None:
        self._spelling, self._here = spelling, spelling.at(distributor)
        self._publications: dict[_End, set[str]] = {}
        self._databases: dict[str, set[str]] = {}
        for publication in publications:
            end = (publication.publisher, publication.publisher_db)
            self._publications.setdefault(end, set()).add(publication.name)
            self._databases.setdefault(publication.publisher, set()).add(publication.publisher_db)

    def database(self, publisher: str, name: str) -> str:
        """Return the publication database of a Publisher."""
        known = self._databases.setdefault(publisher, set())
        meant = spelled_as(name, known, self._spelling.at(publisher))
        known.add(meant)  # of a database without publications the first spelling counts
        return meant

    def of_agent(self, agent: Agent, subscriptions: Sequence[Subscription]) -> Agent:
        """Return an agent with the names the publications and subscriptions have."""
        database = self.database(agent.publisher, agent.publisher_db)
        known = self._publications.get((agent.publisher, database), set())
        subscribers = {one.subscriber for one in subscriptions}
        subscriber = spelled_as(agent.subscriber, subscribers, self._here)
        copies = {one.subscriber_db for one in subscriptions if one.subscriber == subscriber}
        # a database is called as its own server has it; of hundreds of Subscribers none is asked
        there = self._here if len(subscribers) > _MOST_ASKED else self._spelling.at(subscriber)
        return replace(
            agent,
            publisher_db=database,
            publication=spelled_as(agent.publication, known, self._here),
            subscriber=subscriber,
            subscriber_db=spelled_as(agent.subscriber_db, copies, there),
        )

    def of_subscription(self, one: Subscription) -> Subscription:
        """Return a subscription with the names the publications have; its table names no Publisher."""
        databases = set().union(*self._databases.values())
        database = spelled_as(one.publisher_db, databases, self._here)
        known = {name for end, names in self._publications.items() if end[1] == database for name in names}
        return replace(one, publisher_db=database, publication=spelled_as(one.publication, known, self._here))


def _not_asked(subscribers: Sequence[str]) -> tuple[str, ...]:
    if not subscribers:
        return ()
    words = _("{count} Subscribers are not asked, as there are so many; each is read when a plan concerns it")
    return (words.format(count=len(subscribers)),)


def _elsewhere(agents: Sequence[Agent], elsewhere: Sequence[RunsElsewhere]) -> tuple[str, ...]:
    """Return a sentence on each agent that runs elsewhere; of many, on the first ones and the number of others."""
    age_s = {(one.kind, one.agent_id): one.age_s for one in elsewhere}
    found = [
        (agent.name, age_s[agent.kind, agent.agent_id]) for agent in agents if (agent.kind, agent.agent_id) in age_s
    ]
    told = [runs_elsewhere(name, age) for name, age in found[:_MOST_TOLD]]
    more = len(found) - len(told)
    rest = _("{count} more agents run outside SQL Server Agent in the same way").format(count=more)
    return (*told, rest) if more else tuple(told)


def _unnamed(agents: Sequence[Agent]) -> tuple[str, ...]:
    count = sum(not agent.is_named for agent in agents)
    if not count:
        return ()
    words = _(
        "agents of servers that the distribution database has no name for (MSreplservers), which are listed, and "
        "neither measured nor asked: {count}"
    )
    return (words.format(count=count),)


def _of_other_kinds(agents: Sequence[Agent], natures: Sequence[SubscriptionNature]) -> tuple[str, ...]:
    """Return a sentence for the Subscribers several streams are not meant for, however many there are."""
    names = {agent.agent_id: agent.name for agent in agents if agent.kind is AgentKind.DISTRIBUTION}
    said: list[str] = []
    for words, found in (
        (_("Subscribers that send changes back (updatable): {agents}"), [n for n in natures if n.is_updatable]),
        (_("Subscribers that are no SQL Servers: {agents}"), [n for n in natures if n.is_other_engine]),
    ):
        told = [names[one.agent_id] for one in found if one.agent_id in names]
        if told:
            more = [] if len(told) <= _MOST_TOLD else [_("and {count} more").format(count=len(told) - _MOST_TOLD)]
            said.append(words.format(agents=", ".join([*told[:_MOST_TOLD], *more])))
    return tuple(said)


def read_natures(session: Session, distribution_db: str) -> tuple[SubscriptionNature, ...] | None:
    """Read which Subscribers are of another kind, None where this login may not."""
    try:
        rows = session.run("subscription_natures", Place(session.own_server, distribution_db))
    except PermissionDenied:
        return None
    return tuple(read_as(SubscriptionNature, row) for row in rows)


def read_peers(session: Session, agent: Agent) -> bool | None:
    """Tell whether an agent delivers a peer-to-peer publication, None where its Publisher does not tell."""
    name = "" if agent.is_shared else agent.publication
    try:
        rows = session.run("publication_options", Place(agent.publisher_at, agent.publisher_db), publication=name)
    except StatementCancelled:
        raise
    except TargetError:
        return None
    return rows[0].whole("peers") > 0 if rows[0].whole("publications") else None


def read_elsewhere(session: Session, distribution_db: str) -> tuple[RunsElsewhere, ...]:
    """Read which agents run outside SQL Server Agent; none where this login may not see their jobs."""
    try:
        rows = session.run("agents_elsewhere", Place(session.own_server, distribution_db))
    except PermissionDenied:
        return ()
    return tuple(read_as(RunsElsewhere, row) for row in rows)


def _servers_named(
    publications: Sequence[Publication],
    subscriptions: Sequence[Subscription],
    agents: Sequence[Agent],
    redirected: Mapping[_End, str],
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the Publishers and the Subscribers anything names, each once."""
    published = [redirected.get((p.publisher, p.publisher_db), p.publisher) for p in publications]
    publishers = _distinct(published + [agent.publisher_at for agent in agents if agent.publisher_at])
    subscribers = _distinct([s.subscriber for s in subscriptions] + [a.subscriber for a in agents if a.subscriber])
    return publishers, subscribers


def read_destination_tables(session: Session, distribution_db: str, agent: Agent) -> tuple[str, ...]:
    """Return `schema.table` at the Subscriber of every article the agent delivers, sorted."""
    rows = session.run("publications", Place(session.own_server, distribution_db))
    return _distinct(
        f"{row.text('destination_owner')}.{row.text('destination_object')}"
        for row in rows
        if _end(row) == (agent.publisher, agent.publisher_db)
        and (agent.is_shared or agent.publication == row.text("publication"))
        and not row.is_null("destination_object")
    )


def ask_subscriber(session: Session, name: str) -> ServerInfo | UnreachedServer:
    """Return a Subscriber, or why it cannot be asked."""
    return _ask_server(session, name, "Subscriber")


def _ask_server(session: Session, name: str, role: str) -> ServerInfo | UnreachedServer:
    """Return a server other than the Distributor, or why it cannot be asked: sites are not whole."""
    try:
        return _server(session, name, role)
    except StatementCancelled:
        raise
    except TargetError as error:
        if name == session.own_server:
            raise
        return UnreachedServer(
            name, role, str(error), isinstance(error, PermissionDenied), isinstance(error, LoginFailed)
        )


def _server(session: Session, name: str, role: str) -> ServerInfo:
    return read_as(ServerInfo, session.run("server_info", Place(name, "master"))[0], name=name, role=role)


def _publications(rows: Rows) -> tuple[Publication, ...]:
    articles: dict[tuple[str, str, str], list[tuple[str, str]]] = {}
    for row in rows:
        own = articles.setdefault((*_end(row), row.text("publication")), [])
        if not row.is_null("article"):
            own.append((row.text("article"), f"{row.text('source_owner')}.{row.text('source_object')}"))
    return tuple(
        Publication(*key, tuple(name for name, _table in own), tuple(table for _name, table in own))
        for key, own in articles.items()
    )


def _redirected(rows: Rows) -> Mapping[_End, str]:
    """Return the listener of each Publisher and publication database that has one."""
    return {_end(row): row.text("redirected") for row in rows}


def _end(row: Row) -> _End:
    return row.text("publisher"), row.text("publisher_db")


def _through_listener(end: _End, listener: str) -> str:
    return _("Database {database} of {publisher} is in an availability group and is asked at {listener}").format(
        database=end[1], publisher=end[0], listener=listener
    )


def _in_group(distribution_db: str) -> str:
    return _(
        "The distribution database {database} is in an availability group: agent profiles and jobs are "
        "in msdb of each replica and do not fail over with it, so what is changed here takes effect at "
        "this replica only"
    ).format(database=distribution_db)


def is_azure(server: ServerInfo) -> bool:
    """Tell whether a server is a service of Azure: a Managed Instance, or a database as Subscriber.

    Source: MicrosoftDocs/sql-docs:docs/t-sql/functions/serverproperty-transact-sql.md (Edition).
    """
    return server.edition == AZURE


def not_for_experiments(server: ServerInfo) -> str:
    """Return the sentence on the parts that work at a service of Azure."""
    return _(
        "{server} is a service of Azure (Managed Instance or SQL Database): it can be observed, and experiments are "
        "not supported there"
    ).format(server=server.name)


def _distinct(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(set(names)))
