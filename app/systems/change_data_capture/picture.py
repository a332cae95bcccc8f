"""Change Data Capture as a picture: the server whose log is read, its replicas, and each captured database."""

from collections.abc import Mapping, Sequence
from typing import Final

from app.domain.server import differs
from app.domain.server_versions import named_version
from app.domain.setting import value_text
from app.domain.site_picture import SiteHop, SiteNode, SitePicture, Standing
from app.flows.words import counted, named_sentence
from app.foundation.durations import duration, duration_text
from app.foundation.texts import _
from app.model.reading import elapsed_s, grown_by
from app.systems.change_data_capture.observing import REPLICATION, CaptureObservation, ObservedCapture
from app.systems.change_data_capture.readings import CapturedDatabase, CaptureJob, CaptureSample, CaptureTopology

CapturesNow = Mapping[str, CaptureSample]
"""One reading of every captured database whose log is scanned here, by name."""

_BEHIND_S: Final = 60.0
"""A change that is captured later than this counts as behind."""


def captures_picture(
    topology: CaptureTopology, observation: CaptureObservation | None, readings: Sequence[CapturesNow]
) -> SitePicture:
    """Return the picture of one instance; parts not read yet are left out.

    Args:
        readings: oldest first; rates are those between the first and the last.
    """
    own = topology.connected_to
    here = topology.scanned_here()
    others = dict.fromkeys([*(job.server for job in topology.jobs), *(name for name, _why in topology.unreachable)])
    nodes = [_instance(topology, readings)]
    nodes += [_replica(topology, server) for server in others if server != own]
    nodes += [_captured(database, readings) for database in here]
    hops = tuple(_hop(topology, database, observation, readings) for database in here)
    moments = [sample.at for now in readings[-1:] for sample in now.values()]
    as_of = _("{time:%H:%M:%S} by the clock of {server}").format(time=max(moments), server=own) if moments else ""
    threshold = _("Behind: from {time} until a change is captured").format(time=duration_text(_BEHIND_S))
    return SitePicture(tuple(nodes), hops, as_of, threshold if hops else "")


def database_at(topology: CaptureTopology, key: str) -> str:
    """Return the captured database a box stands for, "" for another box."""
    return next((one.name for one in topology.scanned_here() if key in (_hop_key(one), _database_key(one))), "")


def _server_key(server: str) -> str:
    return f"capture/server/{server}"


def _database_key(database: CapturedDatabase) -> str:
    return f"capture/database/{database.name}"


def _hop_key(database: CapturedDatabase) -> str:
    return f"capture/job/{database.name}"


def _instance(topology: CaptureTopology, readings: Sequence[CapturesNow]) -> SiteNode:
    server = topology.servers[0]
    lines = [named_version(server.version), counted(server.cpu_count, _("1 CPU"), _("{count} CPUs"))]
    free_gb = [one.free_disk_gb for now in readings[-1:] for one in now.values() if one.free_disk_gb is not None]
    lines += [_("Disk: {free:,.0f} GB free").format(free=min(free_gb))] if free_gb else []
    is_primary = any(one.is_primary for one in topology.databases)
    return SiteNode(
        _server_key(server.name), 0, server.name, _("Primary") if is_primary else _("Instance"), tuple(lines)
    )


def _replica(topology: CaptureTopology, server: str) -> SiteNode:
    why = next((why for name, why in topology.unreachable if name == server), "")
    other = [one.name for one in topology.databases if any(j.server == server for j in topology.differing(one.name))]
    lines = [_("No answer")] if why else [_("Its capture job waits for a failover")]
    lines += [_("Other values for {database}").format(database=name) for name in other]
    trouble = named_sentence(server, why) if why else ""
    standing = Standing.SILENT if why else Standing.KEEPS_UP
    return SiteNode(_server_key(server), 0, server, _("Replica"), tuple(lines), standing, trouble=trouble)


def _captured(database: CapturedDatabase, readings: Sequence[CapturesNow]) -> SiteNode:
    sample = _newest(database, readings)
    lines: list[str] = []
    if sample is not None and sample.log_used_share is not None:
        lines.append(_("Log: {share:.0%} used").format(share=sample.log_used_share))
    if wait := _log_wait(database, readings):
        lines.append(_("Log reuse waits for {what}").format(what=wait))
    return SiteNode(_database_key(database), 1, database.name, _("Captured database"), tuple(lines))


def _newest(database: CapturedDatabase, readings: Sequence[CapturesNow]) -> CaptureSample | None:
    return readings[-1].get(database.name) if readings else None


