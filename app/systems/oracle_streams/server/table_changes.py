"""The test table at both ends: made with room for the apply servers, kept out of the stream, dropped only if ours."""

from collections.abc import Mapping
from typing import Final

from app.domain.change import Change
from app.domain.errors import BadInput, VerificationFailed
from app.domain.setting import Value
from app.drivers.oracle.cells import BindValue
from app.drivers.oracle.scripts import Expression, Where, block_script
from app.drivers.oracle.session import End, Session
from app.foundation.rows import Row
from app.foundation.texts import _

TABLE: Final = "REPLITUNE_LOAD"
TEST_TABLE: Final = "test_table"
TABLE_PREPARED: Final = "test_table_prepared"
TABLE_INSTANTIATED: Final = "test_table_instantiated"
# Of one data block: https://docs.oracle.com/cd/B19306_01/server.102/b14200/clauses007.htm (INITRANS, 1 to 255)
_LARGEST_INITRANS: Final = 255


def remark_of(owner: str) -> str:
    """Return the comment that marks the table as made by this program for one session."""
    return f"Replitune test table of {owner}"


def full_name(schema: str) -> str:
    """Return the table's name as procedures take it."""
    return f'"{schema}"."{TABLE}"'


def plan_test_table(
    session: Session, places: Mapping[End, Where], schema: str, source_database: str, initrans: int, owner: str
) -> tuple[Change, ...]:
    """Return the changes that make the table at each end and let its changes flow, in order; () where it is ours.

    Args:
        places: the databases, the source first; only it where both ends are one.

    Raises:
        BadInput: no such schema at an end, or there is a table of that name that this program did not make.
    """
    slots = min(max(1, initrans), _LARGEST_INITRANS)
    made = [
        change
        for end, where in reversed(tuple(places.items()))
        for change in _plan_table(session, end, where, schema, slots, owner)
    ]
    if not made:
        return ()
    return (
        *made,
        _plan_prepared(places[End.SOURCE], schema),
        *(_plan_instantiated(where, schema, source_database) for end, where in places.items() if end is not End.SOURCE),
    )


def _plan_table(session: Session, end: End, where: Where, schema: str, initrans: int, owner: str) -> tuple[Change, ...]:
    server = where.server
    if not session.run("schemas", end, schema_name=schema):
        raise BadInput(
            _("{database} has no schema {schema} for the test table; name one with load_schema= in the target").format(
                database=server, schema=schema
            )
        )
    found = _table(session, end, schema)
    if found is not None:
        if found.text("comments") == remark_of(owner):
            return ()
        raise BadInput(
            _("{database} has a table {table} that this session did not make; drop it or name another schema").format(
                database=server, table=f"{schema}.{TABLE}"
            )
        )
    subject = _("test table {table} at {database}").format(table=f"{schema}.{TABLE}", database=server)
    values: dict[str, BindValue] = {"schema_name": schema, "initrans": initrans, "remark": remark_of(owner)}
    dropping: dict[str, BindValue] = {"schema_name": schema, "remark": remark_of(owner)}
    details: tuple[tuple[str, Value], ...] = (
        ("end", end.value),
        ("schema", schema),
        ("initrans", initrans),
        ("remark", remark_of(owner)),
    )
    return (
        Change(
            kind=TEST_TABLE,
            subject=subject,
            original=_("none"),
            new=_("INITRANS {slots}").format(slots=initrans),
            details=details,
            apply_sql=block_script(_("Make the {subject}").format(subject=subject), where, "create_load_table", values),
            undo_sql=block_script(
                _("Drop the {subject}").format(subject=subject), where, "drop_load_table", dropping, is_undo=True
            ),
            needs_consent=_("makes a table of its own, outside the stream, and drops it at the end"),
        ),
    )


def _table(session: Session, end: End, schema: str) -> Row | None:
    return next(iter(session.run("load_table", end, schema_name=schema)), None)


class TestTable:
    """Makes the table at one end; undo drops it where its comment says it is ours."""

    __test__ = False  # not a test, whatever its name says to pytest

    def __init__(self, session: Session) -> None:
        self._session = session

    def is_applied(self, change: Change) -> bool:
        """Tell whether it is there, ours, with the room asked for."""
        found, initrans = self._found(change), int(change.detail("initrans"))
        return (
            found is not None
            and found.text("comments") == change.detail("remark")
            and found.whole("table_initrans") >= initrans
            and found.whole_or("key_initrans", 0) >= initrans
        )

    def is_undone(self, change: Change) -> bool:
        """Tell whether it is gone; a table somebody else made is none of ours."""
        found = self._found(change)
        return found is None or found.text("comments") not in ("", str(change.detail("remark")))

    def apply(self, change: Change) -> None:
        """Make it and read back that it has the room asked for."""
        self._session.run(
            "create_load_table",
            End(str(change.detail("end"))),
            schema_name=str(change.detail("schema")),
            initrans=int(change.detail("initrans")),
            remark=str(change.detail("remark")),
        )
        if not self.is_applied(change):
            raise VerificationFailed(
                _("{subject} is not there with INITRANS {slots}").format(
                    subject=change.subject, slots=change.detail("initrans")
                )
            )

    def undo(self, change: Change) -> None:
        """Drop it, and read back that it is gone; a table this program did not make is left alone."""
        if self.is_undone(change):
            return
        self._session.run(
            "drop_load_table",
            End(str(change.detail("end"))),
            schema_name=str(change.detail("schema")),
            remark=str(change.detail("remark")),
        )
        if not self.is_undone(change):
            raise VerificationFailed(
                _("{subject} is still there; drop it by hand if it is empty").format(subject=change.subject)
            )

    def _found(self, change: Change) -> Row | None:
        return _table(self._session, End(str(change.detail("end"))), str(change.detail("schema")))


