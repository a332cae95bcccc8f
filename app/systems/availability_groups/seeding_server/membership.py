"""A database taken into a group; undo takes it out and removes the leftovers of seeding: jobs, copies, backup files."""

from typing import Final

from app.domain.change import Change
from app.domain.declared_change import changed_meanwhile
from app.domain.errors import ChangedMeanwhile, VerificationFailed
from app.drivers.sqlserver.executor import is_kept
from app.drivers.sqlserver.scripts import statement_script
from app.drivers.sqlserver.session import Session
from app.foundation.clock import Clock
from app.foundation.texts import _
from app.systems.availability_groups.seeding_server.copies import find_database
from app.systems.availability_groups.seeding_server.naming import BACKUP_NAME, is_own, job_name
from app.systems.availability_groups.server.guards import only_at_primary, title_at_primary
from app.systems.availability_groups.server.replicas import GroupPlace, Primaries, failed_over, master

MEMBERSHIP: Final = "group_membership"

_LEAVE_LIMIT_S: Final = 60.0


def plan_member(place: GroupPlace, database: str, newest_backup: int) -> Change:
    """Return the change that takes a database into the group of a place.

    Args:
        newest_backup: number of the newest backup in the history; the files of later ones are deleted by the undo.
    """
    subject = _("database {database} in group {group}").format(database=database, group=place.group)
    values: dict[str, str | int] = {
        "group_name": place.group,
        "database_name": database,
        "job_name": job_name(database),
        "backup_name": BACKUP_NAME,
        "after_backup": newest_backup,
    }

    def script(title: str, server: str, statement: str, guard: str = "") -> str:
        return statement_script(title, server, "master", statement, values, guard=guard)

    # After a failover only the program's own database is taken out elsewhere.
    primary_of = place.group if is_own(database) else ""
    others = [server for server in place.servers if server != place.home]
    return Change(
        kind=MEMBERSHIP,
        subject=subject,
        original=_("not in a group"),
        new=_("in group {group}").format(group=place.group),
        details=(*place.details(), ("database", database), ("after_backup", newest_backup)),
        apply_sql=script(_("Take {subject}").format(subject=subject), place.home, "add_group_database"),
        undo_sql="".join(
            [
                *(script(_("Remove the job that seeds"), server, "remove_seeding_job") for server in place.servers),
                script(
                    title_at_primary(_("Take the database out of the group again"), primary_of),
                    place.home,
                    "remove_group_database",
                    only_at_primary(primary_of),
                ),
                *(script(_("Drop the copy at this replica"), server, "drop_secondary_copy") for server in others),
                script(_("Delete the backup files"), place.home, "delete_backup_files"),
            ]
        ),
        needs_consent=_(
            "the log of {database} is kept until every replica has it; backup jobs and files of it are "
            "created and removed"
        ).format(database=database),
    )


def _joined_meanwhile(change: Change, group: str) -> ChangedMeanwhile:
    return ChangedMeanwhile(changed_meanwhile(change, _("in group {group}").format(group=group)))


