"""Writing load at the Publisher."""

from typing import Final

from app.domain.errors import BadInput, Unsupported
from app.drivers.sqlserver.session import Place, Session
from app.foundation.texts import _
from app.systems.transactional_replication.topology import LOAD_TABLE, Agent, Written

# One statement writes at most this much, so that a cancel waits seconds and no statement meets its time limit.
COMMANDS_PER_STATEMENT: Final = 50_000

POSITION_DIGITS: Final = 20
"""Of a log sequence number, ten bytes in hexadecimal."""


class SqlServerWorkload:
    """Mixed DML, 30 % inserts, 60 % updates, 10 % deletes of 1 KB rows, in a published test table."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._checked: set[Place] = set()

    def write(
        self, agent: Agent, transactions: int, commands_per_transaction: tuple[float, float], seed: int
    ) -> Written:
        """Commit transactions in the publication database of `agent`; return the volume written.

        Raises:
            BadInput: less than one command a transaction, or the lowest number above the highest.
            Unsupported: the test table is missing or not published.
        """
        low, high = commands_per_transaction
        if not 1.0 <= low <= high:
            raise BadInput(
                _("commands per transaction must be at least 1 and ascending, not {low:g} to {high:g}").format(
                    low=low, high=high
                )
            )
        place = Place(agent.publisher_at, agent.publisher_db)
        self._need_table(place)
        per_statement = max(1, int(COMMANDS_PER_STATEMENT / high))
        written, position, left = 0, "", transactions
        while left > 0:
            rows = self._session.run(
                "write_load",
                place,
                transactions=min(left, per_statement),
                commands_low=float(low),
                commands_high=float(high),
                seed=(seed + left) % 2**31,
            )
            written += rows[0].whole("commands")
            position = "" if rows[0].is_null("position") else rows[0].text("position")
            left -= per_statement
        return Written(written, position)

    def _need_table(self, place: Place) -> None:
        if place in self._checked:
            return
        rows = self._session.run("load_table", place)
        if not rows or rows[0].whole("is_published") != 1:
            raise Unsupported(
                _(
                    "table {table} is missing from {database} at {server} or is not an article: create it with columns "
                    "id bigint primary key, amount int, payload char(1000), and add it to the publication"
                ).format(table=LOAD_TABLE, database=place.database, server=place.server)
            )
        self._checked.add(place)
