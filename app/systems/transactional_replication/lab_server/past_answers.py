"""The agents' work hour by hour, from the history the lab keeps."""

from collections.abc import Mapping
from datetime import datetime, timedelta

from app.domain.setting import Value
from app.drivers.sqlserver.lab.time_answers import moment_utc
from app.drivers.sqlserver.session import Place
from app.foundation.rows import Cell
from app.systems.transactional_replication.lab_server.history import AgentHistory
from app.systems.transactional_replication.lab_server.state import LabState
from app.systems.transactional_replication.server.documented import AGENT_TYPES

_PROBLEMS = (5, 6)


class PastAnswers:
    """Kept history, aggregated as the statement does it."""

    def __init__(self, state: LabState) -> None:
        self._state = state

    def agent_hours(self, _place: Place, values: Mapping[str, Value]) -> list[tuple[Cell, ...]]:
        """Answer `agent_hours`."""
        since = moment_utc(self._state.lab.now_s) - timedelta(hours=int(values["hours"]))
        rows: list[tuple[Cell, ...]] = []
        for agent in self._state.site.agents:
            history = self._state.history[agent.job_id]
            for hour, sums in sorted(_by_hour(history, since).items()):
                rows.append((AGENT_TYPES[agent.kind], agent.agent_id, hour, *sums))
        return sorted(rows, key=lambda row: (str(row[0]), str(row[1]), str(row[2])))


def _by_hour(history: AgentHistory, since: datetime) -> dict[datetime, tuple[Cell, ...]]:
    """Return the sums of each hour: transactions, commands, busy seconds, mean and worst latency, problems."""
    rows_by_hour: dict[datetime, list[tuple[int, int, float, int, int]]] = {}
    before = (0, 0, history.session_start_s or 0.0)
    for row in history.rows:
        at = moment_utc(row.time_s)
        step = (row.transactions - before[0], row.commands - before[1], row.time_s - before[2])
        before = (row.transactions, row.commands, row.time_s)
        if at >= since:
            hour = at.replace(minute=0, second=0, microsecond=0)
            rows_by_hour.setdefault(hour, []).append((*step, row.latency_ms, row.runstatus))
    return {hour: _sums(steps) for hour, steps in rows_by_hour.items()}


def _sums(steps: list[tuple[int, int, float, int, int]]) -> tuple[Cell, ...]:
    delivered = [step for step in steps if step[1] > 0]
    latencies = [step[3] for step in delivered]
    return (
        sum(step[0] for step in delivered),
        sum(step[1] for step in delivered),
        round(sum(step[2] for step in delivered)),
        sum(latencies) / len(latencies) if latencies else None,
        max(latencies, default=None),
        sum(step[4] in _PROBLEMS for step in steps),
    )
