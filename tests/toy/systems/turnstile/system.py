"""The turnstile as the rest of the program knows it: the System port."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from app.domain.cost import ExperimentCost
from app.domain.fact_kind import number
from app.domain.facts import FactKind
from app.domain.family import Evidence, Site
from app.domain.naming import DeclaredTexts, Holds, words
from app.domain.plan import Plan
from app.domain.rig import RigKind
from app.domain.rights import LoginRights, Mode
from app.domain.session import Environment
from app.domain.system import KeptSettings, SystemLab, Unread
from app.domain.target import Connection, Offer, Target
from app.drivers.sqlserver.declared import PUBLIC_NAMES, declared_parameters
from app.drivers.sqlserver.permissions import SYSADMIN
from app.drivers.sqlserver.rights import RightsReader, uses_of
from app.services.look.experiment_costs import experiment_costs

from .rig import RIG
from .server import KINDS, offer_by_hand, offer_turnstile
from .site import (
    CAPABILITIES,
    SUBJECT,
    SYSTEM_ID,
    Turnstile,
    TurnstileSite,
    environment_of,
    kept_turnstile,
    read_site,
    turnstile_port,
)


@dataclass(frozen=True)
class SeenTurnstile:
    """What a look without an experiment shows."""

    found: Turnstile
    costs: tuple[ExperimentCost, ...]
    statements: int
    statement_ms: float
    unread: tuple[str, ...] = ()


class TurnstileSystem:
    """The turnstile of a SQL Server."""

    system_id: str = SYSTEM_ID
    engine: str = "sqlserver"
    position: int = 9
    capabilities: Mapping[str, str] = CAPABILITIES
    load_statements: frozenset[str] = frozenset({"pass_turnstile"})
    statement_places: frozenset[str] = frozenset()
    facts: tuple[FactKind, ...] = (number("queue_length_now", "count", "the room in the queue in effect"),)
    derived_titles: Mapping[str, str] = {}

    @property
    def lab(self) -> SystemLab:
        """Its server, simulated."""
        from .lab import LAB

        return LAB

    def offer(self, connection: Connection) -> Offer:
        """Return what a server offers that may have a turnstile."""
        return offer_turnstile(connection)

    def by_hand(self, connection: Connection, gate: Any) -> Offer:
        """Return the same where every change is asked of the client's DBA."""
        return offer_by_hand(connection, gate)

    def discover(self, target: Target, _unread: Unread) -> Turnstile | None:
        """Read the turnstile, None where there is none."""
        return turnstile_port(target).discover()

    def read_rights(self, target: Target, discovered: Turnstile | None) -> LoginRights:
        """Read whether this login is sysadmin."""
        reader = RightsReader(target.open_connection.session)
        if discovered is not None:
            here = reader.ask_server(discovered.server.name)
            uses = uses_of([SUBJECT], [Mode.HANDS_ON])
            reader.add(discovered.server.name, "", SYSADMIN, here, "the settings are changed", uses)
        return reader.found

    def rights_at(self, target: Target, site: Site, _plan: Plan) -> LoginRights:
        """Read whether this login is sysadmin."""
        assert isinstance(site, TurnstileSite)
        return self.read_rights(target, site.found)

    def read_site(self, target: Target, _subject: str) -> TurnstileSite:
        """Read the turnstile; raises BadInput where there is none."""
        return read_site(target)

    def read_left(self, _target: Target, _site: Site | None = None) -> tuple[str, ...]:
        """Return nothing: what is left does not show."""
        return ()

    def environment(self, target: Target, site: Site) -> Environment:
        """Return what was read, for the report."""
        return environment_of(target, site)

    def kept(self, environment: Environment) -> Turnstile | None:
        """Return what a session kept."""
        return kept_turnstile(environment)

    def kept_settings(self, environment: Environment) -> KeptSettings:
        """Return server and settings."""
        found = kept_turnstile(environment)
        if found is None:
            return KeptSettings()
        return KeptSettings((found.server,), {(SYSTEM_ID, name): known.value for name, known in found.by_name.items()})

    def kept_site(self, environment: Environment, _subject: str) -> TurnstileSite | None:
        """Return the site an environment was read from."""
        found = kept_turnstile(environment)
        return None if found is None else TurnstileSite(parameters=found.by_name, found=found)

    def rig_kind(self, _subject: str) -> RigKind:
        """Return what a run needs."""
        return RIG

    def place_of_scripts(self, site: Site, otherwise: str) -> str:
        """Return the server."""
        return site.found.server.name if isinstance(site, TurnstileSite) else otherwise

    def engine_version(self, piece: Evidence) -> str:
        """Return the server's version."""
        return piece.site.found.server.version if isinstance(piece.site, TurnstileSite) else ""

    def observe(self, target: Target, looking: Any) -> SeenTurnstile | None:
        """Read the turnstile once."""
        found = turnstile_port(target).discover()
        if found is None:
            return None
        costs = experiment_costs(looking.advisor.families, target, SYSTEM_ID)
        return SeenTurnstile(found, costs, looking.cost.statements, looking.cost.statement_ms)

    def read_now(self, target: Target, _discovered: Turnstile, _earlier: Any | None) -> Turnstile | None:
        """Read the turnstile again."""
        return turnstile_port(target).discover()

    def declared_texts(self) -> DeclaredTexts:
        """Return whose words the texts are that it leaves in a session."""
        held = {"server": Holds.SERVER, **words("name", "original_value", "new_value")}
        details = dict.fromkeys(KINDS, held)
        return DeclaredTexts(declared_parameters(), details, public=PUBLIC_NAMES, kept=(kept_turnstile,))

    def load_views(self) -> Any:
        """Return what window and command line show of it."""
        from .views import VIEWS

        return VIEWS

    def load_hand_over(self) -> Any:
        """Return what reports and scripts say of it."""
        from .hand_over import HAND_OVER

        return HAND_OVER


SYSTEM: Final = TurnstileSystem()
