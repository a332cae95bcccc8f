"""Checkpoint retention, propagation latency and Streams pool size: numbers without a NULL that resets them."""

from typing import Final

from app.domain.change import Change
from app.domain.errors import BadInput, Unsupported, VerificationFailed
from app.domain.setting import Value
from app.drivers.oracle.cells import BindValue
from app.drivers.oracle.scripts import Where, block_script, only_if_retention
from app.drivers.oracle.session import End, Session
from app.foundation.rows import Row
from app.foundation.texts import _
from app.systems.oracle_streams.server.others import changed_by_others
from app.systems.oracle_streams.server.values import size_text

CHECKPOINT_RETENTION: Final = "checkpoint_retention"
PROPAGATION_LATENCY: Final = "propagation_latency"
STREAMS_POOL_SIZE: Final = "streams_pool_size"


def _plain(value: float) -> str:
    return f"{value:.12g}"


def _not_there(session: Session, end: End, what: str) -> Unsupported:
    return Unsupported(
        _("{database} has no {what} any more; read the pipeline again").format(
            database=session.server_of(end), what=what
        )
    )


def _verify(change: Change, found: str, wanted: str) -> None:
    if found != wanted:
        raise VerificationFailed(
            _('{subject} reads "{found}" instead of "{wanted}"').format(
                subject=change.subject, found=found, wanted=wanted
            )
        )


def plan_retention(session: Session, where: Where, capture: str, days: float) -> tuple[Change, ...]:
    """Return the change of a capture's checkpoint retention, () where it is that already.

    Raises:
        BadInput: it would be lowered: purged checkpoints do not come back, and FIRST_SCN moves for good.
    """
    now = _retention(session, capture)
    if now == days:
        return ()
    if days < now:
        raise BadInput(
            _(
                "checkpoint retention of capture {capture} is {now} days; lowering it to {days} cannot be undone, "
                "because purged checkpoints do not come back; keep it or raise it"
            ).format(capture=capture, now=_plain(now), days=_plain(days))
        )
    subject = _("checkpoint retention of capture {capture}").format(capture=capture)

    def script(title: str, value: float, *, is_undo: bool = False) -> str:
        values: dict[str, BindValue] = {"process_name": capture, "days": value}
        guard = only_if_retention(capture, _plain(days)) if is_undo else ""
        return block_script(title, where, "set_checkpoint_retention", values, is_undo=is_undo, guard=guard)

    return (
        Change(
            kind=CHECKPOINT_RETENTION,
            subject=subject,
            original=_("{days} days").format(days=_plain(now)),
            new=_("{days} days").format(days=_plain(days)),
            details=(("capture", capture), ("original_days", now), ("new_days", days)),
            apply_sql=script(_("Set {subject}").format(subject=subject), days),
            undo_sql=script(_("Put back {subject}").format(subject=subject), now, is_undo=True),
            needs_consent=_("keeps more checkpoints in the database until it is put back"),
        ),
    )


def _retention(session: Session, capture: str) -> float:
    rows = session.run("capture_retention", End.SOURCE, capture_name=capture)
    if not rows:
        raise _not_there(session, End.SOURCE, _("capture {name}").format(name=capture))
    return rows[0].number_or("checkpoint_retention_time", 0.0)


