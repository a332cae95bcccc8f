"""Checkpoint retention, propagation latency and Streams pool size: numbers without a NULL that resets them."""

from dataclasses import dataclass
from typing import Final

from app.domain.change import Change
from app.domain.declared_change import (
    EXPECTED,
    SUBJECT,
    Call,
    Declaration,
    Declared,
    Details,
    Run,
    Scope,
    Words,
    changed_by_others,
    reads_otherwise,
)
from app.domain.errors import BadInput, Unsupported
from app.domain.setting import Value
from app.drivers.oracle.scripts import Compared, literal
from app.drivers.oracle.session import End
from app.foundation.rows import Row
from app.foundation.texts import _
from app.systems.oracle_streams.server.executor import OracleExecutor
from app.systems.oracle_streams.server.values import size_text

CHECKPOINT_RETENTION: Final = "checkpoint_retention"
PROPAGATION_LATENCY: Final = "propagation_latency"
STREAMS_POOL_SIZE: Final = "streams_pool_size"
POOL_READING: Final = "streams_pool"
"""Statement that reads a Streams pool."""


def _plain(value: float) -> str:
    return f"{value:.12g}"


def _making(subject: str, _value: str) -> str:
    return _("Set {subject}").format(subject=subject)


def _undoing(subject: str, _value: str) -> str:
    return _("Undo {subject}").format(subject=subject)


def _days(value: float) -> str:
    return _("{days} days").format(days=_plain(value))


def _retention(run: Run[End], details: Details) -> float:
    capture = details["capture"]
    about = _("capture {name}").format(name=capture)
    rows = run(Call("capture_retention", End.SOURCE, {"capture_name": capture}, about=about))
    return rows[0].number_or("checkpoint_retention_time", 0.0)


def _set_retention(_run: Run[End], details: Details, days: float) -> tuple[Call[End], ...]:
    values: dict[str, Value | None] = {"process_name": details["capture"], "days": days, EXPECTED: None}
    return (Call("set_checkpoint_retention", End.SOURCE, values, compares=True),)


def _retention_subject(details: Details) -> str:
    return _("checkpoint retention of capture {capture}").format(capture=details["capture"])


def _compared_number(subject: str, reading: str, values: Details, column: str, new: float, original: float) -> Compared:
    """Compare a number that a view shows as it was set."""
    return Compared(
        subject,
        reading,
        values,
        {"found": ("NUMBER", f"MAX(shown.{column})")},
        is_before=f"NVL(found, -1) = {_plain(original)}",
        is_set=f"NVL(found, -1) = {_plain(new)}",
    )


# Another retention than the two is left: to lower somebody else's would purge checkpoints.
RETENTION_DECLARED: Final = Declaration[End, float](
    kind=CHECKPOINT_RETENTION,
    scope=Scope.PROCESS,
    read=_retention,
    set=_set_retention,
    original=lambda details: float(details["original_days"]),
    new=lambda details: float(details["new_days"]),
    words=Words(
        subject=_retention_subject,
        shown=_days,
        making=_making,
        undoing=_undoing,
        unread=lambda change, reading, wanted: reads_otherwise(change, _plain(reading), _plain(wanted)),
        consent=lambda _details: _("keeps more checkpoints in the database until this is undone"),
        others=lambda change, reading: changed_by_others(change, _days(reading)),
    ),
    expected=float,
    guard=lambda details: _compared_number(
        _retention_subject(details),
        "capture_retention",
        {"capture_name": details["capture"]},
        "checkpoint_retention_time",
        float(details["new_days"]),
        float(details["original_days"]),
    ).block(),
)


def plan_retention(executor: OracleExecutor, capture: str, days: float) -> tuple[Change, ...]:
    """Return the change of a capture's checkpoint retention, () where it is that already.

    Raises:
        BadInput: it would be lowered: purged checkpoints do not come back, and FIRST_SCN moves for good.
    """
    declared = Declared(RETENTION_DECLARED, executor)
    now = declared.read({"capture": capture})
    if now == days:
        return ()
    if days < now:
        raise BadInput(
            _(
                "checkpoint retention of capture {capture} is {now} days; lowering it to {days} cannot be undone, "
                "because purged checkpoints do not come back; keep it or raise it"
            ).format(capture=capture, now=_plain(now), days=_plain(days))
        )
    return (declared.plan((("capture", capture), ("original_days", now), ("new_days", days))),)


