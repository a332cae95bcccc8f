"""A turnstile over named statements: reading it, changing it, letting people through."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from app.domain.change import Change, StillRunning
from app.domain.change_kinds import ChangesByKind
from app.domain.declared_change import Call, Declaration, Declared, Details, Restart, Run, Scope, Words, reads_otherwise
from app.domain.server import EffectiveParameter, ServerInfo
from app.domain.setting import Value
from app.domain.target import Connection, Offer
from app.drivers.sqlserver.executor import At, SqlServerExecutor
from app.drivers.sqlserver.scripts import statement_script
from app.drivers.sqlserver.session import Place, Session
from app.foundation.clock import Clock
from app.foundation.rows import Row

from .site import CAPABILITIES, GATES, PARAMETERS, QUEUE, Turnstile

_PARAMETERS: Final = {parameter.name: parameter for parameter in PARAMETERS}


def _read(run: Run[At], details: Details) -> str:
    rows = run(Call("turnstile_settings", At(str(details["server"])), {}))
    row = next(row for row in rows if row.text("name") == details["name"])
    value, in_effect = row.text("value"), row.text("in_effect")
    return value if value == in_effect else f"{value}, {in_effect} in effect"


def setting_calls(server: str, name: str, value: str) -> tuple[Call[At], ...]:
    """Return what gives a setting a value, with the restart it needs to count."""
    calls = (
        Call("set_turnstile", At(server), {"setting": name, "value": value}),
        Call("restart_turnstile", At(server), {}),
    )
    return calls if DECLARED[name].restarts is Restart.PROCESS else calls[:1]


def setting_script(title: str, server: str, name: str, value: str) -> str:
    """Return the same as T-SQL."""
    calls = setting_calls(server, name, value)
    return "".join(
        statement_script(title, server, call.at.database, call.statement, {k: str(v) for k, v in call.values.items()})
        for call in calls
    )


def _declared(kind: str, restarts: Restart, consent: str) -> Declaration[At, str]:
    return Declaration(
        kind=kind,
        scope=Scope.INSTANCE,
        read=_read,
        set=lambda _run, details, value: setting_calls(str(details["server"]), str(details["name"]), value),
        original=lambda details: str(details["original_value"]),
        new=lambda details: str(details["new_value"]),
        words=Words(
            subject=lambda details: f"{details['name']} of the turnstile at {details['server']}",
            shown=str,
            making=lambda subject, _value: f"Change {subject}",
            undoing=lambda subject, _value: f"Put back {subject}",
            unread=reads_otherwise,
            consent=lambda _details: consent,
        ),
        restarts=restarts,
    )


DECLARED: Final = {
    GATES.name: _declared("turnstile_gates", Restart.NOTHING, ""),
    QUEUE.name: _declared("turnstile_queue", Restart.PROCESS, "the turnstile stands still while it restarts"),
}
"""How each setting is changed, by its name."""

KINDS: Final = tuple(declaration.kind for declaration in DECLARED.values())


class SqlTurnstile:
    """The TurnstilePort over a session."""

    def __init__(self, session: Session, clock: Clock) -> None:
        self._session = session
        self._executor = SqlServerExecutor(session, clock)
        self._home = Place(session.own_server, "master")

    def discover(self) -> Turnstile | None:
        """Read the settings in effect."""
        rows = self._session.run("turnstile_settings", self._home)
        if not rows:
            return None
        info = self._session.run("server_info", self._home)[0]
        version, edition, cpus = info.text("version"), info.text("edition"), info.whole("cpu_count")
        server = ServerInfo(self._home.server, "Door", version, edition, cpus)
        return Turnstile(server, tuple(_effective(row) for row in rows))

    def plan_setting(self, name: str, value: Value) -> tuple[Change, ...]:
        """Return the change of one setting, with its scripts."""
        declared, about = Declared(DECLARED[name], self._executor), (("server", self._home.server), ("name", name))
        original = declared.read(dict(about))
        if original == str(value):
            return ()
        return (declared.plan((*about, ("original_value", original), ("new_value", str(value)))),)

    def let_pass(self, people: int) -> float:
        """Let people through."""
        return self._session.run("pass_turnstile", self._home, people=people)[0].number("elapsed_ms") / 1000


def _effective(row: Row) -> EffectiveParameter:
    parameter, value = _PARAMETERS[row.text("name")], row.text("in_effect")
    origin = "default" if value == str(parameter.default) else "set"
    if row.text("value") != value:
        origin = f"{row.text('value')} from the next start"
    return EffectiveParameter(
        parameter.name, value, origin, str(parameter.default), parameter.low, parameter.high, parameter.unit
    )


class TurnstileChanges(ChangesByKind):
    """The ServerChanges port for both kinds of change."""

    def __init__(self, session: Session, clock: Clock) -> None:
        executor = SqlServerExecutor(session, clock)
        super().__init__({declaration.kind: Declared(declaration, executor) for declaration in DECLARED.values()})

    def quiesce(self, _changes: Sequence[Change]) -> tuple[StillRunning, ...]:
        """Stop nothing: a change restarts what it has to by itself."""
        return ()

    def plan_quiesce(self, _changes: Sequence[Change]) -> tuple[Change, ...]:
        """Plan nothing, as `quiesce`."""
        return ()


def offer_turnstile(connection: Connection) -> Offer:
    """Return what a server offers that may have a turnstile; sends nothing."""
    session, clock = connection.session, connection.clock
    changes = TurnstileChanges(session, clock)
    return Offer(frozenset(CAPABILITIES), SqlTurnstile(session, clock), changes, frozenset(KINDS))


def offer_by_hand(connection: Connection, gate: Any) -> Offer:
    """Return the same where the client's DBA makes every change."""
    offered = offer_turnstile(connection)
    return replace(offered, changes=gate.changes(offered.changes))
