"""SEEDING_MODE of a replica with the grant it needs, as one change."""

from typing import Final

from app.domain.change import Change
from app.domain.errors import VerificationFailed
from app.domain.setting import Value
from app.drivers.sqlserver.scripts import Sql, statement_script
from app.drivers.sqlserver.session import Session
from app.foundation.clock import Clock
from app.foundation.texts import _
from app.systems.availability_groups.server.replicas import GroupPlace, Primaries, failed_over, master

SEEDING_MODE: Final = "seeding_mode"
_AUTOMATIC: Final = "AUTOMATIC"


def plan_seeding(place: GroupPlace, server: str, original: str, new: str, *, was_granted: bool) -> Change:
    """Return the change of a replica's seeding mode; `was_granted` where the group may create databases there."""
    subject = _("seeding mode of replica {server} in group {group}").format(server=server, group=place.group)
    grant = new == _AUTOMATIC and not was_granted

    def scripts(title: str, mode: str, granted: int) -> str:
        values: dict[str, Value | Sql] = {
            "group_name": place.group,
            "replica_server": server,
            "mode": mode,
            "again": 0,
            "granted": granted,
        }
        mode_script = statement_script(title, place.home, "master", "set_seeding_mode", values, primary_of=place.group)
        grant_script = statement_script(title, server, "master", "grant_create_any_database", values) if grant else ""
        return grant_script + mode_script if granted else mode_script + grant_script

    return Change(
        kind=SEEDING_MODE,
        subject=subject,
        original=original,
        new=new,
        details=(
            *place.details(),
            ("replica", server),
            ("original_mode", original),
            ("new_mode", new),
            ("grant", int(grant)),
        ),
        apply_sql=scripts(_("Set the {subject} to {mode}").format(subject=subject, mode=new), new, 1),
        undo_sql=scripts(
            _("Put back the {subject}; after a failover, at the new primary replica").format(subject=subject),
            original,
            0,
        ),
        needs_consent=_("databases of the group that are missing at this replica are seeded to it at once")
        if new == _AUTOMATIC
        else _("new databases of the group are not seeded to this replica until it is put back"),
    )


class SeedingMode:
    """Sets the mode, granting first where needed; undo sets the original, then denies what it granted."""

    def __init__(self, session: Session, clock: Clock) -> None:
        self._session = session
        self._primaries = Primaries(session, clock)

    def apply(self, change: Change) -> None:
        """Grant CREATE ANY DATABASE where needed, set the mode, read it back."""
        place = GroupPlace.of(change)
        primary = self._primaries.find_home(place)
        if int(change.detail("grant")):
            self._grant(change, 1)
        self._set(change, primary, str(change.detail("new_mode")))

    def undo(self, change: Change) -> None:
        """Put the original mode back unless it is there; deny what was granted (that cannot be read, so always)."""
        primary = self._primaries.find(GroupPlace.of(change))
        original = str(change.detail("original_mode"))
        if self._read(change, primary) != original:
            self._set(change, primary, original)
        if int(change.detail("grant")):
            self._grant(change, 0)

    def is_applied(self, change: Change) -> bool:
        """Tell whether the replica has the new mode; the grant cannot be read."""
        return self._read(change, self._primaries.find(GroupPlace.of(change))) == str(change.detail("new_mode"))

    def is_undone(self, change: Change) -> bool:
        """Tell whether the replica has its original mode; the grant cannot be read."""
        primary = self._primaries.find(GroupPlace.of(change))
        return self._read(change, primary) == str(change.detail("original_mode"))

    def _grant(self, change: Change, granted: int) -> None:
        self._session.run(
            "grant_create_any_database",
            master(str(change.detail("replica"))),
            group_name=str(change.detail("group")),
            granted=granted,
        )

    def _set(self, change: Change, primary: str, mode: str) -> None:
        place = GroupPlace.of(change)
        rows = self._session.run(
            "set_seeding_mode",
            master(primary),
            group_name=place.group,
            replica_server=str(change.detail("replica")),
            mode=mode,
            again=0,
        )
        if rows[0].whole("is_primary") == 0:
            raise failed_over(place.group, primary, "")
        found = self._read(change, primary)
        if found != mode:
            raise VerificationFailed(
                _("the {subject} reads {found} instead of {wanted}").format(
                    subject=change.subject, found=found, wanted=mode
                )
            )

    def _read(self, change: Change, primary: str) -> str:
        group, server = str(change.detail("group")), str(change.detail("replica"))
        for row in self._session.run("group_replicas", master(primary)):
            if row.text("group_name") == group and row.text("replica_server") == server:
                return row.text("seeding_mode_desc")
        raise VerificationFailed(
            _("group {group} no longer has the replica {server}; nothing is left to put back").format(
                group=group, server=server
            )
        )
