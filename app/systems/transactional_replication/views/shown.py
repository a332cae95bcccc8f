"""Transactional replication as the window and the command line show it: the SystemViews port."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Final

from app.domain.family import ExperimentFamily, Site
from app.domain.measurement import Sample
from app.domain.plan import Plan
from app.domain.server import ServerInfo
from app.domain.view import TableContent
from app.flows.site_picture import SitePicture
from app.flows.suggested import Suggestion
from app.flows.system_views import Content, LiveTotal, ObservedPage, ObservedPart, PartKind, SystemViews
from app.flows.topology_tree import Node, NodeParameters
from app.foundation.texts import _
from app.services.plan.dry_run import DryRun
from app.systems.transactional_replication.agent_kind import AgentKind
from app.systems.transactional_replication.load import Scenario, workload_of
from app.systems.transactional_replication.observed import ReplicationObservation
from app.systems.transactional_replication.polling import ReplicationNow
from app.systems.transactional_replication.site import AgentSite, Replication
from app.systems.transactional_replication.subjects import CAPABILITIES, REPLICATION_AGENTS
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
from app.systems.transactional_replication.views.picture import replication_picture
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

    pages = _PAGES
    entry = _("Distributor")
    opened_at = _("For transactional replication: the Distributor, which holds the distribution database.")
    observing = _("Of replication it reads the history that the Distributor keeps.")

    def scenario_words(self, content: Mapping[str, object]) -> tuple[str, ...]:
        """Return how many pairs of agents there are, and the link to each Subscriber."""
        return scenario_words(content)

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

    def reached(self, discovered: Replication | None) -> str:
        """Return the Distributor with its Publishers and Subscribers, or that there is none."""
        return reached(discovered)

    def nothing_found(self, discovered: Replication | None) -> str:
        """Return that there is no replication, "" where there is."""
        return nothing_found(None if discovered is None else discovered.topology)

    def not_asked(self, _discovered: Replication) -> tuple[str, ...]:
        """Return nothing: Publishers and Subscribers are told by the Distributor."""
        return ()

    def can_be_observed(self, discovered: Replication) -> bool:
        """Tell whether there are agents."""
        return bool(discovered.topology.agents)

    def servers(self, discovered: Replication) -> tuple[ServerInfo, ...]:
        """Return Publishers, Distributor and Subscribers."""
        return discovered.topology.servers

    def tree(self, discovered: Replication) -> tuple[Node, ...]:
        """Return servers, databases, publications, subscriptions and agents."""
        return topology_tree(discovered.topology)

    def node_parameters(self, discovered: Replication, node: Node, *, only_different: bool) -> NodeParameters | None:
        """Return the parameters of an agent."""
        is_agent = any(agent.name == node.tuned for agent in discovered.topology.agents)
        return agent_parameters(discovered, node.tuned, only_different=only_different) if is_agent else None

    def discovered_lines(self, discovered: Replication) -> list[str]:
        """Return servers, subscriptions, and each agent with its parameters."""
        return discovered_lines(discovered)

    def discovered_json(self, discovered: Replication | None) -> Mapping[str, object]:
        """Return topology and agents, empty where there is no replication."""
        return discovered_json(discovered)

    def look_line(self, observation: ReplicationObservation) -> str:
        """Return how many agents and how much history was looked at."""
        return observed_line(observation)

    def look_lines(self, observation: ReplicationObservation) -> list[str]:
        """Return each agent with its hours, its backlog, and the rules' findings."""
        return agent_lines(observation)

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

    def history(self, observation: ReplicationObservation) -> TableContent:
        """Return every agent hour by hour."""
        return history_of(observation)

    def picture(
        self, discovered: Replication, observation: ReplicationObservation | None, readings: Sequence[ReplicationNow]
    ) -> SitePicture:
        """Return Publishers, Distributor and Subscribers with their agents."""
        return replication_picture(discovered, observation, readings)

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

    def origin_text(self, origin: str) -> str:
        """Return where a value comes from."""
        return origin_text(origin)

    def consequence(self, role: str, dry: DryRun) -> str:
        """Return the consequence at a Publisher, a Distributor or a Subscriber."""
        return consequence(role, dry)

    def series_title(self, stream: str) -> str:
        """Return the name of an agent's series."""
        return agent_series_title(stream)

    def live_total(self, samples: Sequence[Sample]) -> LiveTotal | None:
        """Return the joint delivery of the agents under test."""
        return delivered_in_all(samples)

    def begins_at_rest(self, plan: Plan) -> bool:
        """Tell whether a backlog is written before the agents begin to deliver."""
        return workload_of(plan.load).scenario is Scenario.DRAINED


VIEWS: Final = ReplicationViews()
