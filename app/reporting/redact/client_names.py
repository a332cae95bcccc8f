"""Which names of the client a session knows, of what kind each is, and the word that stands for it."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import PurePath
from typing import Final
from urllib.parse import parse_qsl, unquote, urlsplit

from app.domain.session import Environment, SessionRecord
from app.foundation.texts import _
from app.systems.availability_groups.groups import GroupTopology
from app.systems.oracle_streams.pipeline import StreamsTopology
from app.systems.transactional_replication.hand_over.tsql import profile_name
from app.systems.transactional_replication.topology import Topology

# Of an agent's name so much stands in the name of the profile that is made for it.
LONGEST_IN_PROFILE: Final = len(profile_name("x" * 999)) - len(profile_name(""))

# Names every installation has: they identify nobody, and replacing them would garble the vendor's own terms.
_PUBLIC_NAMES: Final = frozenset(
    {"", "all", "distribution", "master", "msdb", "tempdb", "model", "lab", "dbo", "sa", "sys", "system", "guest"}
    | {"public", "push", "pull", "primary", "secondary", "publisher", "subscriber", "distributor", "replitune"}
    | {"server", "database", "agent", "target", "table", "login", "publication", "file", "client", "process", "queue"}
    | {"availability group", "localhost", "default", "source", "destination", "log_reader", "streams"}
)

_CLIENT, _FILE, _TARGET, _AGENT, _SERVER, _DOMAIN, _DATABASE, _GROUP, _PUBLICATION, _TABLE, _PROCESS, _QUEUE, _LOGIN = (
    range(13)
)
_FOLDER, _ALSO = 13, 14

# Names in the parameters of statements, in the details of changes and in the load of plans, by their key.
_KINDS_BY_KEY: Final[Mapping[str, int]] = {
    **dict.fromkeys(("publisher", "subscriber", "distributor", "server", "server_name", "servers", "home"), _SERVER),
    **dict.fromkeys(("replica", "replica_server", "secondary", "host", "source_server"), _SERVER),
    **dict.fromkeys(("publisher_db", "subscriber_db", "distribution_db", "database", "database_name"), _DATABASE),
    **dict.fromkeys(("sync_database", "standalone_database", "source_database", "destination_database"), _DATABASE),
    **dict.fromkeys(("group", "group_name"), _GROUP),
    **dict.fromkeys(("agent", "agent_name"), _AGENT),
    **dict.fromkeys(("publication", "publication_name"), _PUBLICATION),
    **dict.fromkeys(("article", "table", "table_name", "tables", "object_name"), _TABLE),
    **dict.fromkeys(("login", "login_name", "user", "user_name", "schema", "schema_name", "source_schema"), _LOGIN),
    **dict.fromkeys(("capture", "apply", "propagation", "process", "path", "session_name"), _PROCESS),
    **dict.fromkeys(("capture_name", "apply_name", "propagation_name", "process_name"), _PROCESS),
    **dict.fromkeys(("queue", "queue_name"), _QUEUE),
    **dict.fromkeys(("folder", "backup_folder", "backup_file", "file", "file_name"), _FOLDER),
}
_PLAIN_OPTIONS: Final = frozenset({"yes", "no", "strict", "sql", "windows", "readonly", "freetds", "mssql-python"})


def client_names(sessions: Sequence[SessionRecord], also: Sequence[str] = ()) -> list[tuple[str, str]]:
    """Return (name, word) of every name some sessions know; a name has one word, whichever session it comes from."""
    found: list[dict[str, None]] = [{} for _kind in range(_ALSO + 1)]
    for kind, name in _all_names(sessions):
        found[kind][name.strip()] = None
    found[_ALSO].update(dict.fromkeys(name.strip() for name in also))
    public = _PUBLIC_NAMES | _program_words(sessions)
    replacements: list[tuple[str, str]] = []
    seen: set[str] = set()
    for kind, names in enumerate(found):
        count = 0
        for name in names:
            folded = name.lower()
            if folded in seen or folded in public or folded.isdigit() or folded.startswith("replitune"):
                continue
            seen.add(folded)
            count += 1
            word = _word(kind)
            replacements.append((name, word if kind == _CLIENT and count == 1 else f"{word} {count}"))
    return replacements


def _word(kind: int) -> str:
    words = {
        _CLIENT: _("Client"),
        _FILE: _("File"),
        _TARGET: _("Target"),
        _AGENT: _("Agent"),
        _SERVER: _("Server"),
        _DOMAIN: _("Domain"),
        _DATABASE: _("Database"),
        _GROUP: _("Availability group"),
        _PUBLICATION: _("Publication"),
        _TABLE: _("Table"),
        _PROCESS: _("Process"),
        _QUEUE: _("Queue"),
        _LOGIN: _("Login"),
        _FOLDER: _("Folder"),
        _ALSO: _("Name"),
    }
    return words[kind]


def _program_words(sessions: Sequence[SessionRecord]) -> set[str]:
    """Return the program's own words in these sessions: a database called as a measure keeps its name."""
    words: set[str] = set()
    for session in sessions:
        measured = [m for run in session.runs for trial in run.trials for m in trial.measurements]
        for m in (*session.imported, *measured):
            words |= {m.family, m.metric, m.unit, m.phase.value, *m.setting, *m.conditions}
        for run in session.runs:
            words |= {run.plan.family, run.status.value, *run.plan.load, *(f.name for f in run.plan.factors)}
    return {word.lower() for word in words}


