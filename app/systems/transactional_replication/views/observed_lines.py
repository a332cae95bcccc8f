"""What was observed of replication agents, as lines of text."""

import math

from app.domain.comparison import Forecast
from app.flows.target.observed_parts import cost_lines, finding_lines, unread_lines
from app.foundation.texts import _, local_number
from app.systems.transactional_replication.observed import ObservedAgent, ReplicationObservation, Side
from app.systems.transactional_replication.topology import ReplicationSample
from app.systems.transactional_replication.views.observed import history_text


def agent_lines(observation: ReplicationObservation) -> list[str]:
    """Return each agent with its hours, what waits, what the rules say, and what could not be read."""
    lines = [f"{observation.target}, {history_text(observation)}"]
    for agent in observation.agents:
        lines += ["", agent.agent.name, f"  {_side(agent)}", *_hours(observation, agent)]
    lines += ["", _waiting(observation.sample)] if observation.sample is not None else []
    lines += [_catch_up(name, forecast) for name, forecast in observation.catch_up]
    lines += [*finding_lines(observation.findings), *cost_lines(observation.costs)]
    lines += [
        _("Clock of {server}: {offset:+.2f} s against the Distributor").format(server=server, offset=offset)
        for server, offset in observation.clock_offsets
    ]
    return [*lines, *unread_lines(observation.unread)]


def _waiting(sample: ReplicationSample) -> str:
    stored = sample.distribution_pending_commands
    if stored is None:
        return _(
            "Waiting now: {log:,} transactions in the log; commands in the distribution database not counted"
        ).format(log=sample.log_pending_transactions)
    return _("Waiting now: {log:,} transactions in the log, {stored:,} commands in the distribution database").format(
        log=sample.log_pending_transactions, stored=stored
    )


def _side(agent: ObservedAgent) -> str:
    return {
        Side.READER: _("Reading limits it: its writer waits for its reader."),
        Side.WRITER: _("Writing limits it: its reader waits for its writer."),
        Side.NEITHER: _("Neither half clearly waits for the other."),
        Side.UNKNOWN: _("It wrote too little of its statistics to tell which half limits it."),
    }[agent.slow_side]


def _hours(observation: ReplicationObservation, agent: ObservedAgent) -> list[str]:
    head = f"  {_('hour (UTC)'):<18}{_('commands'):>14}{_('per s'):>10}{_('latency ms'):>12}{_('worst ms'):>12}"
    lines = [head] if agent.hours else [_("  no history in these hours")]
    for hour in agent.hours:
        mean = "–" if hour.latency_ms is None else local_number(f"{hour.latency_ms:,.0f}")
        worst = "–" if hour.worst_latency_ms is None else local_number(f"{hour.worst_latency_ms:,.0f}")
        done = local_number(f"{hour.commands:>14,}{hour.commands / observation.looked_at_s(hour):>10,.1f}")
        lines.append(f"  {hour.hour_utc:%Y-%m-%d %H:00}  {done}{mean:>12}{worst:>12}")
    return lines


def _catch_up(name: str, forecast: Forecast) -> str:
    if math.isinf(forecast.hours):
        sentence = _("{agent}: {waiting:,} commands wait, and as many arrive as it can deliver")
    else:
        sentence = _(
            "{agent}: {waiting:,} commands would be delivered in {hours:.1f} h (95 %: {low:.1f} to {high:.1f} h)"
        )
    return sentence.format(
        agent=name,
        waiting=forecast.backlog_commands,
        hours=forecast.hours,
        low=forecast.low_hours,
        high=forecast.high_hours,
    )
