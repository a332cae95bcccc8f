"""One value of a dedicated profile; undo sets the original, or drops the parameter, by its name."""

from typing import Final

from app.domain.change import Change
from app.domain.declared_change import (
    Call,
    Declaration,
    Details,
    Restart,
    Run,
    Scope,
    Words,
    changed_by_others,
    reads_otherwise,
)
from app.domain.setting import Value
from app.drivers.sqlserver.executor import At
from app.foundation.texts import _
from app.systems.transactional_replication.server.parameters import profile_values

PROFILE_PARAMETER: Final = "profile_parameter"
_MSDB: Final = At(database="msdb")


def _key(details: Details) -> dict[str, Value | None]:
    return {"agent_type": details["agent_type"], "profile_name": details["profile_name"]}


def _read(run: Run[At], details: Details) -> str | None:
    """Return the value, "" where the profile does not name the parameter, None where there is no such profile."""
    rows = run(Call("profile_by_name", At(database=str(details["distribution_db"])), _key(details)))
    if not rows:
        return None
    values = profile_values(run(Call("profile_parameters", _MSDB, {"profile_id": rows[0].whole("profile_id")})))
    wanted = str(details["parameter_name"]).lower()
    return next((value for name, value in values.items() if name.lower() == wanted), "")


def _set(_run: Run[At], details: Details, value: str | None) -> tuple[Call[At], ...]:
    named = {**_key(details), "parameter_name": details["parameter_name"]}
    if not value:
        return (Call("drop_profile_parameter", _MSDB, named, compares=True),)
    return (Call("set_profile_parameter", _MSDB, {**named, "parameter_value": value}, compares=True),)


def _unread(change: Change, value_now: str | None, wanted: str | None) -> str:
    if value_now is None:
        return _("{subject}: the profile does not exist").format(subject=change.subject)
    return reads_otherwise(change, value_now, wanted or "")


DECLARED: Final = Declaration[At, str | None](
    kind=PROFILE_PARAMETER,
    scope=Scope.PROCESS,
    read=_read,
    set=_set,
    original=lambda details: str(details["original_value"]),
    new=lambda details: str(details["new_value"]),
    words=Words(
        subject=lambda details: _('{parameter} in profile "{profile}"').format(
            parameter=details["parameter_name"], profile=details["profile_name"]
        ),
        shown=lambda value: value or _("not set"),
        making=lambda subject, value: _("Set {subject} to {value}").format(subject=subject, value=value),
        undoing=lambda subject, _value: _("Undo {subject}").format(subject=subject),
        unread=_unread,
        others=lambda change, reading: changed_by_others(change, reading or ""),
    ),
    restarts=Restart.PROCESS,
    expected=lambda reading: reading or "",
    is_undone_if_gone=True,
)
