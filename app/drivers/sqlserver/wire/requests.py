"""Requests of a logged-in client, answered as a stream of tokens."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from app.drivers.sqlserver.errors import SqlError
from app.drivers.sqlserver.lab.faults import RequestHeld
from app.drivers.sqlserver.lab.script.batches import parameter_types, run_batch
from app.drivers.sqlserver.lab.script.events import Entered, Failed, Said, Shown
from app.drivers.sqlserver.lab.script.tokens import NOT_KNOWN, ScriptError
from app.drivers.sqlserver.wire import tokens
from app.drivers.sqlserver.wire.batches import Batch, OtherText, is_ours, recognise
from app.drivers.sqlserver.wire.channel import Cancelled
from app.drivers.sqlserver.wire.client_session import ClientSession
from app.drivers.sqlserver.wire.driver_answers import (
    ResultSet,
    UseDatabase,
    answer_of_driver,
    type_info,
    typed_result,
    undeclared_parameters,
    untyped_result,
)
from app.drivers.sqlserver.wire.packets import Message, PacketKind
from app.drivers.sqlserver.wire.reading import FieldReader, Malformed, utf16
from app.drivers.sqlserver.wire.rpc import Call, Parameter, Procedure, parse_calls
from app.drivers.sqlserver.wire.script_session import ScriptSession
from app.drivers.sqlserver.wire.shared_lab import is_lost, is_timeout
from app.drivers.sqlserver.wire.tokens import Change, Done
from app.drivers.sqlserver.wire.values import UnsupportedType
from app.foundation.rows import Cell
from app.lab.turns import Watch

_BEGIN, _COMMIT, _ROLLBACK, _SAVE = 5, 7, 8, 9
_BEGIN_AGAIN: Final = 0x01
_DEADLOCK: Final = 1205
_SEVERITIES: Final = {229: 14, 1205: 13, 4060: 11, 18456: 14}
_FOR_EVER_S: Final = 3600.0
_TOO_LONG: Final = "The lab takes a batch of one MiB at most; split the script with GO."
_Ends = Callable[[Done, int], bytes]
_IN_BATCH: Final[_Ends] = tokens.done
_IN_PROCEDURE: Final[_Ends] = tokens.done_in_proc


class ConnectionBreaks(Exception):
    """The lab has this connection break now."""


class Requests:
    """Answers one client's requests, one after the other."""

    def __init__(self, session: ClientSession, watch: Watch) -> None:
        self._session = session
        self._watch = watch
        self._notes = b""
        self._procedures: dict[str, Callable[[Call], Iterator[bytes]]] = {
            Procedure.EXECUTE_SQL: self._execute_sql,
            Procedure.PREPARE: self._prepare,
            Procedure.EXECUTE: self._execute,
            Procedure.PREPARE_EXECUTE: self._prepare_execute,
            Procedure.UNPREPARE: self._unprepare,
            Procedure.DESCRIBE_PARAMETERS: self._describe_parameters,
            Procedure.TYPE_INFO: self._type_info,
            Procedure.TYPE_INFO_100: self._type_info,
            Procedure.RESET: self._reset,
        }

    def answer(self, message: Message) -> Iterator[bytes]:
        """Answer a request with tokens.

        Raises:
            Malformed: it cannot be read.
            ConnectionBreaks: the lab has the connection break.
            Exception: what the watch raises.
        """
        if message.is_reset:
            self._session.reset()
            yield tokens.env_change_bytes(Change.RESET_DONE, b"")
        if message.is_too_long:
            yield from self._problem(SqlError(NOT_KNOWN, _TOO_LONG, "42000"))
            yield tokens.done(Done.ERROR)
        elif message.kind == PacketKind.BATCH:
            yield from self._answer_batch(message.payload)
        elif message.kind == PacketKind.RPC:
            yield from self._answer_calls(message.payload)
        elif message.kind == PacketKind.TRANSACTION:
            yield from self._answer_transaction(message.payload)
        else:
            raise Malformed(f"a message of type {message.kind} after login")

    def _answer_batch(self, payload: bytes) -> Iterator[bytes]:
        reader = FieldReader(payload)
        reader.skip_headers()
        text = utf16(reader.rest())
        try:
            answered = None if self._session.is_off else self._driver_results(text)
            if answered is None and not is_ours(text):
                yield from self._script(text, {}, _IN_BATCH)
                yield tokens.done()
                return
            if answered is None:
                batch = recognise(text)
                answered = (self._session.run(batch.statement, batch.values(()), self._watch),)
        except SqlError as error:
            yield from self._problem(error)
            yield tokens.done(Done.ERROR)
            return
        yield from self._take_notes()
        for number, result in enumerate(answered, 1):
            more = Done.MORE if number < len(answered) else Done.FINAL
            yield from _rows(result)
            yield tokens.done(more | (Done.COUNT if result.columns else Done.FINAL), len(result.rows))

    def _driver_results(self, text: str) -> Sequence[ResultSet] | None:
        answered = answer_of_driver(text)
        if isinstance(answered, UseDatabase):
            before = self._session.database
            self._session.use(answered.database)
            self._notes += database_change(self._session, before)
            return (ResultSet((), ()),)
        return answered

    def _script(self, text: str, given: Mapping[str, tuple[str, Cell]], done: _Ends) -> Iterator[bytes]:
        """Carry out a batch of a script and tell what it does as it happens; raises SqlError where one ends it."""
        name = self._session.server.name
        for event in run_batch(text, ScriptSession(self._session, self._watch), given):
            match event:
                case Said(said):
                    yield tokens.info(0, said, name)
                case Failed(error):
                    yield error_token(error, name)
                case Entered(before):
                    yield database_change(self._session, before)
                case Shown(columns, rows, statement):
                    shown = tuple(rows)
                    yield from _rows(
                        untyped_result(columns, shown) if statement is None else typed_result(statement, shown)
                    )
                    yield done(Done.MORE | Done.COUNT, len(shown))

    def _take_notes(self) -> Iterator[bytes]:
        notes, self._notes = self._notes, b""
        if notes:
            yield notes

    def _answer_calls(self, payload: bytes) -> Iterator[bytes]:
        try:
            calls = parse_calls(payload)
        except UnsupportedType as error:
            yield from self._problem(SqlError(8009, f"No statement takes a parameter of data type {error}.", "42000"))
            yield tokens.done_proc(Done.ERROR)
            return
        for number, call in enumerate(calls, 1):
            more = Done.MORE if number < len(calls) else Done.FINAL
            try:
                procedure = self._procedures.get(call.procedure)
                if procedure is None:
                    raise SqlError(2812, f"Could not find stored procedure '{call.procedure}'; the lab has no other.")
                yield from procedure(call)
                yield tokens.done_proc(more)
            except SqlError as error:
                yield from self._problem(error)
                yield tokens.done_proc(Done.ERROR | more)

    def _execute_sql(self, call: Call) -> Iterator[bytes]:
        yield from self._run(_sent(call.text(0), call.text(1)), call.parameters[2:])
        yield tokens.return_status()

    def _prepare(self, call: Call) -> Iterator[bytes]:
        yield from self._handed_out(self._session.prepare(_sent(call.text(2), call.text(1))))

    def _execute(self, call: Call) -> Iterator[bytes]:
        yield from self._run(self._session.prepared_as(call.value(0)), call.parameters[1:])
        yield tokens.return_status()

    def _prepare_execute(self, call: Call) -> Iterator[bytes]:
        self._drop(call.value(0))  # a driver hands in the statement it replaces
        batch = _sent(call.text(2), call.text(1))
        yield from self._run(batch, call.parameters[3:])
        yield from self._handed_out(self._session.prepare(batch))

    def _unprepare(self, call: Call) -> Iterator[bytes]:
        self._drop(call.value(0))
        yield tokens.return_status()

    def _drop(self, handle: object) -> None:
        if isinstance(handle, int):
            self._session.prepared.pop(handle, None)

    def _handed_out(self, handle: int) -> Iterator[bytes]:
        yield tokens.return_status()
        yield tokens.return_handle(handle)

    def _describe_parameters(self, call: Call) -> Iterator[bytes]:
        yield from _in_procedure(undeclared_parameters(recognise(call.text(0))))
        yield tokens.return_status()

    def _type_info(self, call: Call) -> Iterator[bytes]:
        wanted = call.value(0)
        yield from _in_procedure(type_info(wanted if isinstance(wanted, int) else 0))
        yield tokens.return_status()

    def _reset(self, _call: Call) -> Iterator[bytes]:
        self._session.reset()
        yield tokens.return_status()

    def _run(self, batch: Batch | OtherText, given: Sequence[Parameter]) -> Iterator[bytes]:
        if isinstance(batch, OtherText):
            yield from self._script(batch.text, batch.values(given), _IN_PROCEDURE)
            return
        yield from _in_procedure(self._session.run(batch.statement, batch.values(tuple(given)), self._watch))

    def _problem(self, error: SqlError) -> Iterator[bytes]:
        """Tell an error; the lab's lost connections and time-outs are no tokens but happen."""
        if is_lost(error):
            raise ConnectionBreaks
        while is_timeout(error):
            try:
                self._watch(_FOR_EVER_S)
            except Cancelled:
                if isinstance(error, RequestHeld):  # the line is broken: the server hears nothing of it
                    raise ConnectionBreaks from None
                raise
        yield error_token(error, self._session.server.name)
        if error.number == _DEADLOCK and self._session.transaction:
            yield tokens.env_change_bytes(Change.ROLLBACK, b"", self._session.end())

    def _answer_transaction(self, payload: bytes) -> Iterator[bytes]:
        reader = FieldReader(payload)
        reader.skip_headers()
        request = reader.u16()
        if request == _BEGIN:
            yield tokens.env_change_bytes(Change.BEGIN, self._session.begin())
        elif request in (_COMMIT, _ROLLBACK):
            reader.short_text()
            ended = self._session.end()
            if not ended:
                word = "COMMIT" if request == _COMMIT else "ROLLBACK"
                text = f"The {word} TRANSACTION request has no corresponding BEGIN TRANSACTION."
                yield tokens.error(3902 if request == _COMMIT else 3903, text, self._session.server.name)
                yield tokens.done(Done.ERROR)
                return
            yield tokens.env_change_bytes(Change.COMMIT if request == _COMMIT else Change.ROLLBACK, b"", ended)
            if not reader.at_end and reader.u8() & _BEGIN_AGAIN:
                yield tokens.env_change_bytes(Change.BEGIN, self._session.begin())
        elif request != _SAVE:
            raise Malformed(f"a transaction request of type {request}")
        yield tokens.done()


def _sent(text: str, declared: str) -> Batch | OtherText:
    """Return what a driver sent with parameters: a statement of the catalogue, or a text of somebody else's."""
    return recognise(text) if is_ours(text) else OtherText(text, parameter_types(declared))


def error_token(error: SqlError, server: str) -> bytes:
    """Return the ERROR token of an error of the lab."""
    if isinstance(error, ScriptError):
        return tokens.error(
            error.number, error.text, server, error.severity, state=error.told_state, line=error.at_line
        )
    return tokens.error(error.number, error.text, server, _SEVERITIES.get(error.number, 16))


def database_change(session: ClientSession, before: str) -> bytes:
    """Return the token that tells a client of its new database."""
    said = f"Changed database context to '{session.database}'."
    return tokens.env_change(Change.DATABASE, session.database, before) + tokens.info(5701, said, session.server.name)


def _rows(result: ResultSet) -> Iterator[bytes]:
    if not result.columns:
        return
    yield tokens.columns(result.columns)
    yield from tokens.rows(result.columns, result.rows)


def _in_procedure(result: ResultSet) -> Iterator[bytes]:
    yield from _rows(result)
    if result.columns:
        yield tokens.done_in_proc(Done.MORE | Done.COUNT, len(result.rows))