def _log_wait(database: CapturedDatabase, readings: Sequence[CapturesNow]) -> str:
    sample = _newest(database, readings)
    return database.log_reuse_wait if sample is None else sample.log_reuse_wait


def _hop(
    topology: CaptureTopology,
    database: CapturedDatabase,
    observation: CaptureObservation | None,
    readings: Sequence[CapturesNow],
) -> SiteHop:
    job = topology.job_of(database.name)
    looked = () if observation is None else observation.databases
    seen = next((one for one in looked if one.database == database.name), None)
    sample = _newest(database, readings)
    newest_s = None if sample is None else sample.newest_latency_s
    mean_s = newest_s if seen is None else seen.latency_s  # a mean tells more than the newest scan's whole seconds
    aged_s = mean_s if newest_s is None else newest_s
    waits = _waits(database, seen, readings)
    late_s = aged_s if waits and aged_s is not None else 0.0
    standing, state = _not_scanning(database, job, seen) or _state(aged_s, waits)
    is_troubled = standing not in (Standing.KEEPS_UP, Standing.UNKNOWN)
    return SiteHop(
        key=_hop_key(database),
        source=_server_key(topology.connected_to),
        destination=_database_key(database),
        name=database.name,
        kind=_("Capture job"),
        standing=standing,
        state=state,
        lines=(*_rate_lines(database, mean_s, readings), *_value_lines(job, seen)),
        differing=_differing(job),
        waits=late_s,
        trouble=f"{database.name}: {state[:1].lower()}{state[1:]}" if is_troubled else "",
    )


def _waits(database: CapturedDatabase, seen: ObservedCapture | None, readings: Sequence[CapturesNow]) -> bool | None:
    """Return whether the log holds changes that are not captured yet, None before a reading."""
    if seen is None and _newest(database, readings) is None:
        return None
    return _log_wait(database, readings) == REPLICATION


def _not_scanning(
    database: CapturedDatabase, job: CaptureJob | None, seen: ObservedCapture | None
) -> tuple[Standing, str] | None:
    """Return how the capture of a database stands that no running job does, None where one does."""
    if job is None:
        published = _("Read by the Log Reader Agent")
        return Standing.UNKNOWN, published if database.is_published else _("No capture job")
    is_running = job.is_running if seen is None else seen.state == "running"
    return None if is_running else (Standing.STOPPED, _("Stopped"))


def _state(aged_s: float | None, waits: bool | None) -> tuple[Standing, str]:
    """Return how a running job stands.

    Args:
        aged_s: age of a change when it is captured, None before a scan told it.
        waits: the log holds changes not captured yet, else a high age is that of the past; None before a reading.
    """
    if waits is None:
        return Standing.UNKNOWN, _("Not read yet")
    if aged_s is None and waits:
        return Standing.UNKNOWN, _("No scan told its latency yet")
    if aged_s is not None and aged_s < _BEHIND_S:
        return Standing.KEEPS_UP, _("Keeps up")
    if aged_s is not None and waits:
        return Standing.BEHIND, _("{time} behind").format(time=duration_text(aged_s))
    return Standing.KEEPS_UP, _("Nothing to do")


def _rate_lines(database: CapturedDatabase, latency_s: float | None, readings: Sequence[CapturesNow]) -> list[str]:
    told: list[str] = []
    own = [now[database.name] for now in readings if database.name in now]
    if len(own) > 1 and (seconds := elapsed_s(own[0], own[-1])) > 0:
        grown = grown_by(own[0], own[-1], "transactions")
        told += [] if grown is None else [_("{rate:,.0f} transactions/s").format(rate=grown / seconds)]
    if latency_s and latency_s < _BEHIND_S:
        told.append(_("{time} latency").format(time=duration(latency_s)))
    return [" · ".join(told)] if told else []


def _value_lines(job: CaptureJob | None, seen: ObservedCapture | None) -> list[str]:
    """Return the values of a job, and which of them is its limit."""
    if job is None:
        return []
    known = [(p.name, p.value, p.unit if p.unit == "s" else "") for p in job.parameters if p.value]
    values = " · ".join(" ".join(filter(None, (name, value_text(int(value)), unit))) for name, value, unit in known)
    lines = [values] if values else []
    if seen is not None and seen.limit in {p.name for p in job.parameters}:
        lines.append(_("Limit: {parameter}").format(parameter=str(seen.limit)))
    return lines


def _differing(job: CaptureJob | None) -> tuple[str, ...]:
    parameters = () if job is None else job.parameters
    return tuple(
        _("{name} {value} (default {default})").format(name=p.name, value=p.value, default=p.default)
        for p in parameters
        if p.value and differs(p)
    )
