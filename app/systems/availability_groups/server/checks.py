"""Checks of a group before anything is changed in it; each refusal is one sentence with the way out."""

from app.domain.errors import BadInput
from app.foundation.texts import _
from app.systems.availability_groups.groups import AvailabilityGroup, CommitMode, Replica


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
