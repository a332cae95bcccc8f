"""Checks before commit modes and trace flags are switched."""

from app.domain.family import PreflightCheck
from app.domain.plan import Plan
from app.domain.units import convert
from app.domain.work_source import work_source_of
from app.foundation.durations import duration_text
from app.foundation.texts import _
from app.systems.availability_groups.commit_steps import COMPRESSION_FLAGS
from app.systems.availability_groups.families.commit_mode.parameters import (
    AVAILABILITY_MODE,
    GROUP_COMMIT_TIME,
    STANDALONE,
    SYNC,
)
from app.systems.availability_groups.families.commit_mode.plan import (
    database_of,
    estimate_trial_s,
    shapes_of,
    unprotected_s,
)
from app.systems.availability_groups.group_checks import log_unknown
from app.systems.availability_groups.groups import CommitMode
from app.systems.availability_groups.site import GroupSite

# Log of one row of the published study, bytes: a guess until the run has measured it.
ROUGH_LOG_BYTES_PER_ROW = 1_700.0


def preflight_checks(plan: Plan, site: GroupSite) -> tuple[PreflightCheck, ...]:
    """Return the checks of this family, in the order a person reads them."""
    checks = [
        _own_load(plan),
        _unprotected(plan, site) if work_source_of(plan.load).is_own_work else _failover(plan, site),
        _other_secondaries(plan, site),
        None if work_source_of(plan.load).is_own_work else _log_room(plan, site),
        _flags(site),
        _waiting(plan, site),
    ]
    return tuple(check for check in checks if check is not None)


def _own_load(plan: Plan) -> PreflightCheck | None:
    """Return the check that a plan on the client's own load switches one group to and fro, None for a test table."""
    if not work_source_of(plan.load).is_own_work:
        return None
    levels = {str(level) for f in plan.factors if f.name == AVAILABILITY_MODE.name for level in f.levels}
    return PreflightCheck(
        title=_("The client's own commits are measured in one group; nothing is written"),
        passed=STANDALONE not in levels and not plan.load.text("sync_database"),
        remedy=_(
            "His applications write to one database, so neither a standalone arm nor a second group can be compared: "
            "take them out, or measure with a test table."
        ),
        blocking=True,
    )


def _unprotected(plan: Plan, site: GroupSite) -> PreflightCheck | None:
    """Tell for how long at most the loss of the primary would lose commits, where it would not otherwise."""
    group = site.topology.group_named(plan.load.text("group"))
    if group is None:
        return None
    return PreflightCheck(
        title=_("No commit is without a synchronized secondary that has one now"),
        passed=not unprotected_s(plan) or all(r.mode is CommitMode.ASYNCHRONOUS for r in group.secondaries()),
        remedy=_(
            "For about {time} in all, in windows of {window}, commits of {group} wait for no secondary and there is no "
            "automatic failover: what the log send queue holds would be lost with the primary. The run ends, and all "
            "of it is undone, after {most} at the latest: agree on that time. send_queue_mb in [limits] bounds what "
            "could be lost."
        ).format(
            time=duration_text(unprotected_s(plan)),
            window=duration_text(estimate_trial_s(plan)),
            group=group.name,
            most=duration_text(plan.most_s or 0.0),
        ),
    )


def _failover(plan: Plan, site: GroupSite) -> PreflightCheck | None:
    group = site.topology.group_named(plan.load.text("group"))
    if group is None or plan.load.text("sync_database"):
        return None
    return PreflightCheck(
        title=_("{group} can fail over without loss again as soon as the run is over").format(group=group.name),
        passed=not unprotected_s(plan) or all(r.mode is CommitMode.ASYNCHRONOUS for r in group.secondaries()),
        remedy=_(
            "During asynchronous trials {group} has no automatic failover and may lose data if the primary is lost; "
            "agree on a time for it, or use two test groups side by side."
        ).format(group=group.name),
    )


def _other_secondaries(plan: Plan, site: GroupSite) -> PreflightCheck | None:
    """Tell of further secondaries: they commit asynchronously meanwhile, or commits would wait for them as well."""
    group = site.topology.group_named(plan.load.text("group"))
    if group is None:
        return None
    tested = plan.load.text("secondary") or next((r.server for r in group.secondaries()), "")
    others = [r.server for r in group.secondaries() if r.mode is CommitMode.SYNCHRONOUS and r.server != tested]
    return PreflightCheck(
        title=_("Commits wait for no other secondary than {server}").format(server=tested),
        passed=not others,
        remedy=_("During the run {others} commits asynchronously; this is undone afterwards.").format(
            others=", ".join(others)
        ),
    )


def _log_room(plan: Plan, site: GroupSite) -> PreflightCheck | None:
    """Compare the log one trial writes, at most, with the free room in the log file."""
    levels = [str(level) for f in plan.factors if f.name == AVAILABILITY_MODE.name for level in f.levels]
    names = {database_of(plan.load, CommitMode(level)) for level in (*levels, SYNC)}
    databases = [d for d in site.topology.databases if d.name in names]
    if not databases:
        return None
    rows = sum(shape.inserts * shape.rows_per_insert for shape in shapes_of(plan.load)) * plan.load.whole("loops")
    needed_mb = convert(rows * ROUGH_LOG_BYTES_PER_ROW, "bytes", "MB")
    title = _("The log has room for what one trial writes (at most about {needed:,.0f} MB)").format(needed=needed_mb)
    unknown = [d.name for d in databases if d.log_used_share is None]
    if unknown:
        return PreflightCheck(title=title, passed=False, remedy=log_unknown(unknown))
    free_mb = min(d.log_size_mb * (1 - (d.log_used_share or 0.0)) for d in databases)
    return PreflightCheck(
        title=title,
        passed=free_mb >= needed_mb,
        remedy=_(
            "{free:,.0f} MB are free: take log backups often during the run, or let the log grow before it; the plan's "
            "log limit ends a trial before the log is full."
        ).format(free=free_mb),
    )


def _flags(site: GroupSite) -> PreflightCheck:
    flags = sorted(flag for server, flag in site.topology.trace_flags if flag in COMPRESSION_FLAGS)
    return PreflightCheck(
        title=_("No trace flag changes compression of the log stream"),
        passed=not flags,
        remedy=_(
            "Set now: {flags}. The run clears and sets them for each trial, for every group of the instance, "
            "and restores them afterwards."
        ).format(flags=", ".join(map(str, flags))),
    )


def _waiting(plan: Plan, site: GroupSite) -> PreflightCheck | None:
    """Refuse RECONFIGURE where it would put into effect what somebody else has set, for a plan that sends it."""
    if not any(factor.name == GROUP_COMMIT_TIME.name for factor in plan.factors):
        return None
    home = site.topology.connected_to
    waiting = [o.name for server, o in site.topology.options if server == home and o.in_use != o.value]
    return PreflightCheck(
        title=_("No server option waits for RECONFIGURE"),
        passed=not waiting,
        remedy=_(
            "Set by somebody and not in effect yet: {names}. The run sends RECONFIGURE, which would put them into "
            "effect as well: run RECONFIGURE for them, or set them back, first."
        ).format(names=", ".join(waiting)),
        blocking=True,
    )
