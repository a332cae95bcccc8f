"""A DBA of Oracle databases who runs scripts as they stand, over python-oracledb, the one client that gets in."""

import re
from collections.abc import Mapping
from typing import Any, Final

import oracledb

from app.drivers.oracle.catalogue import catalogue
from app.drivers.oracle.errors import OracleError
from app.drivers.oracle.lab_clock import WAIT_STATEMENT
from app.drivers.oracle.session import End
from app.drivers.oracle.url import LAB_PASSWORD, LAB_USER
from tests.contract.oracle.sqlplus import Question, SqlPlus

_RUN_AT: Final = re.compile(r"(?m)^-- Run at: (\S+)$")
_FOLLOWED_S: Final = 10  # in which processes have stopped or started; a lab's time passes by what it is sent


class OracledbDatabase:
    """One database, reached with python-oracledb's thin mode as anybody's tool reaches it.

    Attributes:
        rows: of the last query.
    """

    def __init__(self, address: str) -> None:
        self._connection = oracledb.connect(user=LAB_USER, password=LAB_PASSWORD, dsn=address)
        self._cursor = self._connection.cursor()
        self._cursor.callproc("dbms_output.enable")
        self.rows: list[tuple[Any, ...]] = []

    def send(self, text: str, binds: Mapping[str, Any]) -> Mapping[str, Any]:
        """Have a text carried out; raises OracleError."""
        held = {}
        for name, value in binds.items():
            held[name] = self._cursor.var(str if name == "apply" else int, 32)
            held[name].setvalue(0, value)
        try:
            self._cursor.execute(text, held)
        except oracledb.Error as error:
            raise OracleError.of_text(str(error)) from error
        if self._cursor.description is not None:
            self.rows = self._cursor.fetchall()
        return {name: value.getvalue() for name, value in held.items()}

    def fetched(self) -> list[str]:
        """Return what DBMS_OUTPUT holds, and forget it."""
        lines = list[str]()
        line, state = self._cursor.var(str), self._cursor.var(int)
        while True:
            self._cursor.callproc("dbms_output.get_line", (line, state))
            if state.getvalue():
                return lines
            lines.append(line.getvalue() or "")

    def close(self) -> None:
        """Leave."""
        self._connection.close()


class OracleDba:
    """Connects to the database a script names, and runs it there."""

    def __init__(self) -> None:
        self._databases: dict[str, OracledbDatabase] = {}

    def run_script(self, script: str) -> None:
        """Run a script at the database its parts name; fails where one is refused, or was skipped as another's."""
        [named] = set(_RUN_AT.findall(script))
        tool = SqlPlus(self._database(named), answer=self._answer)
        tool.run_script(script)
        assert not tool.errors, (script, tool.errors)
        assert not tool.skipped, script
        source = f"{named.rpartition('/')[0]}/{End.SOURCE}"
        self._database(source).send(catalogue()[WAIT_STATEMENT].text, {"seconds": _FOLLOWED_S, "now_s": None})

    def _answer(self, question: Question) -> str:
        database = self._database(question.address)
        database.send(question.query.body, {})
        [(number, _name)] = database.rows
        return str(number)

    def _database(self, address: str) -> OracledbDatabase:
        if address not in self._databases:
            self._databases[address] = OracledbDatabase(address)
        return self._databases[address]

    def close(self) -> None:
        """Close every connection."""
        for database in self._databases.values():
            database.close()