def _seconds(value: float | None) -> str:
    return _("none") if value is None else _("{seconds} s").format(seconds=_plain(value))


def _schedule(run: Run[End], details: Details) -> Row:
    propagation = details["propagation"]
    about = _("propagation {name}").format(name=propagation)
    return run(Call("propagation_schedule", End.SOURCE, {"propagation_name": propagation}, about=about))[0]


def _is_own(schedule: Row) -> bool:
    return schedule.text("queue_to_queue").upper() == "TRUE"


def _set_latency(_run: Run[End], details: Details, latency_s: float | None) -> tuple[Call[End], ...]:
    values = {"propagation_name": details["propagation"], "latency_s": latency_s, EXPECTED: None}
    return (Call("set_propagation_latency", End.SOURCE, values, compares=True),)


def _latency_subject(details: Details) -> str:
    return _("latency of propagation {name}").format(name=details["propagation"])


def _latency_unread(change: Change, latency_s: float | None, wanted: float | None) -> str:
    return reads_otherwise(change, *(_plain(-1.0 if value is None else value) for value in (latency_s, wanted)))


LATENCY_DECLARED: Final = Declaration[End, float | None](
    kind=PROPAGATION_LATENCY,
    scope=Scope.PROCESS,
    read=lambda run, details: _schedule(run, details).number_or_none("latency"),
    set=_set_latency,
    original=lambda details: float(details["original_s"]),
    new=lambda details: float(details["new_s"]),
    words=Words(
        subject=_latency_subject,
        shown=_seconds,
        making=_making,
        undoing=_undoing,
        unread=_latency_unread,
        consent=lambda details: str(details["consent"]),
        others=lambda change, reading: changed_by_others(change, _seconds(reading)),
    ),
    # a schedule that shows no latency is not changed
    expected=lambda latency_s: -1.0 if latency_s is None else latency_s,
    guard=lambda details: _compared_number(
        _latency_subject(details),
        "propagation_schedule",
        {"propagation_name": details["propagation"]},
        "latency",
        float(details["new_s"]),
        float(details["original_s"]),
    ).block(),
)


def plan_latency(executor: OracleExecutor, propagation: str, latency_s: float) -> tuple[Change, ...]:
    """Return the change of a propagation's latency, () where it is that already.

    Raises:
        BadInput: its schedule has no latency to put back.
    """
    row = _schedule(executor.begin(is_apply=False), {"propagation": propagation})
    now = row.number_or_none("latency")
    if now is None:
        raise BadInput(
            _(
                "the schedule of propagation {name} shows no latency, so a change could not be undone; schedule "
                "it with a latency first"
            ).format(name=propagation)
        )
    if now == latency_s:
        return ()
    shared = _("every propagation from this queue over the same database link shares this schedule")
    details = (("propagation", propagation), ("original_s", now), ("new_s", latency_s))
    return (Declared(LATENCY_DECLARED, executor).plan(details, {"consent": "" if _is_own(row) else shared}),)


@dataclass(frozen=True)
class Pool:
    """A Streams pool: its size as set, and the unit it is rounded up to; both in bytes."""

    size_bytes: int
    granule_bytes: int = 1


def _pool_row(run: Run[End], details: Details) -> Row:
    """Read the pool; raises Unsupported at another instance of a cluster than the one that was changed."""
    # journals of the first releases do not say which instance
    row, instance = run(Call(POOL_READING, End(str(details["end"])), {}))[0], details.get("instance", "")
    if instance and row.text("instance_name") != instance:
        raise Unsupported(
            _(
                "{subject} cannot be reached, because this connection leads to instance {found}; "
                "connect to {instance}, for example with a service of that instance alone, and restore again"
            ).format(subject=details[SUBJECT], found=row.text("instance_name"), instance=instance)
        )
    return row


def _pool(run: Run[End], details: Details) -> Pool:
    row = _pool_row(run, details)
    return Pool(int(row.text("setting_bytes") or "0"), max(1, row.whole_or("granule_bytes", 1)))


def _set_pool(_run: Run[End], details: Details, pool: Pool) -> tuple[Call[End], ...]:
    # in memory only unless a script says otherwise: a restart of the instance puts back what its parameter file says
    lasting = details.get("outlasts_restart", 0)
    instance = details.get("instance") or None
    values = {"size_bytes": pool.size_bytes, "instance_name": instance, "outlasts_restart": lasting, EXPECTED: None}
    return (Call("set_streams_pool_size", End(str(details["end"])), values, compares=True),)


