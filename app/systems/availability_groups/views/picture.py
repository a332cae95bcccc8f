"""Availability groups as a picture: the primary replica, the secondaries, and each database on its way to them."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final

from app.domain.server_versions import named_version
from app.domain.site_picture import SiteHop, SiteNode, SitePicture, Standing
from app.flows.words import counted, named_sentence
from app.foundation.durations import duration_text
from app.foundation.texts import _, local_number
from app.model.reading import elapsed_s, grown_by, growth
from app.systems.availability_groups.groups import (
    AvailabilityGroup,
    CommitMode,
    GroupTopology,
    ReplicaDatabase,
    mode_text,
)
from app.systems.availability_groups.readings import GroupSample, ReplicaReading

GroupsNow = Mapping[tuple[str, str], GroupSample]
"""One reading of every database of a group whose primary is here, by group and database."""

BEHIND_S: Final = 60.0
"""A redo queue that would take longer than this counts as behind: a failover would wait as long for it."""


def groups_picture(topology: GroupTopology, readings: Sequence[GroupsNow]) -> SitePicture:
    """Return the picture of one instance; parts not read yet are left out.

    Args:
        readings: oldest first; means are those between the first and the last.
    """
    hops: list[SiteHop] = []
    nodes: dict[str, SiteNode] = {}
    for group in topology.groups:
        primary = group.primary or topology.connected_to
        nodes.setdefault(_key(0, primary), _node(topology, group, primary, 0, readings))
        for replica in group.secondaries():
            nodes.setdefault(_key(1, replica.server), _node(topology, group, replica.server, 1, readings))
        hops += [_hop(group, state, primary, readings) for state in group.databases if state.server != primary]
    if not hops:
        nodes.setdefault(_key(0, topology.connected_to), _alone(topology))
    moments = [sample.at for now in readings[-1:] for sample in now.values()]
    threshold = _("Behind: from {time} of redo").format(time=duration_text(BEHIND_S)) if hops else ""
    return SitePicture(tuple(nodes.values()), tuple(hops), _as_of(moments, topology.connected_to), threshold)


def replica_at(topology: GroupTopology, key: str) -> dict[str, str]:
    """Return a plan's names of the replica a box stands for, {} for another box."""
    for group in topology.groups:
        for state in group.databases:
            if _hop_key(group, state) == key:
                return {"group": group.name, "secondary": state.server}
    return {}


def _hop_key(group: AvailabilityGroup, state: ReplicaDatabase) -> str:
    return f"picture/{group.name}/{state.database}/{state.server}"


def _as_of(moments: Sequence[datetime], server: str) -> str:
    if not moments:
        return ""
    return _("{time:%H:%M:%S} by the clock of {server}").format(time=max(moments), server=server)


def _key(column: int, server: str) -> str:
    return f"picture/{column}/{server}"


def _alone(topology: GroupTopology) -> SiteNode:
    name = topology.connected_to
    return SiteNode(_key(0, name), 0, name, _("Instance"), tuple(_server_lines(topology, name)))


def _node(
    topology: GroupTopology, group: AvailabilityGroup, server: str, column: int, readings: Sequence[GroupsNow]
) -> SiteNode:
    silent = any(name == server for name, _why in topology.unreachable)
    replica = group.replica_at(server)
    lines = _server_lines(topology, server)
    if silent:
        lines.append(_("No answer"))
    if replica is not None and not replica.is_connected and column:
        lines.append(_("Not connected to the primary"))
    if not column:
        lines += _primary_lines(readings)
    flags = tuple(_("trace flag {flag}").format(flag=flag) for name, flag in topology.trace_flags if name == server)
    role = _("Secondary") if column else _("Primary")
    standing = Standing.SILENT if silent else Standing.KEEPS_UP
    why = next((why for name, why in topology.unreachable if name == server), "")
    trouble = named_sentence(server, why) if why else ""
    return SiteNode(_key(column, server), column, server, role, tuple(lines), standing, flags, trouble)


def _server_lines(topology: GroupTopology, name: str) -> list[str]:
    server = topology.server_named(name)
    if server is None:
        return []
    return [named_version(server.version), counted(server.cpu_count, _("1 CPU"), _("{count} CPUs"))]


def _primary_lines(readings: Sequence[GroupsNow]) -> list[str]:
    """Return the newest reading of the fullest log and the disk."""
    if not readings:
        return []
    samples = tuple(readings[-1].values())
    logs = [sample.log_used_share for sample in samples if sample.log_used_share is not None]
    lines = [_("Fullest log: {share:.0%}").format(share=max(logs))] if logs else []
    free_gb = [sample.free_disk_gb for sample in samples if sample.free_disk_gb is not None]
    return [*lines, _("Disk: {free:,.0f} GB free").format(free=min(free_gb))] if free_gb else lines


