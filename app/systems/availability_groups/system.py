"""Availability groups as the rest of the program knows them: the System port."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from app.domain.family import Site
from app.domain.naming import DeclaredTexts
from app.domain.preflight import AskedUnseen
from app.domain.rig import RigKind
from app.domain.rights import LoginRights
from app.domain.server import EffectiveParameter, ServerInfo
from app.domain.system import System, Unread
from app.domain.target import Target
from app.foundation.texts import _
from app.systems.availability_groups.commit_facts import GROUP_FACTS, OBSERVED_FACTS
from app.systems.availability_groups.groups import COMMIT_TIME, GroupTopology
from app.systems.availability_groups.naming import NAME_KINDS, PUBLIC_NAMES
from app.systems.availability_groups.offer import CHANGE_DETAILS, group_ports, offer_groups, watched
from app.systems.availability_groups.places import STATEMENT_PLACES
from app.systems.availability_groups.rights import read_first_rights, read_rights
from app.systems.availability_groups.seeding_facts import SEEDING_FACTS
from app.systems.availability_groups.site import GROUPS, GroupSite, kept_settings
from app.systems.availability_groups.subjects import CAPABILITIES, SEEDING, SYSTEM_ID


class AvailabilityGroupsSystem(System):
    """Availability groups of one primary replica, on SQL Server."""

    system_id = SYSTEM_ID
    engine = "sqlserver"
    position = 2
    load_statements = frozenset({"run_insert_loop", "clear_test_destination"})
    statement_places = STATEMENT_PLACES
    capabilities = CAPABILITIES
    facts = (*GROUP_FACTS, *SEEDING_FACTS, *OBSERVED_FACTS)
    derived_titles: Mapping[str, str] = {"redo_to_do_s": _("redo still to do")}
    texts = DeclaredTexts(details=CHANGE_DETAILS, public=PUBLIC_NAMES, kinds=NAME_KINDS)
    keeps = GROUPS
    site_type = GroupSite
    asked_unseen = AskedUnseen(
        (
            "group_listeners",
            "group_replicas",
            "group_databases",
            "server_volumes",
            "trace_flags",
            "server_databases",
            "left_event_sessions",
        ),
        of_each={"left_test_tables": ("server_databases", "database_name")},
    )

    nothing_here = _("{target} has no availability group; connect to the primary replica of one")

    offer = staticmethod(offer_groups)
    watched = staticmethod(watched)
    kept_settings = staticmethod(kept_settings)

    def discover(self, target: Target, unread: Unread) -> GroupTopology | None:
        """Read groups, replicas, databases, trace flags and disks; None where there is no group."""
        groups = group_ports(target).groups.discover()
        return groups if groups.groups else None

    def home_of(self, found: GroupTopology) -> ServerInfo | None:
        """Return the server the target was opened with."""
        return found.server_named(found.connected_to)

    def in_effect(self, found: GroupTopology) -> Mapping[str, Sequence[EffectiveParameter]]:
        """Return for how long the primary groups commits, where its version lets that be set."""
        option = found.option(found.connected_to, COMMIT_TIME)
        if option is None:
            return {}
        value, origin = str(option.in_use), "sp_configure" if option.in_use else "default"
        return {
            found.connected_to: (
                EffectiveParameter("group_commit_time", value, origin, "0", option.low, option.high, "ms"),
            )
        }

    def read_rights(self, target: Target, discovered: GroupTopology | None) -> LoginRights:
        """Read the rights of this login at every replica, at first at the server that is connected to."""
        session = target.open_connection.session
        return read_first_rights(session) if discovered is None else read_rights(session, discovered)

    def read_leftovers(self, target: Target, site: Site | None = None) -> tuple[str, ...]:
        """Return the test tables and event sessions a lost session left."""
        groups = group_ports(target).groups
        return groups.read_leftovers(site.topology if isinstance(site, GroupSite) else groups.discover())

    def rig_kind(self, subject: str) -> RigKind:
        """Return the kind of rig for the commit mode, or for seeding."""
        from app.systems.availability_groups.commit_kind import COMMIT_RIG  # load analysis
        from app.systems.availability_groups.seeding_kind import SEEDING_RIG

        return SEEDING_RIG if subject == SEEDING else COMMIT_RIG

    def no_history(self, subject: str) -> str:
        """Return why a server tells nothing of a group: its views hold the present, and msdb when seedings ran."""
        if subject == SEEDING:
            return _("the server keeps when a seeding ran, and no history of how fast another method is")
        return _("the server keeps no history of commits and their waits: its counters begin anew with each start")

    def observe(self, target: Target, looking: Any) -> Any | None:
        """Watch queues, waits and counters of every group whose primary is here."""
        from app.systems.availability_groups.observing import observe_groups  # loads analysis

        return observe_groups(target, looking)


SYSTEM: Final = AvailabilityGroupsSystem()
