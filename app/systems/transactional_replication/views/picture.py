"""Replication as a picture: Publishers, the Distributor and Subscribers, and the agents between them."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Final

from app.domain.server import ServerInfo, differs
from app.domain.server_versions import named_version
from app.domain.setting import value_text
from app.domain.site_picture import SiteHop, SiteNode, SitePicture, Standing
from app.flows.words import counted, named_sentence
from app.foundation.durations import duration_text
from app.foundation.texts import _
from app.systems.transactional_replication.agent_kind import AgentKind
from app.systems.transactional_replication.analysis.history import SATURATED_LATENCY_MS, wait_shares_of
from app.systems.transactional_replication.enumerations import RUNSTATUS
from app.systems.transactional_replication.observed import ObservedAgent, ReplicationObservation, Side
from app.systems.transactional_replication.own_work import USUAL_RATE_PER_S, WORTH_S
from app.systems.transactional_replication.polling import ReplicationNow
from app.systems.transactional_replication.readings import AgentReading, ReplicationSample
from app.systems.transactional_replication.site import Replication
from app.systems.transactional_replication.stored_backlog import StoredBacklog, stored_text, waits_text
from app.systems.transactional_replication.tables import agent_kind_title
from app.systems.transactional_replication.topology import Agent, UnreachedServer
from app.systems.transactional_replication.views.parameters import parameters_of

# MSlogreader_history.runstatus and MSdistribution_history.runstatus (Microsoft Learn).
_IDLE, _FAIL = 4, 6

_COLUMN_OF: Final = {"Publisher": 0, "Distributor": 1, "Subscriber": 2}


def replication_picture(
    replication: Replication, observation: ReplicationObservation | None, readings: Sequence[ReplicationNow]
) -> SitePicture:
    """Return the picture of one Distributor; parts not read yet, or not to be read, are left out.

    Args:
        readings: oldest first; rates are those between the first and the last.
    """
    topology = replication.topology
    distributor = next((s.name for s in topology.servers if s.role == "Distributor"), topology.distribution_db)
    hops = tuple(_hop(agent, distributor, replication, observation, readings) for agent in topology.agents)
    names = {
        "Publisher": dict.fromkeys(a.publisher_at for a in topology.agents),
        "Distributor": {distributor: None},
        "Subscriber": dict.fromkeys(a.subscriber for a in topology.agents if a.subscriber),
    }
    nodes = tuple(_node(role, name, replication, observation, readings) for role in names for name in names[role])
    if not readings:
        return SitePicture(nodes, hops)
    threshold = _("Behind: from {time} of latency, or a backlog of {backlog}").format(
        time=duration_text(SATURATED_LATENCY_MS / 1000.0),
        backlog=_("{count:,} commands").format(count=round(WORTH_S * USUAL_RATE_PER_S)),
    )
    as_of = _("{time:%H:%M:%S} by the clock of {server}").format(time=readings[-1].sample.at, server=distributor)
    return SitePicture(nodes, hops, as_of, threshold)


def hop_key(agent: Agent) -> str:
    """Return the key of an agent's box."""
    return f"agent/{agent.kind}/{agent.name}"


def _key(role: str, name: str) -> str:
    return f"server/{role}/{name}"


def _node(
    role: str,
    name: str,
    replication: Replication,
    observation: ReplicationObservation | None,
    readings: Sequence[ReplicationNow],
) -> SiteNode:
    topology = replication.topology
    server = next((s for s in topology.servers if (s.role, s.name) == (role, name)), None)
    unreached = next((s for s in topology.unreached if s.name == name), None)
    title = {"Publisher": _("Publisher"), "Distributor": _("Distributor"), "Subscriber": _("Subscriber")}[role]
    lines = [] if server is None else _version(server)
    if unreached is not None:
        lines.append(_unread_word(unreached))
    if role == "Distributor" and readings:
        agents = len(topology.agents_of(AgentKind.DISTRIBUTION))
        lines += _distributor_lines(readings[-1].sample, _newest_count(observation, readings), agents)
    return SiteNode(
        _key(role, name),
        _COLUMN_OF[role],
        name,
        title,
        tuple(lines),
        _standing_of(unreached),
        trouble="" if unreached is None else named_sentence(name, unreached.reason),
    )


def _unread_word(unreached: UnreachedServer) -> str:
    if unreached.refused:
        return _("Login refused")
    return _("Login may see little here") if unreached.lacks_rights else _("No answer")


