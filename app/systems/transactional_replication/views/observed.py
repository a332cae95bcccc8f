"""Observations of replication agents: their history as tables and plots, and present backlogs."""

import math
from collections.abc import Callable, Sequence
from datetime import datetime

from app.domain.comparison import Forecast
from app.domain.plot import Mark, PlotSpec, Series
from app.domain.session import is_lab
from app.domain.setting import value_text
from app.domain.view import (
    NO_VALUE,
    Cell,
    Column,
    Row,
    TableContent,
    data_cell,
    file_column,
    number_cell,
    text_cell,
    valued_cell,
)
from app.flows.target.observed_parts import finding_lines, unread_lines
from app.flows.words import counted, ended
from app.foundation.durations import duration, duration_text
from app.foundation.texts import _, local_number
from app.systems.transactional_replication.agent_kind import AgentKind
from app.systems.transactional_replication.analysis.history import HOUR_S
from app.systems.transactional_replication.observed import AgentHour, ObservedAgent, ReplicationObservation, Side
from app.systems.transactional_replication.stored_backlog import StoredBacklog, stored_text
from app.systems.transactional_replication.tables import agent_kind_title

_IN_FILES = (
    "agent", "kind", "hour_utc", "transactions", "commands", "busy_s", "latency_ms", "worst_latency_ms", "problems",
)  # fmt: skip


def observed_line(observation: ReplicationObservation) -> str:
    """Return in one sentence the time looked at; a lab's clock is its own, and its time of day says nothing."""
    text = (
        _("{target}: {agents}, {history}.")
        if is_lab(observation.target)
        else _("{target}: {agents}, {history}, as of {at:%Y-%m-%d %H:%M} by the Distributor's clock.")
    )
    return text.format(
        target=observation.target,
        agents=counted(len(observation.agents), _("1 agent"), _("{count} agents")),
        history=history_text(observation),
        at=observation.taken,
    )


def history_text(observation: ReplicationObservation) -> str:
    """Return the length of the history: as asked for, or as much of it as is kept."""
    if observation.covered_h >= observation.window_h - 1:
        return _("{hours} hours of history").format(hours=observation.window_h)
    return _("{kept} of {hours} hours of history (no more is kept)").format(
        kept=local_number(f"{observation.covered_h:.1f}"), hours=observation.window_h
    )


def history_of(observation: ReplicationObservation) -> TableContent:
    """Return every agent hour by hour, as written to a file."""
    return hours_table(observation).only(*_IN_FILES)


def hours_table(observation: ReplicationObservation) -> TableContent:
    """Return every agent hour by hour, oldest first."""
    columns = (
        Column("agent", _("Agent")),
        Column("kind", _("Kind")),
        Column("hour_utc", _("Hour"), hint=_("By the clock of the Distributor")),
        file_column("transactions"),
        file_column("busy_s"),
        Column("commands", _("Delivered"), "commands", is_number=True),
        Column("rate", _("Mean rate"), "commands/s", is_number=True, hint=_("Over the part of the hour read")),
        Column("busy_rate", _("Rate at work"), "commands/s", is_number=True, hint=_("While it had something to do")),
        Column("latency_ms", _("Latency"), is_number=True, hint=_("Mean of the rows that delivered")),
        Column("worst_latency_ms", _("Worst latency"), is_number=True),
        Column("problems", _("Problems"), is_number=True, hint=_("Rows with an error or a retry")),
    )
    rows = (
        _hour_row(agent, hour, observation.looked_at_s(hour)) for agent in observation.agents for hour in agent.hours
    )
    return TableContent(columns, tuple(rows))


def _hour_row(agent: ObservedAgent, hour: AgentHour, looked_at_s: float) -> Row:
    busy_rate = hour.commands / hour.busy_s if hour.busy_s > 0 else None
    return Row(
        f"{agent.agent.name} {hour.hour_utc.isoformat()}",
        (
            text_cell(agent.agent.name),
            valued_cell(agent_kind_title(agent.agent.kind), str(hour.kind)),
            valued_cell(f"{hour.hour_utc:%Y-%m-%d %H:00}", hour.hour_utc.isoformat()),
            data_cell(hour.transactions),
            data_cell(hour.busy_s),
            number_cell(hour.commands),
            number_cell(hour.commands / looked_at_s, 1),
            number_cell(busy_rate, 1),
            _time_cell(hour.latency_ms),
            _time_cell(hour.worst_latency_ms),
            number_cell(hour.problems),
        ),
    )


def _time_cell(time_ms: float | None) -> Cell:
    """Return a length of time as a person reads it; files and sorting have its milliseconds."""
    return number_cell(None) if time_ms is None else valued_cell(duration(time_ms / 1000), time_ms)


def agents_table(observation: ReplicationObservation) -> TableContent:
    """Return the slower half of each agent, and how long it needs for its backlog."""
    columns = (
        Column("agent", _("Agent")),
        Column("side", _("What limits it")),
        Column(
            "waiting",
            _("Its backlog"),
            "commands",
            is_number=True,
            hint=_("All that waits in the log of its publication database, and for it in the distribution database"),
        ),
        Column("catch_up", _("Would be delivered in"), hint=_("At its rate under load, with a 95 % band")),
    )
    forecasts = dict(observation.catch_up)
    rows = (
        Row(
            agent.agent.name,
            (
                text_cell(agent.agent.name),
                text_cell(side_text(agent.slow_side)),
                _backlog_cell(agent.in_front),
                text_cell(
                    NO_VALUE if (forecast := forecasts.get(agent.agent.name)) is None else catch_up_text(forecast)
                ),
            ),
        )
        for agent in observation.agents
    )
    return TableContent(columns, tuple(rows))


