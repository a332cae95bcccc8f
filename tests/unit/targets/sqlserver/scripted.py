"""A session that answers statements with given rows, in the order of their declared columns."""

from collections import deque
from collections.abc import Mapping
from datetime import UTC, datetime

from app.domain.errors import TargetError
from app.domain.setting import Value
from app.drivers.sqlserver.catalogue import catalogue
from app.drivers.sqlserver.session import Place, Rows
from app.foundation.rows import Cell, Columns, Row

Answer = list[dict[str, Cell]] | TargetError
MOMENT = datetime(2026, 1, 5, 8, 0, tzinfo=UTC)


class ScriptedSession:
    """Answers each statement with its next answer, the last one again and again; notes what was sent."""

    def __init__(self, answers: Mapping[str, list[Answer]], server: str = "A", database: str = "") -> None:
        self.own_server = server
        self.database = database
        self._answers = {name: deque(found) for name, found in answers.items()}
        self.sent: list[tuple[str, str, dict[str, Value]]] = []

    def run(self, name: str, place: Place, **parameters: Value) -> Rows:
        """Answer a statement; raises what was given instead of rows."""
        self.sent.append((name, place.server, parameters))
        left = self._answers[name]
        answer = left[0] if len(left) == 1 else left.popleft()
        if isinstance(answer, TargetError):
            raise answer
        columns = catalogue()[name].column_names
        return tuple(Row(Columns(columns), [row.get(column) for column in columns]) for row in answer)

    def close(self) -> None:
        """Nothing to close."""

    def names(self) -> list[str]:
        """Return the statements sent, in order."""
        return [name for name, _server, _parameters in self.sent]


class FakeClock:
    """A clock that sleeping moves."""

    def __init__(self) -> None:
        self.now_s = 0.0

    def now_utc(self) -> datetime:
        """Return a fixed day."""
        return MOMENT

    def monotonic_s(self) -> float:
        """Return the seconds slept."""
        return self.now_s

    def resolution_s(self) -> float:
        """Return 0: simulated time is exact."""
        return 0.0

    def sleep(self, seconds: float) -> None:
        """Let them pass."""
        self.now_s += seconds