class CheckpointRetention:
    """Sets a capture's checkpoint retention; undo writes the old number."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def is_applied(self, change: Change) -> bool:
        """Tell whether it reads the new number."""
        return _retention(self._session, str(change.detail("capture"))) == float(change.detail("new_days"))

    def is_undone(self, change: Change) -> bool:
        """Tell whether it reads the old number."""
        return _retention(self._session, str(change.detail("capture"))) == float(change.detail("original_days"))

    def apply(self, change: Change) -> None:
        """Set the new number and read it back."""
        self._set(change, float(change.detail("new_days")))

    def undo(self, change: Change) -> None:
        """Write the old number and read it back, unless it is there.

        Raises:
            ChangedByOthers: it is neither the old nor the new number; to lower somebody else's would purge checkpoints.
        """
        now = _retention(self._session, str(change.detail("capture")))
        original = float(change.detail("original_days"))
        if now == original:
            return
        if now != float(change.detail("new_days")):
            raise changed_by_others(change, _("{days} days").format(days=_plain(now)))
        self._set(change, original)

    def _set(self, change: Change, days: float) -> None:
        capture = str(change.detail("capture"))
        self._session.run("set_checkpoint_retention", End.SOURCE, process_name=capture, days=days)
        _verify(change, _plain(_retention(self._session, capture)), _plain(days))


def plan_latency(session: Session, where: Where, propagation: str, latency_s: float) -> tuple[Change, ...]:
    """Return the change of a propagation's latency, () where it is that already.

    Raises:
        BadInput: its schedule has no latency to put back.
    """
    row = _schedule(session, propagation)
    if row.is_null("latency"):
        raise BadInput(
            _(
                "the schedule of propagation {name} shows no latency, so none could be put back; "
                "schedule it with a latency first"
            ).format(name=propagation)
        )
    now = row.number("latency")
    if now == latency_s:
        return ()
    subject = _("latency of propagation {name}").format(name=propagation)

    def script(title: str, value: float, *, is_undo: bool = False) -> str:
        values = {**_arguments(row), "latency_s": value}
        return block_script(title, where, "set_propagation_latency", values, is_undo=is_undo)

    return (
        Change(
            kind=PROPAGATION_LATENCY,
            subject=subject,
            original=_("{seconds} s").format(seconds=_plain(now)),
            new=_("{seconds} s").format(seconds=_plain(latency_s)),
            details=(("propagation", propagation), ("original_s", now), ("new_s", latency_s)),
            apply_sql=script(_("Set {subject}").format(subject=subject), latency_s),
            undo_sql=script(_("Put back {subject}").format(subject=subject), now, is_undo=True),
            needs_consent=_shared_schedule(row),
        ),
    )


def _shared_schedule(row: Row) -> str:
    if row.text("queue_to_queue").upper() == "TRUE":
        return ""
    return _("every propagation from this queue over the same database link shares this schedule")


def _schedule(session: Session, propagation: str) -> Row:
    rows = session.run("propagation_schedule", End.SOURCE, propagation_name=propagation)
    if not rows:
        raise _not_there(session, End.SOURCE, _("propagation {name}").format(name=propagation))
    return rows[0]


def _arguments(row: Row) -> dict[str, BindValue]:
    """Return what names a schedule, and the values beside the latency as they are: left out they would be reset."""
    is_own = row.text("queue_to_queue").upper() == "TRUE"
    destination = f"{row.text('destination_queue_owner')}.{row.text('destination_queue_name')}"
    return {
        "queue_name": f"{row.text('source_queue_owner')}.{row.text('source_queue_name')}",
        "destination": row.text("destination_dblink") or None,
        "duration_s": row.number_or_none("propagation_window"),
        "next_time": row.text("next_time") or None,
        "destination_queue": destination if is_own else None,
    }


class PropagationLatency:
    """Sets a propagation's latency; undo writes the old number."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def is_applied(self, change: Change) -> bool:
        """Tell whether it reads the new number."""
        return self._latency_s(change) == float(change.detail("new_s"))

    def is_undone(self, change: Change) -> bool:
        """Tell whether it reads the old number."""
        return self._latency_s(change) == float(change.detail("original_s"))

    def _latency_s(self, change: Change) -> float | None:
        return _schedule(self._session, str(change.detail("propagation"))).number_or_none("latency")

    def apply(self, change: Change) -> None:
        """Set the new number and read it back."""
        self._set(change, float(change.detail("new_s")))

    def undo(self, change: Change) -> None:
        """Write the old number and read it back, unless it is there.

        Raises:
            ChangedByOthers: it is neither the old nor the new number, or gone; the schedule is left as it is.
        """
        now, original = self._latency_s(change), float(change.detail("original_s"))
        if now == original:
            return
        if now != float(change.detail("new_s")):
            raise changed_by_others(change, _("none") if now is None else _("{seconds} s").format(seconds=_plain(now)))
        self._set(change, original)

    def _set(self, change: Change, latency_s: float) -> None:
        propagation = str(change.detail("propagation"))
        arguments = _arguments(_schedule(self._session, propagation))
        self._session.run("set_propagation_latency", End.SOURCE, **arguments, latency_s=latency_s)
        row = _schedule(self._session, propagation)
        _verify(change, _plain(row.number_or("latency", -1.0)), _plain(latency_s))


