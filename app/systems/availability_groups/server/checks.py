"""What must hold of a group before anything is changed in it; each refusal is one sentence with the way out."""

from app.domain.errors import BadInput
from app.foundation.texts import _
from app.systems.availability_groups.groups import AvailabilityGroup, CommitMode, GroupTopology, Replica


def check_group(topology: GroupTopology, group_name: str, database: str) -> AvailabilityGroup:
    """Return the group, fit for an experiment with this database.

    Raises:
        BadInput: no such group, the database is not in it, this server is a secondary, or the group is of a kind, or in
            a state, that experiments leave alone.
    """
    group = topology.group_named(group_name)
    if group is None:
        raise BadInput(
            _("{server} has no availability group {group}; it has {known}").format(
                server=topology.connected_to,
                group=group_name,
                known=", ".join(named.name for named in topology.groups) or _("none"),
            )
        )
    check_kind(group)
    check_primary(group, topology.connected_to)
    check_secondaries(group)
    if database not in group.database_names():
        raise BadInput(
            _("database {database} is not in group {group}; choose one of {known}").format(
                database=database, group=group_name, known=", ".join(group.database_names()) or _("none")
            )
        )
    return group


def check_kind(group: AvailabilityGroup) -> None:
    """Raise BadInput for a Basic, contained or distributed group."""
    refused = {
        _("a Basic group, whose secondary takes no further databases and cannot be read"): group.is_basic,
        _("a contained group, which has system databases of its own"): group.is_contained,
        _("a distributed group, whose replicas are groups themselves"): group.is_distributed,
    }
    for what, is_so in refused.items():
        if is_so:
            raise BadInput(
                _("group {group} is {what}; experiments run on ordinary groups only, choose another one").format(
                    group=group.name, what=what
                )
            )


def check_primary(group: AvailabilityGroup, server: str) -> None:
    """Raise BadInput where the server this target was opened with is not the primary replica."""
    if group.primary != server:
        raise BadInput(
            _("{server} is a secondary replica of group {group}; connect to its primary replica, {primary}").format(
                server=server, group=group.name, primary=group.primary or _("which this server does not know")
            )
        )


def check_secondaries(group: AvailabilityGroup) -> None:
    """Raise BadInput where there is no secondary, or one the primary has no session with."""
    if not group.secondaries():
        raise BadInput(
            _("group {group} has no secondary replica; there is nothing to synchronize with, add one first").format(
                group=group.name
            )
        )
    for replica in group.secondaries():
        check_connected(group, replica)


def check_connected(group: AvailabilityGroup, replica: Replica) -> None:
    """Raise BadInput where the primary has no session with a replica."""
    if replica.server != group.primary and not replica.is_connected:
        raise BadInput(
            _("replica {replica} of group {group} is down or not connected; bring it back first").format(
                replica=replica.server, group=group.name
            )
        )


def check_known(group: AvailabilityGroup, replica: Replica) -> None:
    """Raise BadInput for a replica of a kind that experiments leave alone."""
    if why := replica.left_alone:
        raise BadInput(
            _("replica {replica} of group {group} is left alone: {why}; choose another one").format(
                replica=replica.server, group=group.name, why=why
            )
        )


def check_required_secondaries(group: AvailabilityGroup, server: str) -> None:
    """Raise BadInput where making a replica asynchronous leaves too few synchronized secondaries to commit."""
    left = [
        replica
        for replica in group.secondaries()
        if replica.server != server and replica.mode is CommitMode.SYNCHRONOUS and replica.is_connected
    ]
    if len(left) < group.required_synchronized_secondaries:
        raise BadInput(
            _(
                "group {group} needs {required} synchronized secondaries to commit "
                "(REQUIRED_SYNCHRONIZED_SECONDARIES_TO_COMMIT), and without {server} it has {left}; its transactions "
                "would stop, choose another replica"
            ).format(group=group.name, required=group.required_synchronized_secondaries, server=server, left=len(left))
        )
