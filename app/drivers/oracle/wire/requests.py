"""The requests of one client after its logon, and their replies."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from app.drivers.oracle.catalogue import Column, ConnectionUse, Form, OracleType, Statement
from app.drivers.oracle.cells import BindValue
from app.drivers.oracle.errors import OracleError
from app.drivers.oracle.lab_faults import RequestHeld
from app.drivers.oracle.lab_marks import MARK_STATEMENTS
from app.drivers.oracle.lab_script.blocks import Block
from app.drivers.oracle.lab_script.queries import typed
from app.drivers.oracle.lab_script.scope import Scope
from app.drivers.oracle.lab_script.values import number_of, text_of
from app.drivers.oracle.session import End
from app.drivers.oracle.wire import replies
from app.drivers.oracle.wire.fields import FieldReader
from app.drivers.oracle.wire.packets import Interrupted, Malformed
from app.drivers.oracle.wire.script_session import ScriptSession
from app.drivers.oracle.wire.shared_lab import Rows, SharedLab
from app.drivers.oracle.wire.texts import Bound, Recognised, Script, recognise
from app.drivers.oracle.wire.values import decoded
from app.foundation.rows import Cell
from app.lab.held_requests import HeldRequest
from app.lab.turns import Watch

FUNCTION: Final = 3
PIGGYBACK: Final = 17
_ROW: Final = 7
_FETCHES: Final = 0x40
_CLOSE_CURSORS: Final = 105
_END_TO_END: Final = 135
_FOR_EVER_S: Final = 3600.0
# The session is gone without a word, or after one; a client that waits too long is left to wait.
_BROKEN: Final = "ORA-03113"
_ENDED: Final = frozenset({"ORA-00028", "ORA-01012", "ORA-03114", "ORA-03135"})
_NEVER_ANSWERED: Final = "DPY-4024"


class ConnectionBreaks(Exception):
    """The lab reports a broken connection: it breaks."""


@dataclass
class Cursor:
    """An open cursor: its statement, and the rows of a query that were not fetched."""

    number: int
    sent: Recognised | Script
    waiting: Rows = ()
    told_rows: int = 0


@dataclass(eq=False)
class Requests:
    """Answers one request after another.

    Attributes:
        has_left: the client has logged off, or its session was ended.
        is_open: this client's transaction is.
    """

    shared: SharedLab
    end: End
    watch: Watch
    has_left: bool = False
    is_open: bool = False
    _held: HeldRequest | None = None
    _cursors: dict[int, Cursor] = field(default_factory=dict)
    _last_cursor: int = 0
    _session: ScriptSession = field(init=False)

    def __post_init__(self) -> None:
        """Begin a session for scripts."""
        self._session = ScriptSession(self.shared, self.end, self._rows_of, self.watch)

    def answer(self, reader: FieldReader) -> bytes:
        """Return the reply to a request.

        Raises:
            ConnectionBreaks: the lab reports that.
            Malformed: it is none this lab knows.
            Exception: what `watch` raises.
        """
        kind = reader.u8()
        while kind == PIGGYBACK:
            self._take_piggyback(reader)
            kind = reader.u8()
        if kind != FUNCTION:
            raise Malformed(f"a message of type {kind}")
        function = reader.u8()
        reader.u8()  # its number
        answer = self._functions().get(function)
        if answer is None:
            raise Malformed(f"function {function}")
        return answer(reader)

    def leave(self) -> None:
        """Roll back an open transaction, and drop its mark: the connection ended. One whose request has not keeps
        it."""
        if self._held is None or self._held.is_over:
            self._drop_mark()
        if self.is_open:
            self.is_open = False
            self.shared.roll_back()

    def _drop_mark(self) -> None:
        self.shared.marks.drop(self)

    def _end_session(self) -> None:
        """End the session of a request nobody waited for, in a turn of the lab: uncommitted work is undone."""
        self._drop_mark()
        if self.shared.lab.has_open_transaction():
            self.shared.lab.roll_back()

    def _functions(self) -> Mapping[int, Callable[[FieldReader], bytes]]:
        return {
            4: self._execute_again,
            5: self._fetch,
            9: self._log_off,
            14: self._commit,
            15: self._roll_back,
            78: self._execute_and_fetch_again,
            94: self._execute,
            147: self._ping,
        }

    def _take_piggyback(self, reader: FieldReader) -> None:
        code = reader.u8()
        reader.u8()  # its number
        if code == _CLOSE_CURSORS:
            reader.u8()
            for _cursor in range(reader.number()):
                self._cursors.pop(reader.number(), None)
        elif code == _END_TO_END:
            _skip_end_to_end(reader)
        else:
            raise Malformed(f"piggyback {code}")

    def _execute(self, reader: FieldReader) -> bytes:
        options, number = reader.number(), reader.number()
        reader.u8()
        size = reader.number()
        reader.skip("bnbbn")
        wanted = reader.number()
        reader.skip("nb")
        bind_count = reader.number()
        reader.skip("bbbbbb")
        if reader.number():
            raise Malformed("columns defined by the client")
        reader.skip("nbbbnbnnbnb")
        text = (reader.counted() or b"").decode() if size else ""
        reader.skip("n" * 13)
        kinds = list[int]()
        for _bind in range(bind_count):
            kinds.append(reader.u8())
            reader.skip("bbbnnnnnnbn")
        try:
            cursor = self._opened(text, kinds) if text else self._cursors[number]
        except OracleError as error:
            return self._told(error, None)
        given = self._row(reader, cursor.sent.places) if bind_count else {}
        return self._run(cursor, given, wanted if options & _FETCHES else 0, is_described=True)

    def _execute_again(self, reader: FieldReader) -> bytes:
        cursor = self._cursors[reader.number()]
        reader.skip("nnn")
        return self._run(cursor, self._row_again(reader, cursor), 0, is_described=False)

    def _execute_and_fetch_again(self, reader: FieldReader) -> bytes:
        cursor = self._cursors[reader.number()]
        wanted = reader.number()
        reader.skip("nn")
        return self._run(cursor, self._row_again(reader, cursor), wanted, is_described=False)

    def _row_again(self, reader: FieldReader, cursor: Cursor) -> dict[str, BindValue]:
        """Return the values given to a statement that is sent again; those a block returns are not among them then."""
        taken = tuple(place for place in cursor.sent.places if place.is_in)
        return self._row(reader, taken) if taken else {}

    def _row(self, reader: FieldReader, places: tuple[Bound, ...]) -> dict[str, BindValue]:
        if reader.u8() != _ROW:
            raise Malformed("no values where some were due")
        values = [(place, reader.counted()) for place in places]
        return {place.column.name: decoded(place.column, value) for place, value in values if place.is_in}

    def _opened(self, text: str, kinds: Sequence[int]) -> Cursor:
        sent = recognise(text, kinds)
        self._last_cursor += 1
        cursor = Cursor(self._last_cursor, sent)
        self._cursors[cursor.number] = cursor
        return cursor

    def _run(self, cursor: Cursor, given: Mapping[str, BindValue], wanted: int, *, is_described: bool) -> bytes:
        sent = cursor.sent
        try:
            if isinstance(sent, Script):
                return self._run_script(cursor, sent, given, wanted, is_described=is_described)
            rows = self._rows_of(sent.statement, given)
        except OracleError as error:
            if isinstance(error, RequestHeld):
                self._held = error.request
                self._held.when_over = self._end_session
            return self._told(error, cursor)
        if sent.statement.form is Form.SELECT:
            return self._queried(cursor, sent.statement.columns if is_described else (), rows, wanted)
        by_name = dict(zip(sent.statement.column_names, rows[0], strict=True)) if rows else {}
        return self._block(cursor, by_name)

    def _rows_of(self, statement: Statement, given: Mapping[str, BindValue]) -> Rows:
        """Run a statement of the catalogue."""
        rows = self.shared.run(statement, self.end, given, self.watch)
        if statement.name in MARK_STATEMENTS:
            rows = self.shared.marks.answer(statement.name, self.end, given, self)
        if statement.connection is ConnectionUse.LOAD:
            self.is_open = self.shared.has_open_transaction()
        return rows

    def _run_script(
        self, cursor: Cursor, script: Script, given: Mapping[str, BindValue], wanted: int, *, is_described: bool
    ) -> bytes:
        scope = Scope(self._session, dict(given))
        if isinstance(script.read, Block):
            script.read.run(scope)
            return self._block(cursor, {place.column.name: _fit(place, scope) for place in script.places})
        columns, rows = typed(script.read.query, script.read.query.rows(scope))
        return self._queried(cursor, columns if is_described else (), rows, wanted)

    def _queried(self, cursor: Cursor, columns: Sequence[Column], rows: Rows, wanted: int) -> bytes:
        cursor.waiting, cursor.told_rows = rows, 0
        return (replies.described(columns) if columns else b"") + self._portion(cursor, wanted)

    def _block(self, cursor: Cursor, by_name: Mapping[str, Cell]) -> bytes:
        places = cursor.sent.places
        told = replies.directions(places) if places else b""
        outs = [place for place in places if place.is_out]
        if outs and by_name:
            told += replies.given(by_name[place.column.name] for place in outs)
        return told + replies.ended(cursor=cursor.number, rows=1, is_open=self.is_open)

    def _portion(self, cursor: Cursor, wanted: int) -> bytes:
        """Return as many of the waiting rows as were asked for, never more."""
        if not wanted:
            return replies.ended(cursor=cursor.number, is_open=self.is_open)
        portion, cursor.waiting = cursor.waiting[:wanted], cursor.waiting[wanted:]
        cursor.told_rows += len(portion)
        told = replies.row_header() + b"".join(replies.row(values) for values in portion)
        is_over = len(portion) < wanted
        return told + replies.ended(
            code=replies.NO_MORE_ROWS if is_over else 0,
            text="ORA-01403: no data found",
            cursor=cursor.number,
            rows=cursor.told_rows,
            is_open=self.is_open,
        )

    def _fetch(self, reader: FieldReader) -> bytes:
        cursor = self._cursors[reader.number()]
        return self._portion(cursor, reader.number())

    def _told(self, error: OracleError, cursor: Cursor | None) -> bytes:
        """Tell an error; the lab's lost connections and time-outs are no messages but happen."""
        if error.code == _BROKEN:
            raise ConnectionBreaks
        while error.code == _NEVER_ANSWERED:
            try:
                self.watch(_FOR_EVER_S)
            except Interrupted:
                if isinstance(error, RequestHeld):  # the line is broken: the database hears nothing of it
                    raise ConnectionBreaks from None
                raise
        self.has_left = error.code in _ENDED
        position = 0 if cursor is None else cursor.sent.body_at
        code = int(error.code.partition("-")[2] or 0)
        return replies.ended(code=code, text=error.text, position=position, is_open=self.is_open)

    def _log_off(self, _reader: FieldReader) -> bytes:
        self.leave()
        self.has_left = True
        return replies.status(is_open=False)

    def _commit(self, _reader: FieldReader) -> bytes:
        raise Malformed("a commit outside of a statement")

    def _roll_back(self, _reader: FieldReader) -> bytes:
        self.leave()
        return replies.status(is_open=False)

    def _ping(self, _reader: FieldReader) -> bytes:
        return replies.status(is_open=self.is_open)


def _fit(place: Bound, scope: Scope) -> Cell:
    """Return what a block leaves in a bind, as the type the client reads it with."""
    value = scope.variables.get(place.column.name)
    return text_of(value) if place.column.oracle_type is OracleType.VARCHAR2 else number_of(value)


def _skip_end_to_end(reader: FieldReader) -> None:
    """Pass over who the client says it is: module, action and the like."""
    reader.skip("bbn")
    lengths = []
    for _name in range(3):
        reader.u8()
        lengths.append(reader.number())
    reader.skip("bnbn")
    reader.u8()
    lengths.append(reader.number())
    reader.skip("bnbn")
    reader.u8()
    lengths.append(reader.number())
    for length in lengths:
        if length:
            reader.counted()
