"""Transactional replication as the rest of the program knows it: the System port."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from app.domain.facts import FactKind
from app.domain.family import Evidence, Site
from app.domain.naming import DeclaredTexts
from app.domain.plan import Plan
from app.domain.rig import RigKind
from app.domain.rights import LoginRights
from app.domain.server_versions import stated_version
from app.domain.session import Environment
from app.domain.system import KeptSettings, SystemLab, Unread
from app.domain.target import Connection, Offer, Target
from app.foundation.texts import _
from app.systems.transactional_replication.agent_kind import AgentKind
from app.systems.transactional_replication.facts import AGENT_FACTS, OBSERVED_FACTS
from app.systems.transactional_replication.offer import agent_ports, offer_agents, offer_by_hand
from app.systems.transactional_replication.places import STATEMENT_PLACES
from app.systems.transactional_replication.polling import read_now
from app.systems.transactional_replication.rights import read_first_rights, read_rights
from app.systems.transactional_replication.site import (
    AgentSite,
    Replication,
    agent_site_of,
    discover_replication,
    kept_replication,
    kept_settings,
    read_agent_site,
    replication_environment,
)
from app.systems.transactional_replication.subjects import CAPABILITIES, SYSTEM_ID


class TransactionalReplication:
    """Log Reader Agents and Distribution Agents of one Distributor, on SQL Server."""

    system_id: str = SYSTEM_ID
    engine: str = "sqlserver"
    position: int = 1
    load_statements: frozenset[str] = frozenset({"write_load"})
    statement_places: frozenset[str] = STATEMENT_PLACES
    capabilities: Mapping[str, str] = CAPABILITIES

    @property
    def lab(self) -> SystemLab:
        """Its servers, simulated."""
        from app.systems.transactional_replication.lab_server.open import LAB  # the simulation is a large import

        return LAB

    @property
    def facts(self) -> tuple[FactKind, ...]:
        """Return the facts of its families and its observing."""
        return (*AGENT_FACTS, *OBSERVED_FACTS)

    @property
    def derived_titles(self) -> Mapping[str, str]:
        """Return the titles of numbers that shipped rules derive."""
        return {"threshold_transactions": _("transactions that reach the threshold")}

    def offer(self, connection: Connection) -> Offer:
        """Return the ports of a Distributor."""
        return offer_agents(connection)

    def by_hand(self, connection: Connection, gate: Any) -> Offer:
        """Return the ports of a Distributor where every change is asked of the client's DBA."""
        return offer_by_hand(connection, gate)

    def discover(self, target: Target, unread: Unread) -> Replication | None:
        """Read servers, publications, subscriptions, agents and their parameters; None where there are no agents."""
        return discover_replication(target, unread)

    def read_rights(self, target: Target, discovered: Replication | None) -> LoginRights:
        """Read the rights of this login at Distributor, Publishers and Subscribers, at first at the Distributor."""
        session = target.open_connection.session
        return read_first_rights(session) if discovered is None else read_rights(session, discovered.topology)

    def rights_at(self, target: Target, site: Site, plan: Plan) -> LoginRights:
        """Read the rights of this login at the servers and databases of the agents that take part."""
        from app.systems.transactional_replication.rig.participants import choose_participants  # loads analysis

        assert isinstance(site, AgentSite)
        agents = choose_participants(site.topology, plan.load)
        return read_rights(target.open_connection.session, replace(site.topology, agents=agents))

    def read_site(self, target: Target, subject: str) -> AgentSite:
        """Read topology, parameters in effect, Subscriber objects and link; raises as `read_agent_site`."""
        return read_agent_site(target, AgentKind(subject))

    def read_left(self, target: Target, _site: Site | None = None) -> tuple[str, ...]:
        """Return the leftovers of earlier sessions at the Distributor: profiles of theirs, whoever uses them."""
        return agent_ports(target).agent_changes.read_left()

    def environment(self, target: Target, site: Site) -> Environment:
        """Read the parameters in effect of every agent, for the report."""
        return replication_environment(target, site)

    def kept(self, environment: Environment) -> Replication | None:
        """Return the kept topology of a Distributor."""
        return kept_replication(environment)

    def kept_settings(self, environment: Environment) -> KeptSettings:
        """Return servers and the parameters in effect of every agent."""
        return kept_settings(environment)

    def kept_site(self, environment: Environment, subject: str) -> AgentSite | None:
        """Return the site an environment was read from."""
        return agent_site_of(environment, AgentKind(subject))

    def rig_kind(self, _subject: str) -> RigKind:
        """Return the kind of rig: the same for both kinds of agent."""
        from app.systems.transactional_replication.rig import AGENTS  # loads analysis

        return AGENTS

    def place_of_scripts(self, site: Site, otherwise: str) -> str:
        """Return the Distributor."""
        if not isinstance(site, AgentSite):
            return otherwise
        return next((server.name for server in site.topology.servers if server.role == "Distributor"), otherwise)

    def engine_version(self, piece: Evidence) -> str:
        """Return the version of the Distributor, where the agents run; a file may state it by number or by name."""
        if isinstance(piece.site, AgentSite):
            return next((s.version for s in piece.site.topology.servers if s.role == "Distributor"), "")
        return stated_version(piece.conditions)

    def observe(self, target: Target, looking: Any) -> Any | None:
        """Look at the Distributor's own history."""
        from app.systems.transactional_replication.observing import observe_agents  # loads analysis and rules

        return observe_agents(target, looking)

    def read_now(self, target: Target, discovered: Replication, earlier: Any | None) -> Any | None:
        """Read all agents now, None where there are none."""
        return read_now(target, discovered.topology, earlier) if discovered.topology.agents else None

    def declared_texts(self) -> DeclaredTexts:
        """Return whose words the texts are that it leaves in a session."""
        from app.systems.transactional_replication.declared import declared_texts  # reads every statement

        return declared_texts()

    def load_views(self) -> Any:
        """Load the views of replication for the window and the command line."""
        from app.systems.transactional_replication.views import VIEWS  # only where something is shown

        return VIEWS

    def load_hand_over(self) -> Any:
        """Load the parts of reports and scripts on replication."""
        from app.systems.transactional_replication.hand_over import HAND_OVER  # only where something is written

        return HAND_OVER


SYSTEM: Final = TransactionalReplication()