def _backlog_cell(backlog: StoredBacklog | None) -> Cell:
    """Return a backlog without its unit, which the column has."""
    if backlog is None or not backlog.is_at_least:
        return number_cell(None if backlog is None else backlog.commands)
    return valued_cell(_("at least {count}").format(count=value_text(backlog.commands)), backlog.commands)


def side_text(side: Side) -> str:
    """Return which half of an agent limits it."""
    return {
        Side.READER: _("Reading: its writer waits for its reader"),
        Side.WRITER: _("Writing: its reader waits for its writer"),
        Side.NEITHER: _("Neither reader nor writer is clearly the limit"),
        Side.UNKNOWN: _("Not known: too little history"),
    }[side]


def catch_up_text(forecast: Forecast) -> str:
    """Return how long the backlog would take, with its band."""
    if math.isinf(forecast.hours):
        return _("never: as much arrives as it can deliver")
    high = _("without end") if math.isinf(forecast.high_hours) else duration_text(forecast.high_hours * HOUR_S)
    return _("{mean} ({low} to {high})").format(
        mean=duration_text(forecast.hours * HOUR_S), low=duration_text(forecast.low_hours * HOUR_S), high=high
    )


def waiting_line(observation: ReplicationObservation) -> str:
    """Return the present backlog, or that this login may not know."""
    if observation.sample is None:
        return _("The pending commands could not be read.")
    log = observation.sample.log_pending_transactions
    agents = len(observation.topology.agents_of(AgentKind.DISTRIBUTION))
    stored = [agent.stored for agent in observation.agents if agent.stored is not None]
    if agents and not stored:
        return _(
            "Pending now: {log:,} transactions in the log. The commands in the distribution database could not be "
            "counted."
        ).format(log=log)
    return _("Pending now: {log:,} transactions in the log; in the distribution database {stored}.").format(
        log=log, stored=stored_text(stored, agents)
    )


def finding_lines_of(observation: ReplicationObservation) -> list[str]:
    """Return the rules' findings, the clocks, and the readings that failed."""
    found = finding_lines(observation.findings, observation.unread)
    lines = [*observation.rest, *found, *map(ended, observation.topology.cautions)]
    clocks = ", ".join(f"{server} " + local_number(f"{offset:+.2f} s") for server, offset in observation.clock_offsets)
    if clocks:
        lines += ["", _("Clocks against that of the Distributor: {clocks}.").format(clocks=clocks)]
    return [*lines, *unread_lines(observation.unread)]


def rate_plot(observation: ReplicationObservation) -> PlotSpec | None:
    """Return the mean rate of every agent by hour, None where nothing was delivered."""
    series = _by_hour(observation, lambda hour: hour.commands / observation.looked_at_s(hour))
    return _plot(observation, "observed/rate", _("Delivered each hour"), _("Mean rate (commands/s)"), series)


def latency_plot(observation: ReplicationObservation) -> PlotSpec | None:
    """Return the mean latency of every agent by hour, None where nothing was delivered."""
    series = _by_hour(observation, lambda hour: None if hour.latency_ms is None else hour.latency_ms / 1_000)
    return _plot(observation, "observed/latency", _("Latency each hour"), _("Mean latency (s)"), series)


def _hours(observation: ReplicationObservation) -> list[datetime]:
    return sorted({hour.hour_utc for agent in observation.agents for hour in agent.hours})


def _by_hour(observation: ReplicationObservation, value_of: Callable[[AgentHour], float | None]) -> tuple[Series, ...]:
    place = {hour: float(number) for number, hour in enumerate(_hours(observation))}
    made = []
    for agent in observation.agents:
        points = [(place[hour.hour_utc], value) for hour in agent.hours if (value := value_of(hour)) is not None]
        if points and any(value > 0 for _x, value in points):
            x, y = zip(*points, strict=True)
            made.append(Series(agent.agent.name, Mark.LINE, x, y))
    return tuple(made)


def _plot(
    observation: ReplicationObservation, plot_id: str, title: str, y_label: str, series: Sequence[Series]
) -> PlotSpec | None:
    if not series:
        return None
    hours = _hours(observation)
    step = max(1, len(hours) // 8)
    ticks = tuple((float(n), f"{hour:%H:%M}") for n, hour in enumerate(hours) if n % step == 0)
    said = "; ".join(f"{s.label}: " + local_number(f"{min(s.y):,.3g} – {max(s.y):,.3g}") for s in series)
    return PlotSpec(
        plot_id=plot_id,
        title=title,
        alt=_("{title}, by agent, lowest to highest: {said}.").format(title=title, said=said),
        x_label=_("Hour, by the clock of the Distributor"),
        y_label=y_label,
        series=tuple(series),
        x_ticks=ticks,
    )
