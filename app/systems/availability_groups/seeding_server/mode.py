"""SEEDING_MODE of a replica with the grant it needs, as one change."""

from typing import Final

from app.domain.change import Change
from app.domain.declared_change import Call, Declaration, Declared, Details, Run, Scope, Words
from app.domain.errors import VerificationFailed
from app.drivers.sqlserver.executor import At
from app.foundation.texts import _
from app.systems.availability_groups.server.executor import AtPrimary, GroupExecutor
from app.systems.availability_groups.server.mode_changes import reads_mode
from app.systems.availability_groups.server.replicas import GroupPlace

SEEDING_MODE: Final = "seeding_mode"
_AUTOMATIC: Final = "AUTOMATIC"


def _read(run: Run[At], details: Details) -> str:
    group, server = str(details["group"]), str(details["replica"])
    for row in run(Call("group_replicas", AtPrimary(place=GroupPlace.among(details)), {})):
        if row.text("group_name") == group and row.text("replica_server") == server:
            return row.text("seeding_mode_desc")
    raise VerificationFailed(
        _("group {group} no longer has the replica {server}; nothing is left to undo").format(
            group=group, server=server
        )
    )


def _set(_run: Run[At], details: Details, mode: str) -> tuple[Call[At], ...]:
    """Grant CREATE ANY DATABASE before the new mode where needed, deny it again after the original."""
    group, server = str(details["group"]), str(details["replica"])
    setting: Call[At] = Call(
        "set_seeding_mode",
        AtPrimary(place=GroupPlace.among(details)),
        {"group_name": group, "replica_server": server, "mode": mode, "again": 0},
        compares=True,
    )
    if not details["grant"]:
        return (setting,)
    is_new = mode == details["new_mode"]
    grant = Call("grant_create_any_database", At(server), {"group_name": group, "granted": int(is_new)})
    return (grant, setting) if is_new else (setting, grant)


def _consent(details: Details) -> str:
    if details["new_mode"] == _AUTOMATIC:
        return _("databases of the group that are missing at this replica are seeded to it at once")
    return _("new databases of the group are not seeded to this replica until this is undone")


DECLARED: Final = Declaration[At, str](
    kind=SEEDING_MODE,
    scope=Scope.MEMBER,
    read=_read,
    set=_set,
    original=lambda details: str(details["original_mode"]),
    new=lambda details: str(details["new_mode"]),
    words=Words(
        subject=lambda d: _("seeding mode of replica {server} in group {group}").format(
            server=d["replica"], group=d["group"]
        ),
        shown=str,
        making=lambda subject, mode: _("Set the {subject} to {mode}").format(subject=subject, mode=mode),
        undoing=lambda subject, _mode: _("Undo the {subject}; after a failover, at the new primary replica").format(
            subject=subject
        ),
        unread=reads_mode,
        consent=_consent,
    ),
    expected=str,
    is_blind=lambda details: bool(details["grant"]),  # whether a group may make databases cannot be read
)


def plan_seeding(
    executor: GroupExecutor, place: GroupPlace, server: str, original: str, new: str, *, was_granted: bool
) -> Change:
    """Return the change of a replica's seeding mode; `was_granted` where the group may create databases there."""
    grant = new == _AUTOMATIC and not was_granted
    modes = (("original_mode", original), ("new_mode", new), ("grant", int(grant)))
    return Declared(DECLARED, executor).plan((*place.details(), ("replica", server), *modes))
