"""Availability groups as the rest of the program knows them: the System port."""

from collections.abc import Mapping
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
from app.systems.availability_groups.commit_facts import GROUP_FACTS, OBSERVED_FACTS
from app.systems.availability_groups.groups import GroupTopology
from app.systems.availability_groups.offer import group_ports, offer_by_hand, offer_groups
from app.systems.availability_groups.places import STATEMENT_PLACES
from app.systems.availability_groups.polling import read_now
from app.systems.availability_groups.rights import read_first_rights, read_rights
from app.systems.availability_groups.seeding_facts import SEEDING_FACTS
from app.systems.availability_groups.site import (
    GroupSite,
    group_environment,
    group_site_of,
    kept_groups,
    kept_settings,
    read_group_site,
)
from app.systems.availability_groups.subjects import CAPABILITIES, SEEDING, SYSTEM_ID


class AvailabilityGroupsSystem:
    """Availability groups of one primary replica, on SQL Server."""

    system_id: str = SYSTEM_ID
    engine: str = "sqlserver"
    position: int = 2
    load_statements: frozenset[str] = frozenset({"run_insert_loop", "clear_test_destination"})
    statement_places: frozenset[str] = STATEMENT_PLACES
    capabilities: Mapping[str, str] = CAPABILITIES

    @property
    def lab(self) -> SystemLab:
        """Its servers, simulated."""
        from app.systems.availability_groups.lab_server.opening import LAB  # the simulation is a large import

        return LAB

    @property
    def facts(self) -> tuple[FactKind, ...]:
        """Return the facts of its families and its observing."""
        return (*GROUP_FACTS, *SEEDING_FACTS, *OBSERVED_FACTS)

    @property
    def derived_titles(self) -> Mapping[str, str]:
        """Return the titles of numbers that shipped rules derive."""
        return {"redo_to_do_s": _("redo still to do")}

    def offer(self, connection: Connection) -> Offer:
        """Return the ports of an instance that may hold replicas."""
        return offer_groups(connection)

    def by_hand(self, connection: Connection, gate: Any) -> Offer:
        """Return the ports of an instance where every change is asked of the client's DBA."""
        return offer_by_hand(connection, gate)

    def discover(self, target: Target, _unread: Unread) -> GroupTopology | None:
        """Read groups, replicas, databases, trace flags and disks; None where there is no group."""
        groups = group_ports(target).groups.discover()
        return groups if groups.groups else None

    def read_rights(self, target: Target, discovered: GroupTopology | None) -> LoginRights:
        """Read the rights of this login at every replica, at first at the server that is connected to."""
        session = target.open_connection.session
        return read_first_rights(session) if discovered is None else read_rights(session, discovered)

    def rights_at(self, target: Target, site: Site, _plan: Plan) -> LoginRights:
        """Read the rights of this login at every replica."""
        assert isinstance(site, GroupSite)
        return self.read_rights(target, site.topology)

    def read_site(self, target: Target, _subject: str) -> GroupSite:
        """Read groups, replicas, databases, trace flags and disks; raises as `read_group_site`."""
        return read_group_site(target)

    def read_left(self, target: Target, site: Site | None = None) -> tuple[str, ...]:
        """Return the test tables and event sessions a lost session left."""
        groups = group_ports(target).groups
        return groups.read_left(site.topology if isinstance(site, GroupSite) else groups.discover())

    def environment(self, target: Target, site: Site) -> Environment:
        """Return the environment, for the report."""
        return group_environment(target, site)

    def kept(self, environment: Environment) -> GroupTopology | None:
        """Return the kept topology of groups."""
        return kept_groups(environment)

    def kept_settings(self, environment: Environment) -> KeptSettings:
        """Return servers, trace flags and commit modes."""
        return kept_settings(environment)

    def kept_site(self, environment: Environment, _subject: str) -> GroupSite | None:
        """Return the site an environment was read from."""
        return group_site_of(environment)

    def rig_kind(self, subject: str) -> RigKind:
        """Return the kind of rig for the commit mode, or for seeding."""
        from app.systems.availability_groups.commit_kind import COMMIT_RIG  # load analysis
        from app.systems.availability_groups.seeding_kind import SEEDING_RIG

        return SEEDING_RIG if subject == SEEDING else COMMIT_RIG

    def place_of_scripts(self, site: Site, otherwise: str) -> str:
        """Return the server the target was opened with."""
        return site.topology.connected_to if isinstance(site, GroupSite) else otherwise

    def engine_version(self, piece: Evidence) -> str:
        """Return the version of the server the target was opened with; a file may state it by number or by name."""
        if isinstance(piece.site, GroupSite):
            server = piece.site.topology.server_named(piece.site.topology.connected_to)
            return "" if server is None else server.version
        return stated_version(piece.conditions)

    def observe(self, target: Target, looking: Any) -> Any | None:
        """Watch queues, waits and counters of every group whose primary is here."""
        from app.systems.availability_groups.observing import observe_groups  # loads analysis

        return observe_groups(target, looking)

    def read_now(self, target: Target, discovered: GroupTopology, _earlier: Any | None) -> Any | None:
        """Read every database of the groups whose primary is here, None where there is none."""
        return read_now(target, discovered)

    def declared_texts(self) -> DeclaredTexts:
        """Return whose words the texts are that it leaves in a session."""
        from app.systems.availability_groups.declared import declared_texts  # reads every statement

        return declared_texts()

    def load_views(self) -> Any:
        """Load the views of groups for the window and the command line."""
        from app.systems.availability_groups.views import VIEWS  # only where something is shown

        return VIEWS

    def load_hand_over(self) -> Any:
        """Load the parts of reports and scripts on groups."""
        from app.systems.availability_groups.hand_over import HAND_OVER  # only where something is written

        return HAND_OVER


SYSTEM: Final = AvailabilityGroupsSystem()
