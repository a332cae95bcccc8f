"""Parameters of one thing at a SQL Server, declared once: how they are read, set, put back and told."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from app.domain.change import Change
from app.domain.change_kinds import ChangesByKind
from app.domain.declared_change import Call, Declaration, Declared, Details, Restart, Run, Scope, Words, reads_otherwise
from app.domain.naming import DeclaredTexts, Holds, words
from app.domain.server import EffectiveParameter, ServerInfo
from app.domain.setting import Parameter, Value
from app.domain.target import Connection, Offer
from app.drivers.sqlserver.executor import At, SqlServerExecutor
from app.drivers.sqlserver.session import Place, Session
from app.foundation.clock import Clock
from app.foundation.rows import Cell, Row
from app.foundation.texts import _

_SERVER: Final = "server"
HOME: Final = "master"
"""The database its statements run in."""


@dataclass(frozen=True)
class TunedServer:
    """A server with something tunable on it.

    Attributes:
        parameters: in effect, in the order they were read.
    """

    server: ServerInfo
    parameters: tuple[EffectiveParameter, ...]

    @property
    def servers(self) -> tuple[ServerInfo, ...]:
        """The one server."""
        return (self.server,)

    def value_of(self, name: str) -> int:
        """Return a parameter's value in effect."""
        return next(int(parameter.value) for parameter in self.parameters if parameter.name == name)


@dataclass(frozen=True)
class DeclaredParameters:
    """The parameters of one thing at a server, and the statements that read and set them.

    Attributes:
        of: what they are of, as kinds of change begin.
        title: what they are of, for a person, with `{server}`.
        role: of its server, as a person calls it.
        capabilities: of a target that has it, by id, as a person says it.
        parameters: those there are.
        read: statement with a row for each: name, value, and in_effect, which differs until the next start.
        set: statement that gives @parameter its @value.
        restart: statement that restarts it, "" for none.
        counts_from_restart: what a restart means for production, by the name of each parameter that needs one.
    """

    of: str
    title: str
    role: str
    capabilities: Mapping[str, str]
    parameters: tuple[Parameter, ...]
    read: str
    set: str
    restart: str = ""
    counts_from_restart: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def changes(self) -> Mapping[str, Declaration[At, str]]:
        """How each parameter is changed, by its name."""
        return {parameter.name: self._declared(parameter.name) for parameter in self.parameters}

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of change there are."""
        return tuple(declared.kind for declared in self.changes.values())

    @property
    def where_absent(self) -> Mapping[str, tuple[tuple[Cell, ...], ...]]:
        """Return the answer to `read` of a server that has none of them."""
        return {self.read: ()}

    def simulated(self, subject: str) -> Mapping[str, frozenset[str]]:
        """Return the parameters a lab names as simulated where all of them count in it."""
        return {subject: frozenset(self.changes)}

    def calls(self, server: str, name: str, value: str) -> tuple[Call[At], ...]:
        """Return the calls that give a parameter a value, with the restart it needs to count."""
        calls = (Call(self.set, At(server), {"parameter": name, "value": value}), Call(self.restart, At(server), {}))
        return calls if name in self.counts_from_restart else calls[:1]

    def offer(self, connection: Connection) -> Offer:
        """Return the ports of a server that may have it; sends nothing."""
        port = ParametersPort(connection.session, connection.clock, self)
        return Offer(frozenset(self.capabilities), port, port.changes, frozenset(self.kinds))

    @property
    def texts(self) -> DeclaredTexts:
        """Whose words the details of its changes are."""
        held = {_SERVER: Holds.SERVER, **words("name", "original_value", "new_value")}
        return DeclaredTexts(details=dict.fromkeys(self.kinds, held))

    def _declared(self, name: str) -> Declaration[At, str]:
        return Declaration(
            kind=f"{self.of}_{name.lower()}",
            scope=Scope.INSTANCE,
            read=self._read,
            set=lambda _run, details, value: self.calls(str(details[_SERVER]), name, value),
            original=lambda details: str(details["original_value"]),
            new=lambda details: str(details["new_value"]),
            words=Words(
                subject=lambda details: _("{name} of {title}").format(
                    name=name, title=self.title.format(server=details[_SERVER])
                ),
                shown=str,
                making=lambda subject, value: _("Set {subject} to {value}").format(subject=subject, value=value),
                undoing=lambda subject, value: _("Set {subject} back to {value}").format(subject=subject, value=value),
                unread=reads_otherwise,
                consent=lambda _details: self.counts_from_restart.get(name, _("it counts at once for everybody there")),
            ),
            restarts=Restart.PROCESS if name in self.counts_from_restart else Restart.NOTHING,
        )

    def _read(self, run: Run[At], details: Details) -> str:
        rows = run(Call(self.read, At(str(details[_SERVER])), {}))
        row = next(row for row in rows if row.text("name") == details["name"])
        value, in_effect = row.text("value"), row.text("in_effect")
        return value if value == in_effect else _("{value}, {now} in effect").format(value=value, now=in_effect)


class ParametersPort:
    """Reads the parameters and plans their changes; every call raises TargetError."""

    def __init__(self, session: Session, clock: Clock, declared: DeclaredParameters) -> None:
        self._session = session
        self._declared = declared
        self._home = Place(session.own_server, HOME)
        executor = SqlServerExecutor(session, clock)
        self._changes = {name: Declared(declaration, executor) for name, declaration in declared.changes.items()}

    @property
    def changes(self) -> ChangesByKind:
        """Return the makers of the changes."""
        return ChangesByKind({declared.declaration.kind: declared for declared in self._changes.values()})

    def run(self, statement: str, **values: Value) -> tuple[Row, ...]:
        """Run a statement at the server."""
        return self._session.run(statement, self._home, **values)

    def discover(self) -> TunedServer | None:
        """Read the parameters in effect, None where there are none."""
        rows = self.run(self._declared.read)
        if not rows:
            return None
        [info] = self.run("server_info")
        server = ServerInfo(
            self._home.server, self._declared.role, info.text("version"), info.text("edition"), info.whole("cpu_count")
        )
        return TunedServer(server, tuple(self._effective(row) for row in rows))

    def plan(self, values: Mapping[str, Value]) -> tuple[Change, ...]:
        """Return the changes that give parameters these values, () where they have them."""
        return tuple(change for name, value in values.items() for change in self._plan(name, str(value)))

    def _plan(self, name: str, value: str) -> tuple[Change, ...]:
        about = ((_SERVER, self._home.server), ("name", name))
        original = self._changes[name].read(dict(about))
        if original == value:
            return ()
        return (self._changes[name].plan((*about, ("original_value", original), ("new_value", value))),)

    def _effective(self, row: Row) -> EffectiveParameter:
        parameter = next(p for p in self._declared.parameters if p.name == row.text("name"))
        value, default = row.text("in_effect"), str(parameter.default)
        origin = "default" if value == default else "set"
        if row.text("value") != value:
            origin = _("{value} from the next start").format(value=row.text("value"))
        return EffectiveParameter(parameter.name, value, origin, default, parameter.low, parameter.high, parameter.unit)
