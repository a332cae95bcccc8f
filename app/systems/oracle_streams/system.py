"""Oracle Streams as the rest of the program knows it: the System port."""

from typing import Any, Final

from app.domain.family import Site
from app.domain.naming import DeclaredTexts
from app.domain.past import Past
from app.domain.plan import Plan
from app.domain.preflight import AskedUnseen
from app.domain.rig import RigKind
from app.domain.rights import LoginRights
from app.domain.server import EffectiveParameter, ServerInfo
from app.domain.system import System, Unread
from app.domain.target import Target
from app.drivers.oracle.session import End
from app.foundation.texts import _
from app.systems.oracle_streams.facts import STREAMS_FACTS
from app.systems.oracle_streams.naming import NAME_KINDS, PUBLIC_NAMES
from app.systems.oracle_streams.offer import offer_streams, streams_port, watched
from app.systems.oracle_streams.pipeline import StreamsTopology
from app.systems.oracle_streams.server.changes import CHANGE_DETAILS
from app.systems.oracle_streams.server.rights import read_rights
from app.systems.oracle_streams.site import STREAMS, StreamsSite, kept_settings, read_streams_site, site_of
from app.systems.oracle_streams.subjects import CAPABILITIES, SYSTEM_ID


class OracleStreamsSystem(System):
    """A pipeline of capture, propagation and apply between two Oracle databases."""

    system_id = SYSTEM_ID
    engine = "oracle"
    position = 3
    load_statements = frozenset({"insert_load", "update_load", "commit_load", "rollback_load"})
    capabilities = CAPABILITIES
    facts = STREAMS_FACTS
    texts = DeclaredTexts(details=CHANGE_DETAILS, public=PUBLIC_NAMES, kinds=NAME_KINDS)
    keeps = STREAMS
    site_type = StreamsSite
    asked_unseen = AskedUnseen(
        (
            "own_schema",
            "privileges",
            "dictionary_columns",
            "database_info",
            "purposes",
            "captures",
            "applies",
            "propagations",
            "combined_captures",
            "sample_streams",
            "sample_streams_before_11_2",
            "sample_goldengate",
            "sample_xstream",
            "parameters",
            "all_parameters",
            "server_parameters",
            "apply_errors",
            "transactions",
            "transactions_goldengate",
            "transactions_xstream",
            "archived_logs",
            "capture_health",
            "capture_health_goldengate",
            "capture_health_xstream",
            "server_time",
            "queues",
            "publishers",
            "streams_pool",
            "pool_advice",
            "left_load_tables",
        ),
        only_at={"captures": End.SOURCE, "applies": End.DESTINATION},
        of_each={
            "capture_retention": ("captures", "capture_name"),
            "propagation_schedule": ("propagations", "propagation_name"),
        },
    )

    offer = staticmethod(offer_streams)
    by_hand = staticmethod(offer_streams)
    watched = staticmethod(watched)
    kept_settings = staticmethod(kept_settings)
    site_of = staticmethod(site_of)

    def discover(self, target: Target, unread: Unread) -> StreamsTopology | None:
        """Read databases, processes, paths and parameters."""
        return streams_port(target).discover()

    def servers_of(self, found: StreamsTopology) -> tuple[ServerInfo, ...]:
        """Return the databases at both ends, as other servers are told."""
        return tuple(ServerInfo(d.name, d.role, d.version, d.edition, d.cpu_count) for d in found.databases)

    def home_of(self, found: StreamsTopology) -> ServerInfo | None:
        """Return the destination, where changes are applied."""
        return next((server for server in self.servers_of(found) if server.role == "Destination"), None)

    def read_rights(self, target: Target, discovered: StreamsTopology | None) -> LoginRights:
        """Read the rights of this login at both databases."""
        return read_rights(target.open_connection.session)

    def read_site(self, target: Target, subject: str) -> StreamsSite:
        """Read databases, processes, paths and parameters; raises as `read_streams_site`."""
        return read_streams_site(target)

    def read_leftovers(self, target: Target, site: Site | None = None) -> tuple[str, ...]:
        """Return the test tables a lost session left: the first thing one makes and the last one it drops."""
        return streams_port(target).read_leftovers()

    def rig_kind(self, subject: str) -> RigKind:
        """Return the kind of rig for a pipeline."""
        from app.systems.oracle_streams.rig import STREAMS_RIG  # loads analysis

        return STREAMS_RIG

    def place_of_scripts(self, site: Site, otherwise: str) -> str:
        """Return that each script names its own database."""
        return _("the database the script names") if isinstance(site, StreamsSite) else otherwise

    def read_past(self, target: Target, plan: Plan, _subject: str, _window_h: int) -> tuple[Past, ...]:
        """Read the parameters in effect of each process that has one the plan varied: no history is kept."""
        found, varied = streams_port(target).discover(), {factor.name for factor in plan.factors}
        own: dict[str, list[EffectiveParameter]] = {}
        for parameter in found.parameters:
            own.setdefault(parameter.process, []).append(parameter.effective)
        now = target.clock.now_utc()
        return tuple(
            Past(process, now, (), None, tuple(read))
            for process, read in own.items()
            if varied & {parameter.name for parameter in read}
        )

    def no_history(self, _subject: str) -> str:
        """Return why a database tells nothing of an apply process: its counters begin with each start of it.

        Source: Oracle Database Reference, V$STREAMS_APPLY_COORDINATOR and V$STREAMS_APPLY_SERVER, which hold rows of
        processes that run.
        """
        return _("the database keeps no history of an apply process, as its counters begin anew with each start")

    def observe(self, target: Target, looking: Any) -> Any | None:
        """Watch every path for some seconds."""
        from app.systems.oracle_streams.observing import observe_streams  # loads analysis and rules

        return observe_streams(target, looking)


SYSTEM: Final = OracleStreamsSystem()
