"""The test table at both ends: made with room for the apply servers, kept out of the stream, dropped only if ours."""

import re
from collections.abc import Sequence
from typing import Final

from app.domain.change import Change
from app.domain.declared_change import Call, Declaration, Declared, Details, Run, Scope, Words, changed_meanwhile
from app.domain.errors import BadInput, ChangedMeanwhile, VerificationFailed
from app.drivers.oracle.scripts import Asked, block_script
from app.drivers.oracle.session import End, Session
from app.foundation.ids import SESSION_ID
from app.foundation.texts import _
from app.systems.oracle_streams.server.executor import OracleExecutor

TABLE: Final = "REPLITUNE_LOAD"
TEST_TABLE: Final = "test_table"
TABLE_PREPARED: Final = "test_table_prepared"
TABLE_INSTANTIATED: Final = "test_table_instantiated"
# Of one data block: https://docs.oracle.com/cd/B19306_01/server.102/b14200/clauses007.htm (INITRANS, 1 to 255)
_LARGEST_INITRANS: Final = 255
_OF_A_SESSION: Final = re.compile(rf"Replitune test table of {SESSION_ID}")


def remark_of(owner: str) -> str:
    """Return the comment that marks the table as made by this program for one session."""
    return f"Replitune test table of {owner}"


def read_leftover_tables(executor: OracleExecutor, ends: Sequence[End]) -> tuple[str, ...]:
    """Return one sentence for each test table of a session: the first thing one makes and the last one it drops.

    Whoever made it may have signed in with another login, which works in a schema of its own.
    """
    run = executor.begin(is_apply=False)
    rows = [(end, row) for end in ends for row in run(Call("left_load_tables", end, {}))]
    return tuple(
        _("{database}: {table}, the {remark}").format(
            database=executor.where(end).server, table=f"{row.text('schema_name')}.{TABLE}", remark=row.text("comments")
        )
        for end, row in rows
        if _OF_A_SESSION.fullmatch(row.text("comments"))
    )


def full_name(schema: str) -> str:
    """Return the table's name as procedures take it."""
    return f'"{schema}"."{TABLE}"'


def _slots(run: Run[End], details: Details) -> int | None:
    """Return for how many servers the table has room, 0 without its mark, None where there is none of ours."""
    rows = run(Call("load_table", End(str(details["end"])), {"schema_name": details["schema"]}))
    if not rows or rows[0].text("comments") not in ("", details["remark"]):
        return None
    is_marked = rows[0].text("comments") == details["remark"]
    return min(rows[0].whole("table_initrans"), rows[0].whole_or("key_initrans", 0)) if is_marked else 0


def _set_table(_run: Run[End], details: Details, slots: int | None) -> tuple[Call[End], ...]:
    end, own = End(str(details["end"])), {"schema_name": details["schema"], "remark": details["remark"]}
    if slots is None:
        return (Call("drop_load_table", end, own),)
    return (Call("create_load_table", end, {**own, "initrans": slots}),)


def _table_unread(change: Change, _found: int | None, wanted: int | None) -> str:
    if wanted is None:
        return _("{subject} is still there; drop it by hand if it is empty").format(subject=change.subject)
    return _("{subject} is not there with INITRANS {slots}").format(subject=change.subject, slots=wanted)


TABLE_DECLARED: Final = Declaration[End, int | None](
    kind=TEST_TABLE,
    scope=Scope.OBJECT,
    read=_slots,
    set=_set_table,
    original=lambda _details: None,
    new=lambda details: int(details["initrans"]),
    words=Words(
        subject=lambda details: _("test table {table} at {database}").format(
            table=f"{details['schema']}.{TABLE}", database=details["database"]
        ),
        shown=lambda slots: _("none") if slots is None else _("INITRANS {slots}").format(slots=slots),
        making=lambda subject, _value: _("Create the {subject}").format(subject=subject),
        undoing=lambda subject, _value: _("Drop the {subject}").format(subject=subject),
        unread=_table_unread,
        consent=lambda _details: _("makes a table of its own, outside the stream, and drops it at the end"),
    ),
    same=lambda reading, wanted: (
        reading == wanted or (reading is not None and wanted is not None and reading >= wanted)
    ),
)


