"""One spelling of the own server's name: a group may have been made with another case than the instance has."""

from typing import Final

from app.domain.setting import Value
from app.drivers.sqlserver.session import Place, Rows, Session
from app.foundation.rows import Cell, Row

_NAMING: Final = frozenset({"own_server", "primary_replica", "replica_server"})


class OwnSpelling:
    """A session whose rows name the server it was opened with as the session does; servers ignore case."""

    def __init__(self, session: Session) -> None:
        self.own_server = session.own_server
        self.database = session.database
        self._session = session

    def run(self, name: str, place: Place, **parameters: Value) -> Rows:
        """Run a statement of the catalogue; raises TargetError subclasses."""
        rows = self._session.run(name, place, **parameters)
        if not rows or _NAMING.isdisjoint(rows[0].columns):
            return rows
        columns = rows[0].columns
        return tuple(Row(columns, [self._spelled(column, row.cell(column)) for column in columns]) for row in rows)

    def close(self) -> None:
        """Close every connection."""
        self._session.close()

    def _spelled(self, column: str, value: Cell) -> Cell:
        is_own = column in _NAMING and isinstance(value, str) and value.casefold() == self.own_server.casefold()
        return self.own_server if is_own else value