def _standing_of(unreached: UnreachedServer | None) -> Standing:
    """Return how a server stands: one that refused a login answered, and how it is is not known."""
    if unreached is None:
        return Standing.KEEPS_UP
    return Standing.UNKNOWN if unreached.lacks_rights or unreached.refused else Standing.SILENT


def _version(server: ServerInfo) -> list[str]:
    return [named_version(server.version), counted(server.cpu_count, _("1 CPU"), _("{count} CPUs"))]


def _newest_count(
    observation: ReplicationObservation | None, readings: Sequence[ReplicationNow]
) -> Mapping[int, StoredBacklog]:
    """Return the backlogs by agent id as they were counted last, by a reading or by a look."""
    if not readings:
        return {}
    now = readings[-1]
    counted_at = now.sample.at - timedelta(seconds=now.counted_s_ago)
    looked = {} if observation is None else {a.agent.agent_id: a.stored for a in observation.agents if a.stored}
    return looked if looked and observation is not None and observation.taken > counted_at else now.waiting


def _distributor_lines(sample: ReplicationSample, counted: Mapping[int, StoredBacklog], agents: int) -> list[str]:
    lines = [_("In the logs: {count:,} transactions").format(count=sample.log_pending_transactions)]
    if counted:
        stored = stored_text(tuple(counted.values()), agents).replace("\u00a0", " ")  # a box is narrow
        lines.append(_("Stored: {backlog}").format(backlog=stored))
    if sample.log_used_share:
        lines.append(_("Fullest log: {share:.0%}").format(share=sample.log_used_share))
    if sample.free_disk_gb:
        lines.append(_("Disk: {free:,.0f} GB free").format(free=sample.free_disk_gb))
    return lines


def _hop(
    agent: Agent,
    distributor: str,
    replication: Replication,
    observation: ReplicationObservation | None,
    readings: Sequence[ReplicationNow],
) -> SiteHop:
    reads = agent.kind is AgentKind.LOG_READER
    now = readings[-1] if readings else None
    reading = None if now is None else now.sample.of(agent)
    waiting = None if reads else _newest_count(observation, readings).get(agent.agent_id)
    standing, state = _state(reading, observed_of(agent, observation), is_read=now is not None)
    takes_s = 0.0 if waiting is None else waiting.commands / USUAL_RATE_PER_S
    if standing is Standing.KEEPS_UP and takes_s >= WORTH_S:  # its newest batch may be young all the same
        standing, state = Standing.BEHIND, _("Catches up")
    lines = [*_rate_lines(agent, readings), *_waiting_lines(waiting), *_limit_lines(agent, observation)]
    return SiteHop(
        key=hop_key(agent),
        source=_key("Publisher", agent.publisher_at) if reads else _key("Distributor", distributor),
        destination=_key("Distributor", distributor) if reads else _key("Subscriber", agent.subscriber),
        name=agent.publisher_db if reads else agent.subscriber_db or agent.name,
        kind=agent_kind_title(agent.kind),
        standing=standing,
        state=state,
        lines=tuple(lines),
        differing=_differing(replication, agent),
        waits=max(_behind_ms(reading), takes_s * 1000.0),
        trouble=_trouble(agent, standing, state, _waiting_lines(waiting, is_zero_told=False), reading),
    )


def _trouble(agent: Agent, standing: Standing, state: str, waiting: Sequence[str], reading: AgentReading | None) -> str:
    """Return in one sentence the trouble of an agent, "" where it has none: where, the backlog, and how it stands."""
    if standing in (Standing.KEEPS_UP, Standing.UNKNOWN):
        return ""
    at = agent.subscriber
    if agent.kind is AgentKind.LOG_READER:
        at = _("Log Reader Agent of {database}").format(database=agent.publisher_db)
    if standing is Standing.STOPPED:
        return f"{at}: {'; '.join([*waiting, _('its agent is stopped')])}"
    if standing is Standing.FAILING:
        again = reading is not None and reading.tries_again
        stands = _("its agent fails again and again") if again else _("its agent failed")
        return f"{at}: {'; '.join([*waiting, stands])}"
    return f"{at}: {'; '.join([state[:1].lower() + state[1:], *waiting])}"


def _behind_ms(reading: AgentReading | None) -> float:
    """Return the age of its deliveries, 0 where it has none to make: its latency is that of its last batch."""
    return 0.0 if reading is None or reading.runstatus == _IDLE else _latency_ms(reading)


def _latency_ms(reading: AgentReading) -> float:
    """Return the performance counter's present latency, else the newest row of the history's."""
    return reading.latency_ms if reading.counter_latency_ms is None else reading.counter_latency_ms


