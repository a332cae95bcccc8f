"""Transactional replication as the window and the command line show it: the SystemViews port."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Final

from app.domain.family import ExperimentFamily, Site
from app.domain.plan import Plan
from app.domain.work_source import work_source_of
from app.flows.suggested import Suggestion
from app.flows.system_views import Content, ObservedPage, ObservedPart, PartKind, SystemViews
from app.flows.topology_tree import Node, NodeParameters
from app.foundation.texts import _
from app.systems.transactional_replication.agent_kind import AgentKind
from app.systems.transactional_replication.load import Scenario, workload_of
from app.systems.transactional_replication.observed import ReplicationObservation
from app.systems.transactional_replication.own_work import names_of
from app.systems.transactional_replication.site import AgentSite, Replication
from app.systems.transactional_replication.subjects import CAPABILITIES, REPLICATION_AGENTS
from app.systems.transactional_replication.system import SYSTEM
from app.systems.transactional_replication.tables import agent_kind_title, origin_text
from app.systems.transactional_replication.views.consequence import consequence
from app.systems.transactional_replication.views.discovered import discovered_json, discovered_lines, reached
from app.systems.transactional_replication.views.observed import (
    agents_table,
    finding_lines_of,
    history_of,
    hours_table,
    latency_plot,
    observed_line,
    rate_plot,
    waiting_line,
)
from app.systems.transactional_replication.views.observed_lines import agent_lines
from app.systems.transactional_replication.views.parameters import agent_parameters
from app.systems.transactional_replication.views.picture import hop_key, replication_picture
from app.systems.transactional_replication.views.scenario import scenario_words
from app.systems.transactional_replication.views.series import agent_series_title, delivered_in_all
from app.systems.transactional_replication.views.topology import nothing_found, topology_tree

_NOT_DELIVERED = _("Nothing was delivered in these hours.")
_PAGES: Final = (
    ObservedPage(
        "meaning",
        _("&What it means"),
        (
            ObservedPart("waiting", PartKind.LINE),
            ObservedPart("agents_table", PartKind.TABLE, _("What limits each agent")),
            ObservedPart("findings_text", PartKind.TEXT, _("What the rules say")),
        ),
    ),
    ObservedPage(
        "plots",
        _("&Plots"),
        (
            ObservedPart("rate_plot", PartKind.PLOT, nothing=_NOT_DELIVERED),
            ObservedPart("latency_plot", PartKind.PLOT, nothing=_NOT_DELIVERED),
        ),
    ),
    ObservedPage(
        "hours",
        _("B&y hour"),
        (
            ObservedPart(
                "hours_table", PartKind.TABLE, _("Agents by hour"), _("No history in these hours."), is_history=True
            ),
        ),
    ),
)


class ReplicationViews(SystemViews):
    """The views of Log Reader Agents and Distribution Agents."""

    system = SYSTEM
    pages = _PAGES
    entry = _("Distributor")
    opened_at = _("For transactional replication: the Distributor, which holds the distribution database.")
    observing = _("Of replication it reads the history that the Distributor keeps.")

    scenario_words = staticmethod(scenario_words)
    reached = staticmethod(reached)
    discovered_lines = staticmethod(discovered_lines)
    discovered_json = staticmethod(discovered_json)
    look_line = staticmethod(observed_line)
    look_lines = staticmethod(agent_lines)
    history = staticmethod(history_of)
    picture = staticmethod(replication_picture)
    origin_text = staticmethod(origin_text)
    consequence = staticmethod(consequence)
    series_title = staticmethod(agent_series_title)
    live_total = staticmethod(delivered_in_all)

    def need_words(self, need: str, subject: str, site: Site | None) -> str:
        """Return the agent that is needed with how many there are, any other capability as it is."""
        if need != REPLICATION_AGENTS:
            return CAPABILITIES[need]
        words = {"agent": agent_kind_title(AgentKind(subject))}
        if not isinstance(site, AgentSite):
            return _("a {agent} that may be stopped and started").format(**words)
        return _("a {agent} that may be stopped and started (found here: {count})").format(
            **words, count=len(site.agents)
        )

    def nothing_found(self, discovered: Replication | None) -> str:
        """Return that there is no replication, "" where there is."""
        return nothing_found(None if discovered is None else discovered.topology)

    def can_be_observed(self, discovered: Replication) -> bool:
        """Tell whether there are agents."""
        return bool(discovered.topology.agents)

    def tree(self, discovered: Replication) -> tuple[Node, ...]:
        """Return servers, databases, publications, subscriptions and agents."""
        return topology_tree(discovered.topology)

    def node_parameters(self, discovered: Replication, node: Node, *, only_different: bool) -> NodeParameters | None:
        """Return the parameters of an agent."""
        is_agent = any(agent.name == node.tuned for agent in discovered.topology.agents)
        return agent_parameters(discovered, node.tuned, only_different=only_different) if is_agent else None

    def look_json(self, observation: ReplicationObservation | None) -> Mapping[str, object]:
        """Return the observations at the top of the document, nothing where there are no agents."""
        return {} if observation is None else asdict(observation)

    def look_content(self, observation: ReplicationObservation) -> Mapping[str, Content]:
        """Return backlogs, the slower half of each agent, findings, plots and hours."""
        return {
            "waiting": waiting_line(observation),
            "agents_table": agents_table(observation),
            "findings_text": "\n".join(finding_lines_of(observation)).strip(),
            "rate_plot": rate_plot(observation),
            "latency_plot": latency_plot(observation),
            "hours_table": hours_table(observation),
        }

    def subject_of(self, discovered: Replication, key: str) -> Mapping[str, str]:
        """Return the names of the agent a box stands for; a server is no subject."""
        topology = discovered.topology
        agent = next((agent for agent in topology.agents if hop_key(agent) == key), None)
        if agent is None:
            return {}
        if agent.kind is AgentKind.LOG_READER:
            return {"publisher": agent.publisher, "database": agent.publisher_db}
        return names_of(topology, agent)

    def suggestions(
        self,
        _discovered: Replication,
        observation: ReplicationObservation,
        families: Mapping[str, ExperimentFamily],
        sites: Mapping[tuple[str, str], Site],
    ) -> Sequence[Suggestion]:
        """Return suggestions for the agents an experiment would measure."""
        from app.systems.transactional_replication.views.suggested import suggested  # loads analysis

        return suggested(observation, families, sites)

    def begins_at_rest(self, plan: Plan) -> bool:
        """Tell whether a backlog is written before the agents begin to deliver."""
        return not work_source_of(plan.load).is_own_work and workload_of(plan.load).scenario is Scenario.DRAINED


VIEWS: Final = ReplicationViews()