def _hop(group: AvailabilityGroup, state: ReplicaDatabase, primary: str, readings: Sequence[GroupsNow]) -> SiteHop:
    replica = group.replica_at(state.server)
    mode = CommitMode.ASYNCHRONOUS if replica is None else replica.mode
    pair = [now[key] for now in readings if (key := (group.name, state.database)) in now]
    reading = next((r for r in pair[-1].readings if r.server == state.server), None) if pair else None
    waits_s = None if reading is None else reading.recovery_s
    is_connected = replica is None or replica.is_connected
    standing, word = _state(state, reading, waits_s, is_connected=is_connected)
    lines = [mode_text(mode), *([] if reading is None else _queue_lines(reading))]
    if mode is CommitMode.SYNCHRONOUS:
        lines += _commit_lines(pair)
    return SiteHop(
        key=_hop_key(group, state),
        source=_key(0, primary),
        destination=_key(1, state.server),
        name=state.database,
        kind=_("Database"),
        standing=standing,
        state=word,
        lines=(*lines, *_limit_lines(pair, reading)),
        waits=waits_s or 0.0,
        trouble=_trouble(state, standing, word),
    )


def _state(
    state: ReplicaDatabase, reading: ReplicaReading | None, waits_s: float | None, *, is_connected: bool
) -> tuple[Standing, str]:
    if state.is_suspended:
        return Standing.STOPPED, _("Suspended")
    if not is_connected:
        return Standing.FAILING, _("Not connected")
    if reading is None:
        return Standing.UNKNOWN, state.synchronization_state.capitalize() or _("Not read yet")
    if reading.synchronization_state == "NOT SYNCHRONIZING":
        return Standing.FAILING, _("Not synchronizing")
    if waits_s is not None and waits_s >= BEHIND_S:
        return Standing.BEHIND, _("{time} to redo").format(time=duration_text(waits_s))
    return Standing.KEEPS_UP, _("Keeps up")


def _trouble(state: ReplicaDatabase, standing: Standing, word: str) -> str:
    """Return in one sentence the trouble of a database on its way to a secondary, "" where it has none."""
    if standing in (Standing.KEEPS_UP, Standing.UNKNOWN):
        return ""
    return f"{state.server}, {state.database}: {word[:1].lower()}{word[1:]}"


def _queue_lines(reading: ReplicaReading) -> list[str]:
    return [
        _("to send {queue} KiB · {rate} KiB/s").format(
            queue=_number(reading.send_queue_kb), rate=_number(reading.send_rate_kb_per_s)
        ),
        _("to redo {queue} KiB · {rate} KiB/s").format(
            queue=_number(reading.redo_queue_kb), rate=_number(reading.redo_rate_kb_per_s)
        ),
    ]


def _number(value: float | None) -> str:
    return "?" if value is None else local_number(f"{value:,.0f}")


def _commit_lines(samples: Sequence[GroupSample]) -> list[str]:
    """Return the mean wait of a commit over the readings, or since the instance started where there was none."""
    if not samples:
        return []
    last, grown = samples[-1], growth(samples[0], samples[-1])
    if grown.mirrored_transactions and grown.commit_delay_ms is not None:
        waited_ms = grown.commit_delay_ms / grown.mirrored_transactions
        return [_("commits wait {ms:.2f} ms").format(ms=waited_ms)]
    if not last.mirrored_transactions or last.commit_delay_ms is None:
        return []
    since_ms = last.commit_delay_ms / last.mirrored_transactions
    return [_("commits waited {ms:.2f} ms since the start").format(ms=since_ms)]


def _limit_lines(samples: Sequence[GroupSample], reading: ReplicaReading | None) -> list[str]:
    """Return where log waits: at the primary's flow control, for the line, or for redo."""
    if reading is None or not samples:
        return []
    seconds = elapsed_s(samples[0], samples[-1])
    held_ms = grown_by(samples[0], samples[-1], "flow_control_ms") or 0.0
    held = held_ms / 1000.0 / seconds if seconds > 0 else 0.0
    if held >= 0.05:
        return [_("Limit: flow control, {share:.0%} of the time").format(share=held)]
    if reading.send_queue_kb is None or reading.redo_queue_kb is None:
        return []
    if max(reading.send_queue_kb, reading.redo_queue_kb) <= 0:
        return []
    return [_("Limit: sending") if reading.send_queue_kb > reading.redo_queue_kb else _("Limit: redo")]