def _is_size(pool: Pool, wanted: Pool) -> bool:
    """Tell whether a pool has a size, rounded up to a granule; a restart of the instance puts the old one back."""
    rounded_up = wanted.size_bytes + (pool.granule_bytes if wanted.size_bytes else 1)
    return wanted.size_bytes <= pool.size_bytes < rounded_up


def _compare_pool(details: Details) -> str:
    """Return the condition that compares a pool, as `_is_size` does, at the instance that was changed."""
    instance = str(details["instance"])
    elsewhere = _("{subject} cannot be reached, because this is another instance").format(
        subject=_pool_subject(details)
    )
    return Compared(
        _pool_subject(details),
        POOL_READING,
        {},
        {
            "found": ("NUMBER", "TO_NUMBER(MAX(shown.setting_bytes))"),
            "granule": ("NUMBER", "MAX(shown.granule_bytes)"),
            "instance_found": ("VARCHAR2(100)", "MAX(shown.instance_name)"),
        },
        is_before=_has_size(int(details["original_bytes"])),
        is_set=_has_size(int(details["new_bytes"])),
        unless=(f"instance_found <> {literal(instance)}", elsewhere) if instance else ("", ""),
    ).block()


def _has_size(size_bytes: int) -> str:
    if not size_bytes:
        return "NVL(found, 0) = 0"
    return f"NVL(found, 0) BETWEEN {size_bytes} AND {size_bytes} + NVL(granule, 1) - 1"


def _pool_subject(details: Details) -> str:
    if details["instance"]:
        return _("streams_pool_size of instance {instance} of {database}").format(
            instance=details["instance"], database=details["database"]
        )
    return _("streams_pool_size of {database}").format(database=details["database"])


POOL_DECLARED: Final = Declaration[End, Pool](
    kind=STREAMS_POOL_SIZE,
    scope=Scope.INSTANCE,
    read=_pool,
    set=_set_pool,
    original=lambda details: Pool(int(details["original_bytes"])),
    new=lambda details: Pool(int(details["new_bytes"])),
    words=Words(
        subject=_pool_subject,
        shown=lambda pool: size_text(pool.size_bytes),
        making=_making,
        undoing=_undoing,
        unread=lambda change, _found, wanted: _("{subject} does not read {wanted} after it was set").format(
            subject=change.subject, wanted=size_text(wanted.size_bytes)
        ),
        consent=lambda _details: _(
            "moves memory between the pools of this instance; a restart of it restores the old size"
        ),
        others=lambda change, reading: changed_by_others(change, size_text(reading.size_bytes)),
    ),
    same=_is_size,
    expected=lambda pool: pool.size_bytes,
    guard=_compare_pool,
)


def plan_pool(executor: OracleExecutor, end: End, size: int) -> tuple[Change, ...]:
    """Return the change of a running instance's Streams pool, () where it has that size already.

    Of a cluster only the instance connected to is changed, and put back: each may have a size of its own.

    Raises:
        BadInput: it is not changed while the instance runs, goes from or to an automatic pool nobody manages, or
            below what is in use.
    """
    row = _pool_row(executor.begin(is_apply=False), {"end": end.value})
    now = int(row.text("setting_bytes") or "0")
    if now == size:
        return ()
    database, used = executor.where(end).server, row.whole_or("used_bytes", 0)
    is_managed = int(row.text("sga_target_bytes") or "0") > 0
    if not is_managed and 0 in (now, size):
        raise BadInput(
            _(
                "streams_pool_size of {database} goes from {now} to {size}, which needs a restart of the instance "
                "while SGA_TARGET is 0; have a DBA set it there first"
            ).format(database=database, now=size_text(now), size=size_text(size))
        )
    if 0 < size < used:
        raise BadInput(
            _("{used} of the Streams pool of {database} are in use; it is not made smaller than that").format(
                used=size_text(used), database=database
            )
        )
    instance = row.text("instance_name") if row.text("is_rac") == "YES" else ""
    details = (("end", end.value), ("original_bytes", now), ("new_bytes", size), ("instance", instance))
    return (Declared(POOL_DECLARED, executor).plan(details, {"database": database}),)
