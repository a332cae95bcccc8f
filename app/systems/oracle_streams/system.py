"""Oracle Streams as the rest of the program knows it: the System port."""

from collections.abc import Mapping
from typing import Any, Final

from app.domain.facts import FactKind
from app.domain.family import Evidence, Site
from app.domain.naming import DeclaredTexts
from app.domain.plan import Plan
from app.domain.rig import RigKind
from app.domain.rights import LoginRights
from app.domain.server_versions import SERVER_VERSION
from app.domain.session import Environment
from app.domain.system import KeptSettings, SystemLab, Unread
from app.domain.target import Connection, Offer, Target
from app.foundation.texts import _
from app.systems.oracle_streams.facts import STREAMS_FACTS
from app.systems.oracle_streams.offer import offer_by_hand, offer_streams, streams_port
from app.systems.oracle_streams.pipeline import StreamsTopology
from app.systems.oracle_streams.polling import read_now
from app.systems.oracle_streams.server.rights import read_rights
from app.systems.oracle_streams.site import (
    StreamsSite,
    kept_settings,
    kept_streams,
    read_streams_site,
    streams_environment,
    streams_site_of,
)
from app.systems.oracle_streams.subjects import CAPABILITIES, SYSTEM_ID


class OracleStreamsSystem:
    """A pipeline of capture, propagation and apply between two Oracle databases."""

    system_id: str = SYSTEM_ID
    engine: str = "oracle"
    position: int = 3
    load_statements: frozenset[str] = frozenset({"insert_load", "update_load", "commit_load", "rollback_load"})
    statement_places: frozenset[str] = frozenset()
    capabilities: Mapping[str, str] = CAPABILITIES

    @property
    def lab(self) -> SystemLab:
        """Its databases, simulated."""
        from app.systems.oracle_streams.lab_server.open import LAB  # the simulation is a large import

        return LAB

    @property
    def facts(self) -> tuple[FactKind, ...]:
        """What its families and its observing tell the rules."""
        return STREAMS_FACTS

    @property
    def derived_titles(self) -> Mapping[str, str]:
        """What numbers are that shipped rules work out."""
        return {}

    def offer(self, connection: Connection) -> Offer:
        """Return what the two databases of a pipeline offer."""
        return offer_streams(connection)

    def by_hand(self, connection: Connection, gate: Any) -> Offer:
        """Return what a pipeline offers where every change is asked of the client's DBA."""
        return offer_by_hand(connection, gate)

    def discover(self, target: Target, _unread: Unread) -> StreamsTopology | None:
        """Read databases, processes, paths and parameters."""
        return streams_port(target).discover()

    def read_rights(self, target: Target, _discovered: StreamsTopology | None) -> LoginRights:
        """Read what this login may do at both databases."""
        return read_rights(target.open_connection.session)

    def rights_at(self, target: Target, _site: Site, _plan: Plan) -> LoginRights:
        """Read what this login may do at both databases."""
        return read_rights(target.open_connection.session)

    def read_site(self, target: Target, _subject: str) -> StreamsSite:
        """Read databases, processes, paths and parameters; raises as `read_streams_site`."""
        return read_streams_site(target)

    def read_left(self, target: Target, _site: Site | None = None) -> tuple[str, ...]:
        """Return the test tables a lost session left: the first thing one makes and the last one it drops."""
        return streams_port(target).read_left()

    def environment(self, target: Target, site: Site) -> Environment:
        """Return what was read, for the report."""
        return streams_environment(target, site)

    def kept(self, environment: Environment) -> StreamsTopology | None:
        """Return what is kept of a pipeline."""
        return kept_streams(environment)

    def kept_settings(self, environment: Environment) -> KeptSettings:
        """Return the parameters in effect and the databases."""
        return kept_settings(environment)

    def kept_site(self, environment: Environment, _subject: str) -> StreamsSite | None:
        """Return the site an environment was read from."""
        return streams_site_of(environment)

    def rig_kind(self, _subject: str) -> RigKind:
        """Return what a run needs of a pipeline."""
        from app.systems.oracle_streams.rig import STREAMS_RIG  # loads analysis

        return STREAMS_RIG

    def place_of_scripts(self, site: Site, otherwise: str) -> str:
        """Return that each script names its own database."""
        return _("the database the script names") if isinstance(site, StreamsSite) else otherwise

    def engine_version(self, piece: Evidence) -> str:
        """Return the version of the destination, where it is applied; a file may state it by number."""
        if isinstance(piece.site, StreamsSite):
            return next((d.version for d in piece.site.topology.databases if d.role == "Destination"), "")
        return str(piece.conditions.get(SERVER_VERSION, "")).strip()

    def observe(self, target: Target, looking: Any) -> Any | None:
        """Watch every path for some seconds."""
        from app.systems.oracle_streams.observing import observe_streams  # loads analysis and rules

        return observe_streams(target, looking)

    def read_now(self, target: Target, discovered: StreamsTopology, _earlier: Any | None) -> Any | None:
        """Read every path, None where there is none."""
        return read_now(target, discovered)

    def declared_texts(self) -> DeclaredTexts:
        """Return whose words the texts are that it leaves in a session."""
        from app.systems.oracle_streams.declared import declared_texts  # reads every statement

        return declared_texts()

    def load_views(self) -> Any:
        """Return what the window and the command line show of Streams."""
        from app.systems.oracle_streams.views import VIEWS  # only where something is shown

        return VIEWS

    def load_hand_over(self) -> Any:
        """Return what reports and scripts say of Streams."""
        from app.systems.oracle_streams.hand_over import HAND_OVER  # only where something is written

        return HAND_OVER


SYSTEM: Final = OracleStreamsSystem()
