"""Which availability group and secondary replica a plan means, and why an experiment cannot run there."""

from collections.abc import Iterable

from app.domain.errors import BadInput
from app.foundation.texts import _
from app.systems.availability_groups.enumerations import CLUSTER_TYPE
from app.systems.availability_groups.groups import AvailabilityGroup, GroupTopology, Replica, through_listener


def named_group(name: str, topology: GroupTopology) -> AvailabilityGroup:
    """Return the group of a name, the only one where the name is empty.

    Raises:
        BadInput: there is none, or several to choose from; a listener's name is told as such.
    """
    names = ", ".join(sorted(group.name for group in topology.groups)) or _("none")
    if not name:
        if len(topology.groups) == 1:
            return topology.groups[0]
        raise BadInput(
            _("there are several availability groups; name one as group in [workload]: {names}").format(names=names)
        )
    group = topology.group_named(name)
    if group is not None:
        return group
    owner = next((g for g in topology.groups if name in g.listeners), None)
    if owner is not None:
        raise BadInput(
            _("{name} is a listener of the group {group}; name the group itself").format(name=name, group=owner.name)
        )
    raise BadInput(
        _("there is no availability group {name} on {server}; there are: {names}").format(
            name=name, server=topology.connected_to, names=names
        )
    )


def place_text(database: str, group: AvailabilityGroup, secondary: Replica) -> str:
    """Return a database in its group with the secondary an experiment is about, as a person calls it."""
    return _("{database} of group {group} at {primary}, secondary {secondary}").format(
        database=database, group=group.name, primary=group.primary, secondary=secondary.server
    )


def check_group(group: AvailabilityGroup, topology: GroupTopology) -> None:
    """Refuse kinds of groups that are not experimented on, and any replica but the primary as target.

    Raises:
        BadInput: a distributed, contained or basic group, a listener, or a secondary replica.
    """
    kinds = (
        (group.is_distributed, _("a distributed group: measure the groups in it, each by itself")),
        (group.is_contained, _("a contained group, whose own system databases depend on it; use another")),
        (
            group.is_basic,
            _("a basic group (Standard Edition), which has no room for a test database"),
        ),
    )
    if not CLUSTER_TYPE.knows(group.cluster_type):
        raise BadInput(
            _("{group} is left alone: this program does not know its cluster type, {cluster_type}").format(
                group=group.name, cluster_type=group.cluster_type
            )
        )
    for is_so, what in kinds:
        if is_so:
            raise BadInput(_("{group} is {what}").format(group=group.name, what=what))
    here = topology.connected_to
    if topology.opened_through:
        raise BadInput(through_listener(topology.opened_through, here))
    if here in group.listeners:
        raise BadInput(
            _("{here} is a listener, which may lead elsewhere at any time; connect to {primary} itself").format(
                here=here, primary=group.primary
            )
        )
    if group.primary != here:
        raise BadInput(
            _("{here} is a secondary replica of {group}; connect to its primary, {primary}").format(
                here=here, group=group.name, primary=group.primary
            )
        )


def connected_secondary(group: AvailabilityGroup, name: str, topology: GroupTopology, database: str = "") -> Replica:
    """Return the secondary of a name that is up; of several the first that changes of a database are sent to, if any.

    Raises:
        BadInput: there is none, it is the primary, or it is down.
    """
    secondaries, named = group.secondaries(), group.replica_at(name)
    if named is not None and name != group.primary and named.left_alone:
        raise BadInput(
            _("the replica {name} of {group} is left alone: {why}; name another as secondary").format(
                name=name, group=group.name, why=named.left_alone
            )
        )
    if not secondaries:
        others = "; ".join(
            f"{r.server}: {r.left_alone}" for r in group.replicas if r.left_alone and r.server != group.primary
        )
        words = (
            _("the group {group} has no secondary replica that could be used: {others}")
            if others
            else _("the group {group} has no secondary replica")
        )
        raise BadInput(words.format(group=group.name, others=others))
    if name == group.primary:
        raise BadInput(
            _("{name} is the primary of {group}; name a secondary as secondary").format(name=name, group=group.name)
        )
    if name and all(replica.server != name for replica in secondaries):
        raise BadInput(
            _("the group {group} has no replica {name}; its secondaries are {names}").format(
                group=group.name, name=name, names=", ".join(r.server for r in secondaries)
            )
        )
    down = dict(topology.unreachable)
    named_so = (r for r in secondaries if name in ("", r.server))
    wanted = sorted(named_so, key=lambda replica: not group.receives(database, replica.server))
    for replica in wanted:
        if replica.is_connected and replica.server not in down:
            return replica
    why = down.get(wanted[0].server, _("the primary has no connection to it"))
    raise BadInput(
        _("the secondary {server} of {group} is down: {why}").format(server=wanted[0].server, group=group.name, why=why)
    )


def log_unknown(databases: Iterable[str]) -> str:
    """Return the remedy where no counter tells how full the log of databases is."""
    return _(
        "No counter tells how full the log of {databases} is, so the plan's log limit is not watched: take log backups "
        "often during the run, and watch it by hand."
    ).format(databases=", ".join(databases))