def _state(reading: AgentReading | None, observed: ObservedAgent | None, *, is_read: bool) -> tuple[Standing, str]:
    """Return how an agent stands; one that has stood for longer than its history is kept has no reading any more.

    Args:
        is_read: agents were read; one whose Subscriber is to run it, and is off, is not among them.
    """
    if reading is None and observed is not None and observed.is_running is False:
        return Standing.STOPPED, _("Stopped")
    if reading is None:
        return Standing.UNKNOWN, _("No history") if is_read else _("Not read yet")
    if reading.runstatus == _FAIL:
        return Standing.FAILING, _("Failed")
    if reading.is_running is False:
        return Standing.STOPPED, _("Stopped")
    if reading.tries_again:
        return Standing.FAILING, _("Tries again")
    state = RUNSTATUS.word(reading.runstatus)
    if not RUNSTATUS.knows(state):
        return Standing.UNKNOWN, _("State: {state}").format(state=state)
    if reading.runstatus == _IDLE:
        return Standing.KEEPS_UP, _("Nothing to do")
    latency_ms = _behind_ms(reading)
    if latency_ms >= SATURATED_LATENCY_MS:
        return Standing.BEHIND, _("{time} behind").format(time=duration_text(latency_ms / 1000.0))
    return Standing.KEEPS_UP, _("Keeps up")


def _rate_lines(agent: Agent, readings: Sequence[ReplicationNow]) -> list[str]:
    """Return the rate over the readings, and the latency."""
    reading = readings[-1].sample.of(agent) if readings else None
    if reading is None:
        return []
    is_told = reading.runstatus != _IDLE and _latency_ms(reading) < SATURATED_LATENCY_MS
    told = [_latency_text(_latency_ms(reading))] if is_told else []
    rate = _rate_per_s(agent, readings)
    if rate is not None:
        told.insert(0, _("{rate:,.0f} commands/s").format(rate=rate))
    return [" · ".join(told)] if told else []


def _latency_text(latency_ms: float) -> str:
    """Return a latency in the unit a person would say."""
    if latency_ms < 1000.0:
        return _("{ms:,.0f} ms latency").format(ms=latency_ms)
    return _("{time} latency").format(time=duration_text(latency_ms / 1000.0))


def _rate_per_s(agent: Agent, readings: Sequence[ReplicationNow]) -> float | None:
    """Return commands per second between the readings of one session of the agent, None where there is only one."""
    last = readings[-1].sample.of(agent)
    for first in readings[:-1]:
        before = first.sample.of(agent)
        seconds = (readings[-1].sample.at - first.sample.at).total_seconds()
        if last is None or before is None or seconds <= 0 or before.session_start != last.session_start:
            continue
        return max(0, last.delivered_commands - before.delivered_commands) / seconds
    return None


def _waiting_lines(waiting: StoredBacklog | None, *, is_zero_told: bool = True) -> list[str]:
    if waiting is None or not (waiting.commands or is_zero_told):
        return []
    return [waits_text(waiting)]


def _limit_lines(agent: Agent, observation: ReplicationObservation | None) -> list[str]:
    """Return on which server the agent's limit lies, with how long its other half waited for that."""
    observed = observed_of(agent, observation)
    shares = None if observed is None else wait_shares_of(observed.statistics)
    if observed is None or shares is None:
        return []
    reader_wait, writer_wait = shares
    reads_log = agent.kind is AgentKind.LOG_READER
    read, written = (_("Publisher"), _("Distributor")) if reads_log else (_("Distributor"), _("Subscriber"))
    reading = _("{server} is the limit: the writer waits {share:.0%}").format(server=read, share=writer_wait)
    writing = _("{server} is the limit: the reader waits {share:.0%}").format(server=written, share=reader_wait)
    return [{Side.READER: reading, Side.WRITER: writing}.get(observed.slow_side, _("No clear limit"))]


def observed_of(agent: Agent, observation: ReplicationObservation | None) -> ObservedAgent | None:
    """Return the observations of an agent, None before there are any."""
    observed = () if observation is None else observation.agents
    return next((one for one in observed if (one.agent.kind, one.agent.agent_id) == (agent.kind, agent.agent_id)), None)


def _differing(replication: Replication, agent: Agent) -> tuple[str, ...]:
    return tuple(
        _("{name} {value} {unit} (default {default})")
        .format(name=p.name, value=value_text(p.value), unit=p.unit, default=value_text(p.default))
        .replace("  ", " ")
        for p in parameters_of(replication, agent.name)
        if differs(p) and not p.name.startswith("-")
    )
