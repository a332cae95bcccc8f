"""Checks before a database is seeded again and again."""

from app.domain.family import PreflightCheck
from app.domain.plan import Plan
from app.foundation.texts import _
from app.systems.availability_groups.copies import SeedingMethod
from app.systems.availability_groups.families.seeding.parameters import SEEDING_METHOD
from app.systems.availability_groups.group_checks import log_unknown
from app.systems.availability_groups.seeding_members import TEST_DATABASE
from app.systems.availability_groups.seeding_steps import COMPRESS_SEEDING
from app.systems.availability_groups.site import GroupSite

# The copy has the size of the data in use; log and growth come on top.
ROOM = 1.2
# Trace flag 3459 makes redo serial (Microsoft Learn: DBCC TRACEON, trace flags).
SERIAL_REDO = 3459


def preflight_checks(plan: Plan, site: GroupSite) -> tuple[PreflightCheck, ...]:
    """Return the checks of this family, in the order a person reads them."""
    checks = (
        *_disks(site),
        _folders(plan, site),
        _mode(plan, site),
        _log(plan, site),
        _flags(site),
        _encryption(plan, site),
        _chain(plan),
        _other_backups(plan),
    )
    return tuple(check for check in checks if check is not None)


def _methods(plan: Plan) -> set[SeedingMethod]:
    levels = [level for f in plan.factors if f.name == SEEDING_METHOD.name for level in f.levels]
    return {SeedingMethod(str(level)) for level in levels} or {SeedingMethod.BACKUP_RESTORE}


def _disks(site: GroupSite) -> tuple[PreflightCheck, ...]:
    requirements = site.requirements
    if requirements is None:
        return ()
    needed_mb = requirements.database_mb * ROOM
    places = (
        (_("the primary"), requirements.free_primary_mb),
        (_("the secondary"), requirements.free_secondary_mb),
        (_("the backup folder"), requirements.free_backup_mb),
    )
    return tuple(
        PreflightCheck(
            title=_("{place} has room for the database ({needed:,.0f} MB)").format(
                place=place[:1].upper() + place[1:], needed=needed_mb
            ),
            passed=free_mb >= needed_mb,
            remedy=_("{free:,.0f} MB are free at {place}: make room, or seed a smaller database.").format(
                free=free_mb, place=place
            ),
        )
        for place, free_mb in places
        if free_mb is not None
    )


def _folders(plan: Plan, site: GroupSite) -> PreflightCheck | None:
    """Direct seeding makes files where they are at the primary, or where both servers put new ones.

    Source: MicrosoftDocs/sql-docs automatic-seeding-secondary-replicas.md.
    """
    requirements = site.requirements
    if requirements is None:
        return None
    folders, is_direct = requirements.unknown_folders, _methods(plan) != {SeedingMethod.BACKUP_RESTORE}
    remedy = _(
        "It has no files in {folders}, so direct seeding may fail: make these folders there first; a restore moves the "
        "files to where it puts new ones."
    )
    return PreflightCheck(
        title=_("The secondary knows the folders of the database's files"),
        passed=not folders or not is_direct,
        remedy=remedy.format(folders=", ".join(folders)),
    )


def _mode(plan: Plan, site: GroupSite) -> PreflightCheck | None:
    requirements = site.requirements
    if requirements is None:
        return None
    is_direct = _methods(plan) != {SeedingMethod.BACKUP_RESTORE}
    return PreflightCheck(
        title=_("The secondary may be seeded, and the mode stays as it is (SEEDING_MODE)"),
        passed=not is_direct or (requirements.seeding_mode == "manual" and requirements.may_create_any),
        remedy=_(
            "Its mode is {mode}. The run sets it to MANUAL and AUTOMATIC in turn, with GRANT CREATE ANY "
            "DATABASE if that is missing, and undoes both; meanwhile add no other database to the group."
        ).format(mode=requirements.seeding_mode.upper() or _("not known")),
    )


def _log(plan: Plan, site: GroupSite) -> PreflightCheck | None:
    """Tell of the log: it cannot be truncated until the copy has joined."""
    name = plan.load.text("database")
    database = next((d for d in site.topology.databases if d.name == name), None)
    if database is None:
        return None
    title = _("The log of {database} has room for what is written while it is seeded").format(database=name)
    if database.log_used_share is None:
        return PreflightCheck(title=title, passed=False, remedy=log_unknown([name]))
    return PreflightCheck(
        title=title,
        passed=database.log_used_share < 0.5,
        remedy=_(
            "{share:.0%} of {size:,.0f} MB are used, and the log cannot be truncated until the secondary has joined: "
            "take a log backup before, or let the log grow; the plan's log limit ends a trial before it is full."
        ).format(share=database.log_used_share, size=database.log_size_mb),
    )


def _flags(site: GroupSite) -> PreflightCheck:
    flags = sorted({flag for _server, flag in site.topology.trace_flags if flag in (COMPRESS_SEEDING, SERIAL_REDO)})
    return PreflightCheck(
        title=_("No trace flag changes seeding or redo"),
        passed=not flags,
        remedy=_(
            "Set now: {flags}. Trace flag 9567 is cleared and set for each trial and restored afterwards; "
            "3459 makes redo serial and stays."
        ).format(flags=", ".join(map(str, flags))),
    )


def _encryption(plan: Plan, site: GroupSite) -> PreflightCheck | None:
    name = plan.load.text("database")
    database = next((d for d in site.topology.databases if d.name == name), None)
    if database is None or SeedingMethod.BACKUP_RESTORE not in _methods(plan):
        return None
    return PreflightCheck(
        title=_("{database} is not encrypted, so its backup compresses").format(database=name),
        passed=not database.is_encrypted,
        remedy=_(
            "Backups of an encrypted database compress only with MAXTRANSFERSIZE above 65536; the secondary needs the "
            "certificate before anything can be restored or seeded."
        ),
    )


def _chain(plan: Plan) -> PreflightCheck | None:
    if SeedingMethod.BACKUP_RESTORE not in _methods(plan):
        return None
    return PreflightCheck(
        title=_("The client's backup chain is left alone"),
        passed=True,
        remedy=_("Every backup of the run is COPY_ONLY; its files are deleted after each trial."),
    )


def _other_backups(plan: Plan) -> PreflightCheck | None:
    """Return a notice no server can be asked for: whether somebody backs up the log before the copy has joined.

    Msg 1412: MicrosoftDocs/sql-docs:docs/relational-databases/errors-events/database-engine-events-and-errors.md.
    """
    if SeedingMethod.BACKUP_RESTORE not in _methods(plan):
        return None
    return PreflightCheck(
        title=_("Nobody else backs up the log of {database} during the run").format(
            database=plan.load.text("database") or TEST_DATABASE
        ),
        passed=False,
        remedy=_(
            "No server shows this: ask for the log backup job to be paused. A log backup between the run's "
            "own and the join takes log away that the secondary still needs; the join then fails with error "
            "1412."
        ),
    )
