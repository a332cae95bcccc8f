"""A DBA of Oracle databases who runs the scripts a guided run asks for, over python-oracledb, as they stand."""

import re
from collections.abc import Mapping
from typing import Final

from app.domain.connection import ServerUrl
from app.drivers.oracle.catalogue import Statement, catalogue
from app.drivers.oracle.cells import BindValue
from app.drivers.oracle.clients.database import Database
from app.drivers.oracle.clients.opening import DatabaseAccess, make_database
from app.drivers.oracle.lab_clock import WAIT_STATEMENT
from app.drivers.oracle.session import End
from app.drivers.oracle.url import ENGINE_ID, LAB_PASSWORD, LAB_USER, read_settings
from app.foundation.rows import Cell
from app.foundation.secret import Secret
from tests.contract.oracle.script_runs import Question, SqlPlus

_RUN_AT: Final = re.compile(r"(?m)^-- Run at: (\S+)$")
_FOLLOWED_S: Final = 10.0  # in which processes have stopped or started; a lab's time passes by what it is sent
_ADDRESS: Final = re.compile(r"(?P<host>\S+):(?P<port>\d+)/(?P<service>\S+)")


class _AtDatabase:
    """One database, whichever end is asked for."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def run(self, statement: Statement, _end: End, binds: Mapping[str, BindValue]) -> tuple[tuple[Cell, ...], ...]:
        """Send one statement."""
        return self._database.send(statement, binds)


class OracleDba:
    """Connects to the database a script names, and runs it there.

    Attributes:
        ran: names of the changing statements sent, in order.
    """

    def __init__(self) -> None:
        self.ran: list[str] = []
        self._databases: dict[str, Database] = {}

    def run_script(self, script: str) -> None:
        """Run a script at the database its parts name; fails where one is refused, or was skipped as another's."""
        [named] = set(_RUN_AT.findall(script))
        tool = SqlPlus(_AtDatabase(self._database(named)), End.SOURCE, answer=self._answer)
        tool.run_script(script)
        assert not tool.errors, (script, tool.errors)
        assert not tool.skipped, script
        self.ran += tool.ran
        source = f"{named.rpartition('/')[0]}/{End.SOURCE}"
        self._database(source).send(catalogue()[WAIT_STATEMENT], {"seconds": _FOLLOWED_S})

    def _answer(self, question: Question) -> str:
        [(number, _name)] = self._database(question.address).send(question.query, {})
        return str(number)

    def _database(self, address: str) -> Database:
        if address not in self._databases:
            at = _ADDRESS.fullmatch(address)
            assert at is not None, address
            url = ServerUrl(ENGINE_ID, LAB_USER, at["host"], int(at["port"]), path=at["service"])
            self._databases[address] = make_database(DatabaseAccess(read_settings(url), Secret(LAB_PASSWORD)))
        return self._databases[address]

    def close(self) -> None:
        """Close every connection."""
        for database in self._databases.values():
            database.close()
