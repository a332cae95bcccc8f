"""`replitune observe`: what the servers' own history tells, with nothing changed."""

import argparse
import dataclasses
import json
import math
import sys
from datetime import datetime
from enum import Enum

from app.cli.arguments import add_json, whole_number
from app.domain.comparison import Forecast
from app.flows.target.observed_parts import cost_lines, finding_lines, history_text, unread_lines
from app.foundation.texts import _, local_number
from app.services.look.looking import Look, look
from app.services.program import Program
from app.systems.availability_groups.observing import DEFAULT_WATCH_S
from app.systems.availability_groups.views.observed import groups_lines
from app.systems.oracle_streams.views.observed import streams_lines
from app.systems.transactional_replication.observed import ObservedAgent, ReplicationObservation, Side
from app.systems.transactional_replication.observing import DEFAULT_WINDOW_H
from app.systems.transactional_replication.topology import ReplicationSample


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument(
        "--target",
        required=True,
        metavar="NAME",
        help=_("a saved name, lab:SCENARIO, sqlserver://user@host:port or oracle://user@host:port/service"),
    )
    parser.add_argument(
        "--hours",
        type=whole_number(1, 24 * 30),
        default=DEFAULT_WINDOW_H,
        metavar="N",
        help=_("hours of history to look at (default: %(default)s)"),
    )
    parser.add_argument(
        "--watch",
        type=whole_number(1, 3600),
        default=round(DEFAULT_WATCH_S),
        metavar="S",
        help=_("seconds to watch availability groups and Streams, which keep no history (default: %(default)s)"),
    )
    add_json(parser)
    parser.set_defaults(run_command=run)


def run(options: argparse.Namespace, program: Program) -> int:
    """Look, and print what was seen."""
    seen = look(
        options.target,
        program.advisor,
        program.parts.open_target,
        window_h=options.hours,
        watch_s=float(options.watch),
    )
    if options.json:
        json.dump(_document(seen), sys.stdout, ensure_ascii=False, indent=2, default=_plain)
        sys.stdout.write("\n")
    else:
        sys.stdout.write("\n".join(_all_lines(seen)) + "\n")
    return 0


def _document(seen: Look) -> dict[str, object]:
    """What was seen of agents stands at the top, of groups and Streams under keys of their own; null without any."""
    agents = {} if seen.replication is None else dataclasses.asdict(seen.replication)
    groups = None if seen.groups is None else dataclasses.asdict(seen.groups)
    streams = None if seen.streams is None else dataclasses.asdict(seen.streams)
    return {"schema": 1, **agents, "groups": groups, "streams": streams}


def _all_lines(seen: Look) -> list[str]:
    agents = [] if seen.replication is None else _lines(seen.replication)
    groups = [] if seen.groups is None else groups_lines(seen.groups)
    streams = [] if seen.streams is None else streams_lines(seen.streams)
    cost = seen.groups or seen.replication or seen.streams
    assert cost is not None  # a look sees one of them
    sent = _("This look sent {count} statements, all reading; together they took {time:.0f} ms.").format(
        count=cost.statements, time=cost.statement_ms
    )
    return [*agents, *([""] if agents and groups else []), *groups, *streams, sent]


def _plain(value: object) -> str:
    if isinstance(value, datetime):
        return value.isoformat()
    return str(value.value) if isinstance(value, Enum) else str(value)


def _lines(seen: ReplicationObservation) -> list[str]:
    lines = [f"{seen.target}, {history_text(seen)}"]
    for agent in seen.agents:
        lines += ["", agent.agent.name, f"  {_side(agent)}", *_hours(seen, agent)]
    lines += ["", _waiting(seen.sample)] if seen.sample is not None else []
    lines += [_catch_up(name, forecast) for name, forecast in seen.catch_up]
    lines += [*finding_lines(seen.findings), *cost_lines(seen.costs)]
    lines += [
        _("Clock of {server}: {offset:+.2f} s against the Distributor").format(server=server, offset=offset)
        for server, offset in seen.clock_offsets
    ]
    return [*lines, *unread_lines(seen.unread)]


def _waiting(sample: ReplicationSample) -> str:
    return _("Waiting now: {log:,} transactions in the log, {stored:,} commands in the distribution database").format(
        log=sample.log_pending_transactions, stored=sample.distribution_pending_commands
    )


def _side(agent: ObservedAgent) -> str:
    return {
        Side.READER: _("Reading limits it: its writer waits for its reader."),
        Side.WRITER: _("Writing limits it: its reader waits for its writer."),
        Side.NEITHER: _("Neither half clearly waits for the other."),
        Side.UNKNOWN: _("It wrote too little of its statistics to tell which half limits it."),
    }[agent.slow_side]


def _hours(seen: ReplicationObservation, agent: ObservedAgent) -> list[str]:
    head = f"  {_('hour (UTC)'):<18}{_('commands'):>14}{_('per s'):>10}{_('latency ms'):>12}{_('worst ms'):>12}"
    lines = [head] if agent.hours else [_("  no history in these hours")]
    for hour in agent.hours:
        mean = "–" if hour.latency_ms is None else local_number(f"{hour.latency_ms:,.0f}")
        worst = "–" if hour.worst_latency_ms is None else local_number(f"{hour.worst_latency_ms:,.0f}")
        done = local_number(f"{hour.commands:>14,}{hour.commands / seen.looked_at_s(hour):>10,.1f}")
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
