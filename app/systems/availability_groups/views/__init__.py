"""Availability groups as the window and the command line show them: the SystemViews port."""

from collections.abc import Mapping, Sequence
from typing import Final

from app.domain.family import ExperimentFamily, Site
from app.domain.setting import value_text
from app.domain.site_picture import SitePicture
from app.domain.work_source import work_source_of
from app.flows.suggested import Suggestion
from app.flows.system_views import Content, SystemViews, watched_content, watched_page
from app.foundation.durations import duration_text
from app.foundation.texts import _
from app.services.plan.dry_run import DryRun
from app.systems.availability_groups.families.commit_mode.plan import unprotected_s
from app.systems.availability_groups.groups import GroupTopology
from app.systems.availability_groups.observed import GroupsObservation
from app.systems.availability_groups.site import GroupSite
from app.systems.availability_groups.subjects import AVAILABILITY_GROUPS
from app.systems.availability_groups.system import SYSTEM
from app.systems.availability_groups.views.discovered import discovered_lines, not_asked, reached
from app.systems.availability_groups.views.observed import groups_lines, secondaries_table
from app.systems.availability_groups.views.picture import GroupsNow, groups_picture, replica_at
from app.systems.availability_groups.views.suggested import suggested
from app.systems.availability_groups.views.topology import groups_tree


class GroupViews(SystemViews):
    """The views of the groups of one primary replica."""

    system = SYSTEM
    json_key = "groups"
    pages = (watched_page(_("Groups")),)
    entry = _("Primary replica")
    opened_at = _("For an availability group: its primary replica.")
    observing = _("It watches the queues of availability groups for a while.")

    reached = staticmethod(reached)
    not_asked = staticmethod(not_asked)
    tree = staticmethod(groups_tree)
    subject_of = staticmethod(replica_at)
    discovered_lines = staticmethod(discovered_lines)
    look_lines = staticmethod(groups_lines)

    def names_found(self, need: str, site: Site | None) -> Sequence[str]:
        """Return the names of the groups."""
        if need != AVAILABILITY_GROUPS or not isinstance(site, GroupSite):
            return ()
        return tuple(group.name for group in site.topology.groups)

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
        if work_source_of(dry.plan.load).is_own_work:
            return _on_own_load(role, dry)
        if role == "Primary":
            return _(
                "Test data is written here. {n} changes here and at the secondaries, as listed; each is undone "
                "and checked."
            ).format(n=len(dry.changes))
        return _("Receives the test data; its part of the listed changes is undone and checked.")


def _on_own_load(role: str, dry: DryRun) -> str:
    """Return the consequence of windows on the client's own load, with the time without protection."""
    if role != "Primary":
        return _(
            "Receives the client's own log and nothing else; its part of the listed changes is undone and checked."
        )
    return _(
        "Nothing is written. The commit mode is switched for each of {windows} windows ({n} changes, each undone and "
        "checked). For about {time} in all, and never for longer than the run, commits wait for no secondary: losing "
        "the primary then would lose what was not sent yet."
    ).format(
        windows=value_text(dry.most_trials),
        n=value_text(len(dry.changes)),
        time=duration_text(unprotected_s(dry.plan)),
    )


VIEWS: Final = GroupViews()