def _plan_prepared(where: Where, schema: str) -> Change:
    subject = _("capture of {table}").format(table=f"{schema}.{TABLE}")
    values = {"table_name": full_name(schema)}
    return Change(
        kind=TABLE_PREPARED,
        subject=subject,
        original=_("not prepared"),
        new=_("prepared, key columns in the redo"),
        details=(("schema", schema),),
        apply_sql=block_script(_("Prepare {subject}").format(subject=subject), where, "prepare_load_table", values),
        undo_sql=block_script(
            _("Undo {subject}").format(subject=subject), where, "abort_load_table", values, is_undo=True
        ),
        needs_consent=_("adds supplemental logging of the test table's key"),
    )


class TablePrepared:
    """Makes capture ready for the table; undo takes that back, where the table still exists."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def is_applied(self, change: Change) -> bool:
        """Tell whether the table is among those that capture is ready for."""
        return bool(self._session.run("load_prepared", End.SOURCE, schema_name=str(change.detail("schema"))))

    def is_undone(self, change: Change) -> bool:
        """Tell whether it is no longer among them, as also once it is dropped."""
        return not self.is_applied(change)

    def apply(self, change: Change) -> None:
        """Prepare it and read it back."""
        self._run("prepare_load_table", change)
        if not self.is_applied(change):
            raise VerificationFailed(_("{subject} is not prepared").format(subject=change.subject))

    def undo(self, change: Change) -> None:
        """Take it back and read it back, unless it is."""
        if self.is_undone(change):
            return
        self._run("abort_load_table", change)
        if not self.is_undone(change):
            raise VerificationFailed(_("{subject} is still prepared").format(subject=change.subject))

    def _run(self, statement: str, change: Change) -> None:
        self._session.run(statement, End.SOURCE, table_name=full_name(str(change.detail("schema"))))


def _plan_instantiated(where: Where, schema: str, source_database: str) -> Change:
    subject = _("instantiation SCN of {table}").format(table=f"{schema}.{TABLE}")
    values: dict[str, BindValue | Expression] = {"table_name": full_name(schema), "source_database": source_database}
    # the SCN is the source's at the time the change is made: a DBA puts it in by hand
    scn = Expression("&scn_of_the_source")
    return Change(
        kind=TABLE_INSTANTIATED,
        subject=subject,
        original=_("none"),
        new=_("the source's SCN at that moment"),
        details=(("schema", schema), ("source_database", source_database)),
        apply_sql=block_script(
            _("Set the {subject}").format(subject=subject), where, "set_load_instantiation", {**values, "scn": scn}
        ),
        undo_sql=block_script(
            _("Forget the {subject}").format(subject=subject),
            where,
            "set_load_instantiation",
            {**values, "scn": None},
            is_undo=True,
        ),
        needs_consent=_("from then on changes of the test table {table} are applied").format(table=f"{schema}.{TABLE}"),
    )


class TableInstantiated:
    """Sets from which SCN on the table's changes are applied; undo forgets it."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def is_applied(self, change: Change) -> bool:
        """Tell whether there is an SCN from which changes are applied."""
        return self._scn(change) is not None

    def is_undone(self, change: Change) -> bool:
        """Tell whether there is none."""
        return self._scn(change) is None

    def apply(self, change: Change) -> None:
        """Set it to the source's present SCN and read it back."""
        scn = self._session.run("source_scn", End.SOURCE)[0].whole("current_scn")
        self._set(change, scn)
        if self._scn(change) != scn:
            raise VerificationFailed(_("{subject} does not read {scn}").format(subject=change.subject, scn=scn))

    def undo(self, change: Change) -> None:
        """Forget it and read back that none is left, unless there is none."""
        if self.is_undone(change):
            return
        self._set(change, None)
        if not self.is_undone(change):
            raise VerificationFailed(_("{subject} is still set").format(subject=change.subject))

    def _set(self, change: Change, scn: int | None) -> None:
        self._session.run(
            "set_load_instantiation",
            End.DESTINATION,
            table_name=full_name(str(change.detail("schema"))),
            source_database=str(change.detail("source_database")),
            scn=scn,
        )

    def _scn(self, change: Change) -> int | None:
        rows = self._session.run(
            "load_instantiation",
            End.DESTINATION,
            source_database=str(change.detail("source_database")),
            schema_name=str(change.detail("schema")),
        )
        return rows[0].whole_or("instantiation_scn", 0) if rows else None
