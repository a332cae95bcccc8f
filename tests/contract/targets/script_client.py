"""A DBA's sqlcmd on the lab in this process: the tool's part is `tests.contract.sqlcmd`, the server's is the lab's."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, Protocol

from app.domain.setting import Value
from app.domain.statement import Access
from app.drivers.sqlserver.catalogue import Statement
from app.drivers.sqlserver.errors import SqlError
from app.drivers.sqlserver.lab.logins import MONITOR, Rows
from app.drivers.sqlserver.lab.script.batches import run_batch
from app.drivers.sqlserver.lab.script.events import Event, Failed, Said, Shown
from app.drivers.sqlserver.lab.script.tokens import ScriptError
from app.drivers.sqlserver.wire.client_session import ClientSession
from app.drivers.sqlserver.wire.script_session import ScriptSession
from app.drivers.sqlserver.wire.shared_lab import SharedLab
from app.foundation.rows import Cell
from tests.contract.sqlcmd import BatchError, Options, run

APPLYING_IT: Final = ("\n:setvar Apply no\n", "\n:setvar Apply yes\n")


class Served(Protocol):
    """What has the servers of a lab."""

    @property
    def server(self) -> Any:
        """The simulated servers."""


class _Recording(ScriptSession):
    """Notes which changing statements it is asked for."""

    def __init__(self, session: ClientSession, ran: list[str]) -> None:
        super().__init__(session, lambda _wait_s: None)
        self._ran = ran

    def run(self, statement: Statement, values: Mapping[str, Value | None]) -> Rows:
        """Note a changing statement, and run it."""
        if statement.access is Access.CHANGE:
            self._ran.append(statement.name)
        return super().run(statement, values)


@dataclass
class ScriptClient:
    """A connection with `sqlcmd -b`; one to a server the lab has not leads to a stranger.

    Attributes:
        here: the server it leads to.
        options: how sqlcmd, or another tool, is started.
        ran: names of the changing statements that were run. printed: what PRINT said. skipped: batches for elsewhere.
        shown: moment, parameter, value.
        errors: what failed. code: what sqlcmd left with.
    """

    bench: Served
    here: str
    is_sysadmin: bool = True
    options: Options = field(default_factory=Options)
    ran: list[str] = field(default_factory=list)
    printed: list[str] = field(default_factory=list)
    shown: list[tuple[str, str, Cell]] = field(default_factory=list)
    skipped: int = 0
    errors: list[str] = field(default_factory=list)
    code: int = 0

    def __post_init__(self) -> None:
        """Sign in."""
        servers = {server.name: server for server in self.bench.server.state.site.servers}
        server = servers.get(self.here) or replace(servers[self.bench.server.own_server], name=self.here)
        session = ClientSession(SharedLab(self.bench.server, None), server)
        if not self.is_sysadmin:
            session.user = MONITOR
        self._connection = _Recording(session, self.ran)

    @property
    def error(self) -> str:
        """The last error, "" for none."""
        return self.errors[-1] if self.errors else ""

    def run_script(self, script: str, *, applies: bool = False) -> None:
        """Run a script, with its one line edited where it is to apply."""
        assert script.count(APPLYING_IT[0]) == 1 or not applies
        self.code, self.errors = run(script.replace(*APPLYING_IT) if applies else script, self._sent, self.options)

    def _sent(self, text: str) -> None:
        failed: list[ScriptError] = []
        try:
            for event in run_batch(text, self._connection, {}):
                self._take(event)
                failed += [event.error] if isinstance(event, Failed) else []
        except ScriptError as error:
            failed.append(error)
        except SqlError as error:
            raise BatchError(error.text, number=error.number) from error
        if failed:
            raise BatchError(failed[-1].text, state=failed[-1].told_state, number=failed[-1].number) from failed[-1]

    def _take(self, event: Event) -> None:
        if isinstance(event, Said):
            is_skipped = event.text.startswith("Skipped: this part is for")
            self.skipped += is_skipped
            self.printed += [] if is_skipped else [event.text]
        if isinstance(event, Shown) and event.columns[0] == "moment":
            self.shown += [(str(moment), str(parameter), value) for moment, _agent, parameter, value, *_ in event.rows]