def plan_pool(session: Session, end: End, where: Where, size: int) -> tuple[Change, ...]:
    """Return the change of a running instance's Streams pool, () where it has that size already.

    Of a cluster only the instance connected to is changed, and put back: each may have a size of its own.

    Raises:
        BadInput: it is not changed while the instance runs, goes from or to an automatic pool nobody manages, or
            below what is in use.
    """
    row = session.run("streams_pool", end)[0]
    now = int(row.text("setting_bytes") or "0")
    if now == size:
        return ()
    database, used = where.server, row.whole_or("used_bytes", 0)
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
    subject = _("streams_pool_size of {database}").format(database=database)
    if instance:
        subject = _("streams_pool_size of instance {instance} of {database}").format(
            instance=instance, database=database
        )

    def script(title: str, value: int, *, is_undo: bool = False) -> str:
        values: dict[str, BindValue] = {"size_bytes": value, "instance_name": instance or None}
        return block_script(title, where, "set_streams_pool_size", values, is_undo=is_undo)

    details: tuple[tuple[str, Value], ...] = (
        ("end", end.value),
        ("original_bytes", now),
        ("new_bytes", size),
        ("instance", instance),
    )
    return (
        Change(
            kind=STREAMS_POOL_SIZE,
            subject=subject,
            original=size_text(now),
            new=size_text(size),
            details=details,
            apply_sql=script(_("Set {subject}").format(subject=subject), size),
            undo_sql=script(_("Put back {subject}").format(subject=subject), now, is_undo=True),
            needs_consent=_("moves memory between the pools of this instance; a restart of it puts the old size back"),
        ),
    )


class StreamsPoolSize:
    """Sets the Streams pool of a running instance; undo writes the old size."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def is_applied(self, change: Change) -> bool:
        """Tell whether it reads the new size, rounded up to a granule."""
        return self._is(change, int(change.detail("new_bytes")))

    def is_undone(self, change: Change) -> bool:
        """Tell whether it reads the old size, as also after a restart of the instance."""
        return self._is(change, int(change.detail("original_bytes")))

    def apply(self, change: Change) -> None:
        """Set the new size and read it back."""
        self._set(change, int(change.detail("new_bytes")))

    def undo(self, change: Change) -> None:
        """Write the old size and read it back, unless it is there.

        Raises:
            ChangedByOthers: it is neither the old nor the new size, each rounded up to a granule; it is left as it is.
        """
        if self.is_undone(change):
            return
        if not self.is_applied(change):
            raise changed_by_others(change, size_text(int(self._row(change).text("setting_bytes") or "0")))
        self._set(change, int(change.detail("original_bytes")))

    def _set(self, change: Change, size: int) -> None:
        self._session.run(
            "set_streams_pool_size",
            End(str(change.detail("end"))),
            size_bytes=size,
            instance_name=_instance_of(change) or None,
        )
        if not self._is(change, size):
            raise VerificationFailed(
                _("{subject} does not read {wanted} after it was set").format(
                    subject=change.subject, wanted=size_text(size)
                )
            )

    def _is(self, change: Change, size: int) -> bool:
        row = self._row(change)
        found, granule = int(row.text("setting_bytes") or "0"), max(1, row.whole_or("granule_bytes", 1))
        return size <= found < size + granule if size else found == 0

    def _row(self, change: Change) -> Row:
        """Read the pool; raises Unsupported at another instance of a cluster than the one that was changed."""
        row, instance = self._session.run("streams_pool", End(str(change.detail("end"))))[0], _instance_of(change)
        if instance and row.text("instance_name") != instance:
            raise Unsupported(
                _(
                    "{subject} cannot be reached, because this connection leads to instance {found}; "
                    "connect to {instance}, for example with a service of that instance alone, and restore again"
                ).format(subject=change.subject, found=row.text("instance_name"), instance=instance)
            )
        return row


def _instance_of(change: Change) -> str:
    """Return the instance of a cluster a change is about, "" where there is one instance only."""
    return next((str(value) for name, value in change.details if name == "instance"), "")