class Membership:
    """Takes a database into a group; undo leaves it as it was, at its home only."""

    def __init__(self, session: Session, clock: Clock) -> None:
        self._session = session
        self._clock = clock
        self._primaries = Primaries(session, clock)

    def apply(self, change: Change) -> None:
        """Add it at the primary and read it back; raises FailedOver where another server is primary now."""
        place, database = GroupPlace.of(change), str(change.detail("database"))
        primary = self._primaries.find_home(place)
        row = find_database(self._session, place.home, database)
        if row is not None and row.group:
            raise _joined_meanwhile(change, row.group)
        names = {"group_name": place.group, "database_name": database}
        answer = self._session.run("add_group_database", master(primary), **names)
        if answer[0].whole("is_primary") == 0:
            raise failed_over(place.group, primary, "")
        row = find_database(self._session, place.home, database)
        if is_kept("add_group_database", answer) and row is not None and row.group:
            raise _joined_meanwhile(change, row.group)
        if not self.is_applied(change):
            raise VerificationFailed(
                _("database {database} did not join group {group}; it may be in another one").format(
                    database=database, group=place.group
                )
            )

    def undo(self, change: Change) -> None:
        """Take it out, unless it is out; drop the copies, the jobs and the backup files that seeding made.

        Raises:
            VerificationFailed: after a failover another server holds a client's database; nothing is dropped then.
        """
        place, database = GroupPlace.of(change), str(change.detail("database"))
        self._remove_jobs(place, database)
        primary = self._primaries.find(place)
        holder = find_database(self._session, primary, database)
        was_member = holder is not None and holder.group == place.group
        if was_member:
            self._leave(place, primary, database)
        dropped = self._drop_copies(place, database)
        left = self._delete_files(place, database, int(change.detail_or("after_backup", 0)))
        # A file that was deleted before cannot be told from one that resists: it is complained about once only.
        if left > 0 and (was_member or dropped):
            raise VerificationFailed(
                _("{count} backup files of database {database} could not be deleted; delete them by hand").format(
                    count=left, database=database
                )
            )

    def is_applied(self, change: Change) -> bool:
        """Tell whether the database is in the group at its home."""
        place = GroupPlace.of(change)
        row = find_database(self._session, place.home, str(change.detail("database")))
        return row is not None and row.group == place.group

    def is_undone(self, change: Change) -> bool:
        """Tell whether it is in no group, and at no other replica."""
        place, database = GroupPlace.of(change), str(change.detail("database"))
        row_by_server = {server: find_database(self._session, server, database) for server in place.servers}
        home = row_by_server.pop(place.home)
        return (home is None or not home.group) and not any(row_by_server.values())

    def _remove_jobs(self, place: GroupPlace, database: str) -> None:
        for server in place.servers:
            self._session.run("remove_seeding_job", master(server), job_name=job_name(database))

    def _drop_copies(self, place: GroupPlace, database: str) -> bool:
        """Drop the copies away from home and tell whether there were any."""
        dropped = [self._drop_copy(place, server, database) for server in place.servers if server != place.home]
        return any(dropped)

    def _delete_files(self, place: GroupPlace, database: str, after_backup: int) -> int:
        """Delete the backup files and return how many resist."""
        return self._session.run(
            "delete_backup_files",
            master(place.home),
            database_name=database,
            backup_name=BACKUP_NAME,
            after_backup=after_backup,
        )[0].whole("files_left")

    def _leave(self, place: GroupPlace, primary: str, database: str) -> None:
        if primary != place.home and not is_own(database):
            raise VerificationFailed(
                _(
                    "group {group} failed over to {primary}, which now holds database {database}; "
                    "fail it back to {home}, then restore again"
                ).format(group=place.group, primary=primary, database=database, home=place.home)
            )
        self._session.run("remove_group_database", master(primary), group_name=place.group, database_name=database)
        row = find_database(self._session, primary, database)
        if row is not None and row.group:
            raise VerificationFailed(
                _("database {database} is still in group {group}; take it out by hand, then restore again").format(
                    database=database, group=place.group
                )
            )

    def _drop_copy(self, place: GroupPlace, server: str, database: str) -> bool:
        """Drop a copy once it has left the group there (it learns of it a moment later); tell whether there was one."""
        until_s = self._clock.monotonic_s() + _LEAVE_LIMIT_S
        while True:
            row = find_database(self._session, server, database)
            if row is None or (row.state == "ONLINE" and is_own(database) and not row.group):
                return False  # none; or, after a failover, the test database itself, which its own undo drops
            self._session.run("drop_secondary_copy", master(server), group_name=place.group, database_name=database)
            if find_database(self._session, server, database) is None:
                return True
            if self._clock.monotonic_s() >= until_s:
                raise VerificationFailed(
                    _(
                        "the copy of database {database} is still at {server}; drop it by hand, then restore again"
                    ).format(database=database, server=server)
                )
            self._clock.sleep(1.0)