def plan_test_table(
    executor: OracleExecutor, ends: Sequence[End], schema: str, source_database: str, initrans: int, owner: str
) -> tuple[Change, ...]:
    """Return the changes that make the table at each end and let its changes flow, in order; () where it is ours.

    Args:
        ends: the source first; only it where both databases are one.

    Raises:
        BadInput: no such schema at an end, or there is a table of that name that this program did not make.
    """
    slots = min(max(1, initrans), _LARGEST_INITRANS)
    made = [change for end in reversed(ends) for change in _plan_table(executor, end, schema, slots, owner)]
    if not made:
        return ()
    return (
        *made,
        Declared(PREPARED_DECLARED, executor).plan((("schema", schema),)),
        *(_plan_instantiated(executor, end, schema, source_database) for end in ends if end is not End.SOURCE),
    )


def _plan_table(executor: OracleExecutor, end: End, schema: str, initrans: int, owner: str) -> tuple[Change, ...]:
    server, run = executor.where(end).server, executor.begin(is_apply=False)
    if not run(Call("schemas", end, {"schema_name": schema})):
        raise BadInput(
            _("{database} has no schema {schema} for the test table; name one with load_schema= in the target").format(
                database=server, schema=schema
            )
        )
    rows = run(Call("load_table", end, {"schema_name": schema}))
    if rows and rows[0].text("comments") == remark_of(owner):
        return ()
    if rows:
        raise BadInput(
            _("{database} has a table {table} that this session did not create; drop it or name another schema").format(
                database=server, table=f"{schema}.{TABLE}"
            )
        )
    details = (("end", end.value), ("schema", schema), ("initrans", initrans), ("remark", remark_of(owner)))
    return (Declared(TABLE_DECLARED, executor).plan(details, {"database": server}),)


def _set_prepared(_run: Run[End], details: Details, is_prepared: bool) -> tuple[Call[End], ...]:
    statement = "prepare_load_table" if is_prepared else "abort_load_table"
    return (Call(statement, End.SOURCE, {"table_name": full_name(str(details["schema"]))}),)


def _prepared_unread(change: Change, _found: bool, wanted: bool) -> str:
    text = _("{subject} is not prepared") if wanted else _("{subject} is still prepared")
    return text.format(subject=change.subject)


# The table is no longer among those that capture is ready for once it is dropped, either.
PREPARED_DECLARED: Final = Declaration[End, bool](
    kind=TABLE_PREPARED,
    scope=Scope.OBJECT,
    read=lambda run, details: bool(run(Call("load_prepared", End.SOURCE, {"schema_name": details["schema"]}))),
    set=_set_prepared,
    original=lambda _details: False,
    new=lambda _details: True,
    words=Words(
        subject=lambda details: _("capture of {table}").format(table=f"{details['schema']}.{TABLE}"),
        shown=lambda is_prepared: _("prepared, key columns in the redo") if is_prepared else _("not prepared"),
        making=lambda subject, _value: _("Prepare {subject}").format(subject=subject),
        undoing=lambda subject, _value: _("Undo {subject}").format(subject=subject),
        unread=_prepared_unread,
        consent=lambda _details: _("adds supplemental logging of the test table's key"),
    ),
)


def _plan_instantiated(executor: OracleExecutor, end: End, schema: str, source_database: str) -> Change:
    where = executor.where(end)
    subject = _("instantiation SCN of {table}").format(table=f"{schema}.{TABLE}")
    values = {"table_name": full_name(schema), "source_database": source_database}
    # the SCN is the source's at the time the change is made: a DBA puts it in by hand
    scn = Asked("scn_of_the_source", "source_scn", executor.where(End.SOURCE))
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
        """Set it to the source's present SCN, where none is, and read it back."""
        if (scn_now := self._scn(change)) is not None:
            raise ChangedMeanwhile(changed_meanwhile(change, str(scn_now)))
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
