"""Availability groups as the window and the command line show them: the SystemViews port."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Final

from app.domain.family import ExperimentFamily, Site
from app.domain.server import ServerInfo
from app.flows.site_picture import SitePicture
from app.flows.suggested import Suggestion
from app.flows.system_views import Content, SystemViews, watched_content, watched_page
from app.flows.topology_tree import Node, NodeParameters
from app.foundation.texts import _
from app.services.plan.dry_run import DryRun
from app.systems.availability_groups.groups import GroupTopology
from app.systems.availability_groups.observed import GroupsObservation
from app.systems.availability_groups.polling import GroupsNow
from app.systems.availability_groups.site import GroupSite
from app.systems.availability_groups.subjects import AVAILABILITY_GROUPS, CAPABILITIES
from app.systems.availability_groups.views.discovered import discovered_json, discovered_lines, not_asked, reached
from app.systems.availability_groups.views.observed import groups_lines, secondaries_table
from app.systems.availability_groups.views.picture import groups_picture
from app.systems.availability_groups.views.suggested import suggested
from app.systems.availability_groups.views.topology import groups_tree


class GroupViews(SystemViews):
    """The views of the groups of one primary replica."""

    pages = (watched_page(_("Groups")),)
    entry = _("Primary replica")
    opened_at = _("For an availability group: its primary replica.")
    observing = _("It watches the queues of availability groups for a while.")

    def scenario_words(self, _content: Mapping[str, object]) -> tuple[str, ...]:
        """Return nothing: the title of a scenario says it all."""
        return ()

    def need_words(self, need: str, _subject: str, site: Site | None) -> str:
        """Return a capability; of the groups with their names."""
        words = CAPABILITIES[need]
        if need != AVAILABILITY_GROUPS or not isinstance(site, GroupSite):
            return words
        names_here = _("(found here: {names})").format(names=", ".join(group.name for group in site.topology.groups))
        return f"{words} {names_here}"

    def reached(self, discovered: GroupTopology | None) -> str:
        """Return the server with how many groups it has."""
        return reached(discovered)

    def nothing_found(self, _discovered: GroupTopology | None) -> str:
        """Return "": where it is there, there is something."""
        return ""

    def not_asked(self, discovered: GroupTopology) -> tuple[str, ...]:
        """Return the servers of replicas that did not answer."""
        return not_asked(discovered)

    def can_be_observed(self, discovered: GroupTopology) -> bool:
        """Tell whether there are groups."""
        return bool(discovered.groups)

    def servers(self, discovered: GroupTopology) -> tuple[ServerInfo, ...]:
        """Return the servers of the replicas."""
        return discovered.servers

    def tree(self, discovered: GroupTopology) -> tuple[Node, ...]:
        """Return groups with replicas and databases, and the instance beside them."""
        return groups_tree(discovered)

    def node_parameters(
        self, _discovered: GroupTopology, _node: Node, *, only_different: bool
    ) -> NodeParameters | None:
        """Return None: a group's settings stand among its facts."""
        return None

    def discovered_lines(self, discovered: GroupTopology) -> list[str]:
        """Return servers, groups with replicas and databases, and trace flags."""
        return discovered_lines(discovered)

    def discovered_json(self, discovered: GroupTopology | None) -> Mapping[str, object]:
        """Return the groups, null where there are none."""
        return discovered_json(discovered)

    def look_line(self, observation: GroupsObservation) -> str:
        """Return the databases watched, and how long."""
        return f"{groups_lines(observation)[0]}."

    def look_lines(self, observation: GroupsObservation) -> list[str]:
        """Return a paragraph for each database, then the limits of the figures."""
        return groups_lines(observation)

    def look_json(self, observation: GroupsObservation | None) -> Mapping[str, object]:
        """Return the observations under a key of their own, null where there are no groups."""
        return {"groups": None if observation is None else asdict(observation)}

    def look_content(self, observation: GroupsObservation) -> Mapping[str, Content]:
        """Return the queues at each secondary, and all observations."""
        lines = groups_lines(observation, with_tables=False)
        return watched_content(secondaries_table(observation.databases), lines)

    def picture(
        self, discovered: GroupTopology, _observation: GroupsObservation | None, readings: Sequence[GroupsNow]
    ) -> SitePicture:
        """Return the primary with its secondaries."""
        return groups_picture(discovered, readings)

    def suggestions(
        self,
        _discovered: GroupTopology,
        observation: GroupsObservation,
        families: Mapping[str, ExperimentFamily],
        _sites: Mapping[tuple[str, str], Site],
    ) -> Sequence[Suggestion]:
        """Return suggestions on commit waits, and on seeding."""
        return suggested(observation, families)

    def consequence(self, role: str, dry: DryRun) -> str:
        """Return the consequence at the primary, or at a secondary."""
        if role == "Primary":
            return _(
                "Test data is written here. {n} changes here and at the secondaries, as listed; each is undone "
                "and checked."
            ).format(n=len(dry.changes))
        return _("Receives the test data; its part of the listed changes is undone and checked.")


VIEWS: Final = GroupViews()
