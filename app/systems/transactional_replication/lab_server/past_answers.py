"""The agents' work hour by hour, from the history the lab keeps."""

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta

from app.domain.setting import Value
from app.drivers.sqlserver.lab.time_answers import moment_utc
from app.drivers.sqlserver.session import Place
from app.foundation.rows import Cell
from app.systems.transactional_replication.lab_server.history import AgentHistory, HistoryRow, PastSession
from app.systems.transactional_replication.lab_server.state import LabState
from app.systems.transactional_replication.server.documented import AGENT_TYPES

_PROBLEMS = (5, 6)
_SECONDS_PER_HOUR = 3600.0

_Step = tuple[int, int, float, int, int]
"""Transactions, commands and seconds since the row before; latency in ms and status of the row."""


class PastAnswers:
    """Kept history, aggregated as the statement does it."""

    def __init__(self, state: LabState) -> None:
        self._state = state

    def agent_hours(self, _place: Place, values: Mapping[str, Value]) -> list[tuple[Cell, ...]]:
        """Answer `agent_hours`."""
        since = moment_utc(self._state.lab.now_s) - timedelta(hours=int(values["hours"]))
        clean_up = self._state.site.scenario.clean_up
        kept_from_s = 0.0 if clean_up is None else self._state.lab.now_s - clean_up.kept_h * _SECONDS_PER_HOUR
        rows: list[tuple[Cell, ...]] = []
        for agent in self._state.site.agents:
            history = self._state.history[agent.job_id]
            for hour, sums in sorted(_by_hour(history, since, kept_from_s).items()):
                rows.append((AGENT_TYPES[agent.kind], agent.agent_id, hour, *sums))
        return sorted(rows, key=lambda row: (str(row[0]), str(row[1]), str(row[2])))


def _by_hour(history: AgentHistory, since: datetime, kept_from_s: float) -> dict[datetime, tuple[Cell, ...]]:
    """Return the sums of each hour: transactions, commands, busy seconds, mean and worst latency, problems."""
    rows_by_hour: dict[datetime, list[_Step]] = {}
    for session in history.sessions:
        for row, step in _steps(session, kept_from_s):
            at = moment_utc(row.time_s)
            if at >= since:
                rows_by_hour.setdefault(at.replace(minute=0, second=0, microsecond=0), []).append(step)
    return {hour: _sums(steps) for hour, steps in rows_by_hour.items()}


def _steps(session: PastSession, kept_from_s: float) -> Iterator[tuple[HistoryRow, _Step]]:
    """Yield the kept rows of a session, each with its growth over the one before."""
    kept = [row for row in session.rows if row.time_s >= kept_from_s]
    before = (0, 0, session.start_s)
    if kept and before[2] < kept[0].time_s:  # clean-up took the beginning of the session
        before = (kept[0].transactions, kept[0].commands, kept[0].time_s)
    for row in kept:
        grown = (row.transactions - before[0], row.commands - before[1], row.time_s - before[2])
        before = (row.transactions, row.commands, row.time_s)
        yield row, (*grown, row.latency_ms, row.runstatus)


def _sums(steps: list[_Step]) -> tuple[Cell, ...]:
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
