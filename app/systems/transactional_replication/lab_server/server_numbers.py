"""Which server a number in the lab's distribution database stands for, by the table a statement looks it up in."""

from collections.abc import Mapping, Sequence
from typing import Final

from app.drivers.sqlserver.errors import SqlError

LINKED_SERVER: Final = "PUB1.CONTOSO.COM"
"""A linked server of the Distributor that is named like the Publisher and has its number in `sys.servers`."""

# First builds whose distribution database numbers the servers itself: 2016 SP2 CU3, 2017 CU6, then every release.
_FIRST_BUILDS: Final = ((13, 5216), (14, 3025))
_FIRST_RELEASE: Final = 15
_OWN_TABLE: Final = "dbo.MSreplservers"
_LINKED_TABLE: Final = "sys.servers"
_TABLE_IS_ASKED_FOR: Final = f"IF OBJECT_ID(N'{_OWN_TABLE}') IS NULL"


class ServerNumbers:
    """The numbers of servers: the distribution database's own where the build has them, else those of linked servers.

    Source of the builds: the cumulative updates that brought distribution databases in availability groups.
    """

    def __init__(self, product_version: str, distributor: str, others: Sequence[str]) -> None:
        self._linked = dict(enumerate((distributor, LINKED_SERVER, *others)))
        self._own = dict(enumerate(others, start=1)) if _numbers_itself(product_version) else None

    def has_table(self, table: str) -> bool:
        """Tell whether this build has a table, by its name with schema."""
        return table != _OWN_TABLE or self._own is not None

    def number_of(self, server: str) -> int:
        """Return the number under which the tables of replication hold a server."""
        numbers = self._linked if self._own is None else self._own
        return next(number for number, name in numbers.items() if name == server)

    def name_by(self, sql: str, server: str) -> str | None:
        """Return which name a statement's text finds for the number of a server, None where its table lacks the number.

        Raises:
            SqlError: it names a table this build has not.
        """
        return self._names_by(sql).get(self.number_of(server))

    def _names_by(self, sql: str) -> Mapping[int, str]:
        if _OWN_TABLE not in sql:
            return self._linked
        if self._own is not None:
            return self._own
        if _TABLE_IS_ASKED_FOR not in sql or _LINKED_TABLE not in sql:
            raise SqlError(208, f"Invalid object name '{_OWN_TABLE}'.", "42S02")
        return self._linked


def _numbers_itself(product_version: str) -> bool:
    major, _minor, build = (int(part) for part in product_version.split(".")[:3])
    return major >= _FIRST_RELEASE or any(major == first and build >= number for first, number in _FIRST_BUILDS)