def _all_names(sessions: Sequence[SessionRecord]) -> Iterator[tuple[int, str]]:
    for session in sessions:
        yield _CLIENT, session.client
        yield from ((_FILE, name) for name in _file_names(session.imported_from))
        for target in _targets(session):
            yield _TARGET, target
            yield from _names_of_target(target)
        for environment in session.environments:
            yield from _environment_names(environment)
        yield from ((_SERVER, name) for statement in session.statements for name in _heads(statement.server))
        for run in session.runs:
            yield from _keyed_names((key, value) for key, value in run.plan.load.items() if isinstance(value, str))
        for entry in session.changes:
            yield from _keyed_names(
                (k, v) for k, v in entry.change.details if isinstance(v, str) and v != session.session_id
            )
        for parameters in dict.fromkeys(statement.parameters for statement in session.statements):
            yield from _keyed_names(_texts_in(parameters))


def _environment_names(environment: Environment) -> Iterator[tuple[int, str]]:
    yield from ((_AGENT, agent.agent) for agent in environment.agents)
    if environment.topology is not None:
        yield from _topology_names(environment.topology)
    if environment.groups is not None:
        yield from _group_names(environment.groups)
    if environment.streams is not None:
        yield from _streams_names(environment.streams)


def _topology_names(topology: Topology) -> Iterator[tuple[int, str]]:
    servers = [server.name for server in topology.servers]
    yield _DATABASE, topology.distribution_db
    for agent in topology.agents:
        yield _AGENT, agent.name
        yield _PUBLICATION, agent.publication
        servers += [agent.publisher, agent.subscriber]
        yield from ((_DATABASE, name) for name in (agent.publisher_db, agent.subscriber_db))
    for publication in topology.publications:
        yield _PUBLICATION, publication.name
        yield _DATABASE, publication.publisher_db
        servers.append(publication.publisher)
        for article in publication.articles:
            yield from ((_TABLE, name) for name in (article, article.rsplit(".", 1)[-1]))
    for subscription in topology.subscriptions:
        yield _PUBLICATION, subscription.publication
        servers.append(subscription.subscriber)
        yield from ((_DATABASE, name) for name in (subscription.publisher_db, subscription.subscriber_db))
    yield from ((_SERVER, head) for name in servers for head in _heads(name))


