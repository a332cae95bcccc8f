"""The arm a kept mode is instead of, and its meaning for the client: it stays without an end."""

from app.domain.plan import Plan
from app.domain.setting import Setting, effective_setting
from app.foundation.texts import _
from app.systems.availability_groups.commit_members import major_version
from app.systems.availability_groups.commit_steps import DEFAULT, compression_found, compression_in_effect
from app.systems.availability_groups.families.commit_mode.parameters import (
    AVAILABILITY_MODE,
    GROUP_COMMIT_TIME,
    LOG_STREAM_COMPRESSION,
    PARAMETERS,
)
from app.systems.availability_groups.families.commit_mode.plan import commit_time_of, compression_of, mode_of
from app.systems.availability_groups.groups import COMMIT_TIME, CommitMode, GroupTopology
from app.systems.availability_groups.site import GroupSite


def in_effect(plan: Plan, site: GroupSite) -> Setting | None:
    """Return the arm of a plan that the group was found in: mode, compression and commit time; None for none."""
    topology = site.topology
    mode = _mode_found(plan, topology)
    if mode is None:
        return None
    whole = _found(topology, mode)
    found = Setting.from_mapping({factor.name: whole[factor.name] for factor in plan.factors})
    return effective_setting(found, PARAMETERS) if _is_as(found, whole) else None


def _found(topology: GroupTopology, mode: CommitMode) -> Setting:
    """Return the values of all parameters as the primary was found with them."""
    major, home = major_version(topology), topology.connected_to
    flags = [flag for server, flag in topology.trace_flags if server == home]
    compression = compression_found(major, mode, flags)
    is_usual = compression == compression_in_effect(major, mode, DEFAULT)
    option = topology.option(home, COMMIT_TIME)
    return Setting.from_mapping(
        {
            AVAILABILITY_MODE.name: str(mode),
            LOG_STREAM_COMPRESSION.name: DEFAULT if is_usual else compression,
            GROUP_COMMIT_TIME.name: 0 if option is None else option.in_use,
        }
    )


def _is_as(arm: Setting, whole: Setting) -> bool:
    """Tell whether an arm, which leaves out the parameters its plan does not vary, is all that was found."""
    mode = mode_of(arm)
    is_grouped = mode is CommitMode.ASYNCHRONOUS or commit_time_of(arm) == commit_time_of(whole)
    return mode is mode_of(whole) and compression_of(arm) == compression_of(whole) and is_grouped


def _mode_found(plan: Plan, topology: GroupTopology) -> CommitMode | None:
    """Return whether commits wait for the secondary under test: where it and the primary are synchronous."""
    group = topology.group_named(plan.load.text("group"))
    replicas = (
        [] if group is None else [group.replica_at(name) for name in (group.primary, plan.load.text("secondary"))]
    )
    modes = {replica.mode for replica in replicas if replica is not None}
    if not replicas or None in replicas:
        return None
    return CommitMode.SYNCHRONOUS if modes == {CommitMode.SYNCHRONOUS} else CommitMode.ASYNCHRONOUS


def kept_risk(plan: Plan, setting: Setting) -> str:
    """Return for how long a kept setting leaves commits without protection, and what a restart makes of it."""
    told = []
    if mode_of(setting) is CommitMode.ASYNCHRONOUS:
        told.append(
            _(
                "From then on, without an end of its own until it is undone, commits of {group} wait for no secondary "
                "and there is no automatic failover: a failover may lose data that was committed"
            ).format(group=plan.load.text("group"))
        )
    if compression_of(setting) != DEFAULT:
        told.append(_("A restart of the primary ends the compression set by trace flags"))
    return ". ".join(told)
