"""The rights of a login at Distributor, Publishers and Subscribers: those of each way of working's statements."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from app.domain.errors import BadInput, Unsupported
from app.domain.rights import LoginRights, Mode, Use
from app.drivers.sqlserver.catalogue import ANY_SERVER
from app.drivers.sqlserver.permissions import SYSADMIN
from app.drivers.sqlserver.rights import Answer, RightsReader, database_of, needed, uses_of
from app.drivers.sqlserver.scripts import identifier
from app.drivers.sqlserver.session import Place, Session
from app.foundation.texts import _
from app.systems.transactional_replication import places
from app.systems.transactional_replication.server.discover import find_distribution_db
from app.systems.transactional_replication.subjects import SUBJECTS
from app.systems.transactional_replication.topology import Topology

_TOPOLOGY: Final = frozenset(
    {"publications", "subscriptions", "agents", "server_info", "distribution_databases", "redirected_publishers"}
)
_PARAMETERS: Final = frozenset({"agent_profile", "profile_parameters", "parameter_limits", "job_step_tokens"})
_WATCHED: Final = frozenset(
    {
        "agent_session",
        "distributor_sample",
        "job_activity",
        "job_step_token",
        "load_table",
        "local_time",
        "own_profiles",
        "profile_by_name",
        "publisher_sample",
        "write_load",
    }
)
_EXPLAINING: Final = frozenset(
    {
        "agent_backlog",
        "agent_history",
        "agent_statistics",
        "agents_elsewhere",
        "command_bytes",
        "names_alike",
        "other_programs",
        "past_work",
        "publication_options",
        "subscription_natures",
        "job_failure",
        "job_outcome",
        "round_trip",
        "subscriber_objects",
        "transfer_probe",
    }
)
_TOKENS: Final = frozenset({"delete_tracer_token", "own_tracer_tokens", "post_tracer_token", "tracer_token"})
_CHANGES: Final = frozenset(
    {
        "add_profile",
        "assign_profile",
        "copy_profile_parameters",
        "drop_profile",
        "drop_profile_parameter",
        "set_job_enabled",
        "set_job_step_token",
        "set_profile_parameter",
        "start_job",
        "stop_job",
    }
)

REQUIRED: Final[Mapping[Mode, frozenset[str]]] = {
    Mode.OBSERVE: _TOPOLOGY | {"agent_hours"},
    Mode.GUIDED: _TOPOLOGY | _PARAMETERS | _WATCHED,
    Mode.HANDS_ON: _TOPOLOGY | _PARAMETERS | _WATCHED | _CHANGES,
}
"""What a way of working sends and cannot do without."""

OPTIONAL: Final[Mapping[Mode, frozenset[str]]] = {
    Mode.OBSERVE: _PARAMETERS
    | {
        "agent_backlog",
        "agent_statistics",
        "agents_elsewhere",
        "names_alike",
        "subscription_natures",
        "distributor_sample",
        "own_profiles",
        "publisher_sample",
        "subscriber_objects",
    },
    Mode.GUIDED: _EXPLAINING,
    Mode.HANDS_ON: _EXPLAINING | _TOKENS | {"job_starts"},
}
"""What it sends besides, and goes on without where it is refused; `pending_commands` is not worth db_owner."""


def read_rights(session: Session, topology: Topology) -> LoginRights:
    """Read the rights of this login at every server of a topology that lets it in."""
    reading = _Reading(RightsReader(session, _SCRIPTS))
    reading.ask(session.own_server, _distributor(topology.distribution_db))
    silent = topology.silent
    publishers = {
        (agent.publisher_at, agent.publisher_db) for agent in topology.agents if agent.publisher_at not in silent
    }
    subscribers = {
        (agent.subscriber, agent.subscriber_db)
        for agent in topology.agents
        if agent.subscriber and agent.subscriber not in silent.union(topology.unasked)
    }
    for server, database in sorted(publishers):
        reading.ask(server, _publisher(database))
    for server, database in sorted(subscribers):
        reading.ask(server, _subscriber(database))
    return reading.reader.found


def read_first_rights(session: Session) -> LoginRights:
    """Read the rights at a Distributor whose topology this login may not read yet; nothing where there is none."""
    try:
        distribution_db = find_distribution_db(session)
    except Unsupported:
        return LoginRights("", ())
    except BadInput as error:
        return LoginRights("", (), (str(error),))
    reading = _Reading(RightsReader(session, _SCRIPTS))
    reading.ask(session.own_server, _distributor(distribution_db))
    reading.reader.unread.append(
        _(
            "which Publishers and Subscribers there are is recorded in {database}: once the script has been "
            "run there, check again what is needed at them"
        ).format(database=distribution_db)
    )
    return reading.reader.found


@dataclass(frozen=True)
class _Role:
    """A server as a part of replication.

    Attributes:
        asked: the statement that asks for rights, by the database it runs in.
        databases: names of those databases, as headers call them.
        sentences: why something is needed, by database, "" for the server itself.
        optional_sentences: what is left out without something that is not needed, likewise; where it differs.
        is_optional: whether work goes on where it tells nothing.
    """

    runs_at: str
    asked: Mapping[str, str]
    databases: Mapping[str, str]
    sentences: Mapping[str, Callable[[], str]]
    optional_sentences: Mapping[str, Callable[[], str]] = field(default_factory=dict)
    is_optional: bool = False


def _distributor(distribution_db: str) -> _Role:
    return _Role(
        places.DISTRIBUTOR,
        {distribution_db: "distribution_rights", "msdb": "job_rights"},
        {places.DISTRIBUTION_DATABASE: distribution_db, "msdb": "msdb", "master": "master"},
        {
            "": lambda: _("versions, waits and free disk are read"),
            distribution_db: lambda: _("topology, history and queues are read from the distribution database"),
            "msdb": lambda: _("profiles, the parameters in job steps, and whether an agent runs are read there"),
        },
        {
            distribution_db: lambda: _("what waits for delivery is counted"),
            "msdb": lambda: _("the parameters in effect are read, how an agent's job ended, and what else ran"),
        },
    )


def _publisher(database: str) -> _Role:
    return _Role(
        places.PUBLISHER,
        {database: "publication_rights", "msdb": "history_rights"},
        {places.PUBLICATION_DATABASE: database, "msdb": "msdb", "master": "master"},
        {
            "": lambda: _("the use of the publication database's log is watched"),
            database: lambda: _(
                "sp_replcounters counts what is not yet read, the test table is written, and tracer tokens are posted"
            ),
            "msdb": _why_history,
        },
    )


def _subscriber(database: str) -> _Role:
    return _Role(
        places.SUBSCRIBER,
        {database: "subscription_rights", "msdb": "history_rights"},
        {places.SUBSCRIPTION_DATABASE: database, "msdb": "msdb", "master": "master"},
        {
            "": lambda: _("its version and processors are read"),
            database: lambda: _("the link is measured, and what makes streams block each other is counted"),
            "msdb": _why_history,
        },
        is_optional=True,
    )


@dataclass
class _Reading:
    """Asks each place once."""

    reader: RightsReader
    _servers: dict[str, Answer | None] = field(default_factory=dict)

    def ask(self, server: str, role: _Role) -> None:
        """Ask a server and its databases, and keep the rights each way of working needs there."""
        if server not in self._servers:
            self._servers[server] = self.reader.ask_server(server)
        here = self._servers[server]
        answers: dict[str, Answer | None] = {"": here}
        if here is not None:
            answers |= {name: self.reader.ask(statement, Place(server, name)) for name, statement in role.asked.items()}
        for mode in Mode:
            if mode is Mode.HANDS_ON and role.runs_at == places.DISTRIBUTOR:
                # A member of sysadmin needs nothing else there.
                self.reader.add(server, "", SYSADMIN, here, _why_sysadmin(), uses_of(SUBJECTS, [mode]))
                continue
            self._add(server, role, answers, REQUIRED[mode], mode, is_optional=role.is_optional)
            self._add(server, role, answers, OPTIONAL[mode], mode, is_optional=True)

    def _add(
        self,
        server: str,
        role: _Role,
        answers: Mapping[str, Answer | None],
        statements: Iterable[str],
        mode: Mode,
        *,
        is_optional: bool,
    ) -> None:
        uses = uses_of(SUBJECTS, [mode])
        listed = sorted(statements)
        sentences = {**role.sentences, **(role.optional_sentences if is_optional else {})}
        for place, database in role.databases.items():
            for runs_at in (role.runs_at, ANY_SERVER):
                for need in sorted(needed(listed, (runs_at, place)), key=lambda need: need.right):
                    where = database_of(need, database)
                    required, optional = (frozenset[Use](), uses) if is_optional else (uses, frozenset[Use]())
                    because = sentences[where]()
                    self.reader.add(server, where, need.right, answers.get(where), because, required, optional)


def _why_history() -> str:
    return _("which backups and jobs ran during a trial is noted beside it")


def _why_sysadmin() -> str:
    return _("only members of sysadmin may change agent profiles and job steps")


def _numbers(verb: str, to: str, database: str, member: str) -> str:
    """Return the statement that lets a login know which table numbers the servers, or takes that back.

    Builds before 2016 SP2 CU3 and 2017 CU6 have no table of their own; there the login must be able to see that.
    """
    return (
        f"USE {identifier(database)}; IF OBJECT_ID(N'dbo.MSreplservers') IS NULL {verb} VIEW DEFINITION {to} "
        f"{identifier(member)} ELSE {verb} SELECT ON dbo.MSreplservers {to} {identifier(member)};"
    )


_SCRIPTS: Final = {"SELECT on dbo.MSreplservers": _numbers}
