"""Discovery: servers, publications, subscriptions and agents of one Distributor."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Final

from app.domain.errors import BadInput, PermissionDenied, StatementCancelled, TargetError, Unsupported
from app.domain.server import ServerInfo
from app.drivers.sqlserver.session import Place, Rows, Session
from app.foundation.rows import Row
from app.foundation.texts import _
from app.model.reading import read_as
from app.systems.transactional_replication.topology import Agent, Publication, Subscription, Topology, UnreachedServer

AZURE: Final = "SQL Azure"
"""What such a service calls its edition."""

_End = tuple[str, str]
"""A Publisher and a publication database."""


def find_distribution_db(session: Session) -> str:
    """Return the distribution database's name, of several the one that the target names.

    Raises:
        Unsupported: the server is not a Distributor, has several and the target names none, or has none of that name.
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
        raise Unsupported(
            _("{server} is not a Distributor: it has no distribution database; connect to the Distributor").format(
                server=session.own_server
            )
        )
    if not session.database and len(names) == 1:
        return rows[0]
    named = [row for row in rows if row.text("distribution_db").casefold() == session.database.casefold()]
    if len(named) == 1:
        return named[0]
    why = (
        _("{server} has no distribution database {database}; it has {names}")
        if session.database
        else _(
            "{server} has several distribution databases: {names}; say which one is meant, with database=NAME in the "
            "target or in the form of the server"
        )
    )
    raise Unsupported(why.format(server=session.own_server, database=session.database, names=", ".join(names)))


def discover(session: Session, own: Row) -> Topology:
    """Read the whole topology; a server that cannot be asked stands among the unreached.

    Args:
        own: as of `own_distribution_db`.

    Raises:
        TargetError: the Distributor cannot be read.
    """
    distribution_db, is_in_group = own.text("distribution_db"), own.whole("is_in_group") == 1
    place = Place(session.own_server, distribution_db)
    publications = _publications(session.run("publications", place))
    subscriptions = tuple(read_as(Subscription, row) for row in session.run("subscriptions", place))
    redirected = _redirected(session.run("redirected_publishers", place))
    agents = tuple(
        read_as(Agent, row, redirected=redirected.get(_end(row), "")) for row in session.run("agents", place)
    )
    publishers, subscribers = _servers_named(publications, subscriptions, agents, redirected)
    asked = (
        *(_ask_server(session, name, "Publisher") for name in publishers),
        _server(session, session.own_server, "Distributor"),
        *(_ask_server(session, name, "Subscriber") for name in subscribers),
    )
    servers = tuple(server for server in asked if isinstance(server, ServerInfo))
    unreached = tuple(server for server in asked if isinstance(server, UnreachedServer))
    cautions = (
        *((_in_group(distribution_db),) if is_in_group else ()),
        *(_through_listener(end, listener) for end, listener in sorted(redirected.items())),
        *(not_for_experiments(server) for server in servers if is_azure(server)),
    )
    return Topology(distribution_db, servers, publications, subscriptions, agents, unreached, cautions)


def _servers_named(
    publications: Sequence[Publication],
    subscriptions: Sequence[Subscription],
    agents: Sequence[Agent],
    redirected: Mapping[_End, str],
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the Publishers and the Subscribers anything names, each once."""
    published = [redirected.get((p.publisher, p.publisher_db), p.publisher) for p in publications]
    publishers = _distinct(published + [agent.publisher_at for agent in agents])
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


def _ask_server(session: Session, name: str, role: str) -> ServerInfo | UnreachedServer:
    """Return a server other than the Distributor, or why it cannot be asked: sites are not whole."""
    try:
        return _server(session, name, role)
    except StatementCancelled:
        raise
    except TargetError as error:
        if name == session.own_server:
            raise
        return UnreachedServer(name, role, str(error), isinstance(error, PermissionDenied))


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
    return _("{database} of {publisher} is in an availability group and is asked at {listener}").format(
        database=end[1], publisher=end[0], listener=listener
    )


def _in_group(distribution_db: str) -> str:
    return _(
        "the distribution database {database} is in an availability group: agent profiles and jobs are "
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