def _group_names(groups: GroupTopology) -> Iterator[tuple[int, str]]:
    servers = [groups.connected_to, *(server.name for server in groups.servers)]
    servers += [server for server, _why in groups.unreachable] + [volume.server for volume in groups.volumes]
    yield from ((_DATABASE, database.name) for database in groups.databases)
    yield from ((_FOLDER, v.volume) for v in groups.volumes if len(v.volume) > len("C:\\"))
    for group in groups.groups:
        yield _GROUP, group.name
        servers += [group.primary, *(replica.server for replica in group.replicas), *group.listeners]
        servers += [database.server for database in group.databases]
        yield from ((_DATABASE, name) for name in group.database_names())
    yield from ((_SERVER, head) for name in servers for head in _heads(name))


def _streams_names(streams: StreamsTopology) -> Iterator[tuple[int, str]]:
    for database in streams.databases:
        yield from ((_DATABASE, name) for name in _heads(database.name))
    for process in streams.processes:
        yield _PROCESS, process.name
        yield from ((_DATABASE, name) for name in _heads(process.database))
        owner, dot, queue = process.queue.rpartition(".")
        yield from ((_QUEUE, process.queue), (_QUEUE, queue), (_LOGIN, owner if dot else ""))
    for path in streams.paths:
        yield from ((_PROCESS, name) for name in (path.name, path.capture, path.propagation, path.apply))
    yield from ((_PROCESS, parameter.process) for parameter in streams.parameters)


def _keyed_names(pairs: Iterable[tuple[str, str]]) -> Iterator[tuple[int, str]]:
    for key, value in pairs:
        kind = _KINDS_BY_KEY.get(key.lstrip("@:").lower())
        if kind is None or not value:
            continue
        for name in _several(value):
            yield from ((kind, part) for part in (_heads(name) if kind == _SERVER else (name,)))
            if kind == _TABLE:
                yield kind, name.rsplit(".", 1)[-1]


def _several(value: str) -> list[str]:
    """Return the names of a list written as JSON or with bars, or the one name."""
    if value.startswith("["):
        try:
            listed = json.loads(value)
        except ValueError:
            listed = None
        if isinstance(listed, list):
            return [item for item in listed if isinstance(item, str)]
    return [part for part in value.split("|") if part]


def _texts_in(parameters: str) -> Iterator[tuple[str, str]]:
    try:
        named = json.loads(parameters) if parameters else {}
    except ValueError:
        return
    if isinstance(named, dict):
        yield from ((key, value) for key, value in named.items() if isinstance(value, str))


def _targets(session: SessionRecord) -> list[str]:
    keys = [environment.target for environment in session.environments]
    keys += [run.target for run in session.runs]
    keys += [entry.target for entry in session.changes]
    return [key for key in dict.fromkeys(keys) if not re.match(r"lab($|[:@])", key)]


def _file_names(path: str) -> list[str]:
    return [path, PurePath(path).name, path.replace("\\", "/").rsplit("/", 1)[-1]] if path else []


def _names_of_target(key: str) -> Iterator[tuple[int, str]]:
    """Yield login, host, service and the names in the options of a target given as an address."""
    try:
        parts = urlsplit(key)
        login, host = unquote(parts.username or ""), unquote(parts.hostname or "")
    except ValueError:
        return
    yield from ((_SERVER, name) for name in _heads(host))
    yield _LOGIN, login
    domain, slash, account = login.partition("\\")
    yield from ((_DOMAIN, domain), (_LOGIN, account)) if slash else ()
    account, at, realm = login.partition("@")
    yield from ((_LOGIN, account), (_DOMAIN, realm)) if at else ()
    if parts.scheme:
        yield _DATABASE, unquote(parts.path.strip("/"))
    for name, value in parse_qsl(parts.query):
        named = name.partition(".")[2]
        yield from ((_SERVER, head) for head in _heads(named))
        if value.lower() not in _PLAIN_OPTIONS and not value.startswith("entra-") and not value.isdigit():
            yield from ((_SERVER, head) for head in _heads(value.split(",")[0]))


def _heads(name: str) -> tuple[str, ...]:
    """Return a server's name, and what of it still says whose it is: without instance or domain, and the domain."""
    host = re.split(r"[\\,]", name)[0]
    head, _dot, domain = host.partition(".")
    if re.fullmatch(r"[\d.]+", host):
        return name, host
    return (name, host, head, domain) if "." in domain else (name, host, head)
