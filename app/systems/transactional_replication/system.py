"""Transactional replication as the rest of the program knows it: the System port."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from app.domain.family import Site
from app.domain.naming import DeclaredTexts
from app.domain.past import Past, PastHour
from app.domain.plan import Plan
from app.domain.preflight import AskedUnseen
from app.domain.rig import RigKind
from app.domain.rights import LoginRights
from app.domain.server import EffectiveParameter, ServerInfo
from app.domain.session import Environment
from app.domain.system import System
from app.domain.target import Target
from app.foundation.texts import _
from app.systems.transactional_replication.agent_kind import AgentKind
from app.systems.transactional_replication.facts import AGENT_FACTS, OBSERVED_FACTS
from app.systems.transactional_replication.naming import NAME_KINDS, PUBLIC_NAMES, AgentName
from app.systems.transactional_replication.offer import agent_ports, offer_agents
from app.systems.transactional_replication.places import STATEMENT_PLACES
from app.systems.transactional_replication.polling import read_now
from app.systems.transactional_replication.rights import read_first_rights, read_rights
from app.systems.transactional_replication.server.changes import CHANGE_DETAILS
from app.systems.transactional_replication.site import (
    REPLICATION,
    AgentSite,
    Replication,
    agent_site_of,
    discover_replication,
    read_agent_site,
    replication_environment,
)
from app.systems.transactional_replication.subjects import CAPABILITIES, LOG_READER, SYSTEM_ID
from app.systems.transactional_replication.topology import Topology


class TransactionalReplication(System):
    """Log Reader Agents and Distribution Agents of one Distributor, on SQL Server."""

    system_id = SYSTEM_ID
    engine = "sqlserver"
    position = 1
    load_statements = frozenset({"write_load"})
    statement_places = STATEMENT_PLACES
    capabilities = CAPABILITIES
    facts = (*AGENT_FACTS, *OBSERVED_FACTS)
    derived_titles: Mapping[str, str] = {"threshold_transactions": _("transactions that reach the threshold")}
    texts = DeclaredTexts(details=CHANGE_DETAILS, public=PUBLIC_NAMES, kinds=NAME_KINDS)
    keeps = REPLICATION
    site_type = AgentSite
    asked_unseen = AskedUnseen(
        (
            "distribution_databases",
            "publications",
            "subscriptions",
            "redirected_publishers",
            "agents",
            "agents_elsewhere",
            "subscription_natures",
            "own_profiles",
            "distribution_rights",
            "job_rights",
            "job_starts",
        ),
        {"distribution": ("distribution_databases", "distribution_db")},
        of_each={
            "agent_profile": ("agents", "agent_type", "agent_id"),
            "job_step_tokens": ("agents", "job_id"),
            "parameter_limits": ("agents", "agent_type"),
            "profile_parameters": ("agents", "profile_id"),
        },
    )

    offer = staticmethod(offer_agents)
    by_hand = staticmethod(offer_agents)
    discover = staticmethod(discover_replication)
    environment = staticmethod(replication_environment)

    def home_of(self, found: Replication | Topology) -> ServerInfo | None:
        """Return the Distributor, where the agents run."""
        return next((server for server in found.servers if server.role == "Distributor"), None)

    def in_effect(self, found: Replication) -> Mapping[str, Sequence[EffectiveParameter]]:
        """Return the parameters of every agent."""
        return {agent.agent: agent.parameters for agent in found.agents}

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

    def read_leftovers(self, target: Target, site: Site | None = None) -> tuple[str, ...]:
        """Return the leftovers of earlier sessions at the Distributor: profiles of theirs, whoever uses them."""
        return agent_ports(target).agent_changes.read_leftovers()

    def kept_site(self, environment: Environment, subject: str) -> AgentSite | None:
        """Return the site an environment was read from."""
        return agent_site_of(environment, AgentKind(subject))

    def rig_kind(self, subject: str) -> RigKind:
        """Return the kind of rig: the same for both kinds of agent, but for the commands of a window."""
        from app.systems.transactional_replication.rig import AGENTS, LOG_READERS  # loads analysis

        return LOG_READERS if subject == LOG_READER else AGENTS

    def observe(self, target: Target, looking: Any) -> Any | None:
        """Look at the Distributor's own history."""
        from app.systems.transactional_replication.observing import observe_agents  # loads analysis and rules

        return observe_agents(target, looking)

    def read_past(self, target: Target, plan: Plan, subject: str, window_h: int) -> tuple[Past, ...]:
        """Read the Distributor's history of the agents a plan is for; raises as `read_agent_pasts`."""
        from app.systems.transactional_replication.past import read_agent_pasts  # loads analysis

        return read_agent_pasts(target, plan, AgentKind(subject), window_h)

    def kept_hours(self, environment: Environment, subject: str, owner: AgentName) -> tuple[PastHour, ...]:
        """Return the hours of an agent that its run read of the Distributor."""
        from app.systems.transactional_replication.past import kept_agent_hours  # loads analysis

        return kept_agent_hours(environment, AgentKind(subject), owner)

    def no_history(self, _subject: str) -> str:
        """Return why a Distributor tells nothing of an agent: its rows are what it keeps."""
        return _(
            "the Distributor keeps no rows of this agent: none are written (HistoryVerboseLevel 0), or they were "
            "cleaned up"
        )

    def read_now(self, target: Target, discovered: Replication, earlier: Any | None) -> Any | None:
        """Read all agents now, None where there are none."""
        return read_now(target, discovered.topology, earlier) if discovered.topology.agents else None


SYSTEM: Final = TransactionalReplication()
