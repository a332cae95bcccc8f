"""Oracle Streams as a picture: the source database, the destination, and each path between them."""

from collections.abc import Mapping, Sequence
from typing import Final

from app.domain.setting import value_text
from app.domain.site_picture import SiteHop, SiteNode, SitePicture, Standing
from app.flows.words import counted
from app.foundation.durations import duration_text
from app.foundation.texts import _
from app.systems.oracle_streams.observed import ObservedPath, StreamsObservation
from app.systems.oracle_streams.pipeline import (
    OracleDatabase,
    StreamsComponent,
    StreamsParameter,
    StreamsPath,
    StreamsTopology,
)
from app.systems.oracle_streams.readings import StreamsSample

StreamsNow = Mapping[StreamsPath, StreamsSample]
"""One reading of every path."""

BEHIND_S: Final = 60.0
"""A source commit that was applied later than this counts as behind, as for every system here."""

_OFF: Final = ("DISABLED", "ABORTED")


def streams_picture(
    topology: StreamsTopology, observation: StreamsObservation | None, readings: Sequence[StreamsNow]
) -> SitePicture:
    """Return the picture of a pipeline; parts not read yet are left out.

    Args:
        readings: oldest first; rates are those between the first and the last.
    """
    source = next((d for d in topology.databases if d.role == "Source"), None)
    destination = next((d for d in topology.databases if d.role == "Destination"), source)
    if source is None or destination is None:
        return SitePicture((), ())
    ends = (_node(topology, source, 0, readings), _node(topology, destination, 1, readings))
    hops = tuple(_hop(topology, path, ends, observation, readings) for path in topology.paths)
    moments = [sample.at for now in readings[-1:] for sample in now.values()]
    as_of = ""
    if moments:
        as_of = _("{time:%H:%M:%S} by the clock of {server}").format(time=max(moments), server=source.name)
    return SitePicture(ends, hops, as_of, _("Behind: from {time} of latency").format(time=duration_text(BEHIND_S)))


def _node(topology: StreamsTopology, database: OracleDatabase, column: int, readings: Sequence[StreamsNow]) -> SiteNode:
    cpus = counted(database.cpu_count, _("1 CPU"), _("{count} CPUs"))
    lines = [f"Oracle {database.version}", cpus]
    samples = tuple(readings[-1].values()) if readings else ()
    if samples:
        used = max(s.destination_pool_share if column else s.source_pool_share for s in samples)
        lines.append(_("Streams pool: {share:.0%} used").format(share=used))
        waiting = sum(s.destination_waiting if column else s.source_waiting for s in samples)
        lines.append(_("Queue: {count:,} messages").format(count=waiting))
    component = StreamsComponent.DESTINATION_DATABASE if column else StreamsComponent.SOURCE_DATABASE
    own = tuple(_set_words(p) for p in topology.parameters if p.component is component and p.set_by_user)
    role = _("Destination") if column else _("Source")
    return SiteNode(f"picture/{column}/{database.name}", column, database.name, role, tuple(lines), differing=own)


def _set_words(parameter: StreamsParameter) -> str:
    effective = parameter.effective
    words = f"{effective.name} {value_text(effective.value)}"
    default = value_text(effective.default)
    return _("{parameter} (default {default})").format(parameter=words, default=default) if default else words


def hop_key(path: StreamsPath) -> str:
    """Return the key of a path's box."""
    return f"process/{StreamsComponent.APPLY}/{path.apply}"


def _hop(
    topology: StreamsTopology,
    path: StreamsPath,
    ends: tuple[SiteNode, SiteNode],
    observation: StreamsObservation | None,
    readings: Sequence[StreamsNow],
) -> SiteHop:
    samples = [now[path] for now in readings if path in now]
    standing, state = _state(samples[-1] if samples else None)
    own = {
        (StreamsComponent.CAPTURE, path.capture),
        (StreamsComponent.PROPAGATION, path.propagation),
        (StreamsComponent.APPLY, path.apply),
    }
    differing = tuple(_set_words(p) for p in topology.parameters if (p.component, p.process) in own and p.set_by_user)
    latency_s = samples[-1].latency_s if samples else None
    return SiteHop(
        key=hop_key(path),
        source=ends[0].key,
        destination=ends[1].key,
        name=" → ".join(name for name in (path.capture, path.propagation, path.apply) if name),
        kind=_("Path"),
        standing=standing,
        state=state,
        lines=(*_rate_lines(samples), *_limit_lines(observed_of(path, observation))),
        differing=differing,
        waits=latency_s or 0.0,
    )


def observed_of(path: StreamsPath, observation: StreamsObservation | None) -> ObservedPath | None:
    """Return the observations of a path, None before there are any."""
    observed = () if observation is None else observation.paths
    return next((one for one in observed if one.path == path), None)


def _state(sample: StreamsSample | None) -> tuple[Standing, str]:
    if sample is None:
        return Standing.UNKNOWN, _("Not read yet")
    for status, name in (
        (sample.apply_status, _("Apply")),
        (sample.capture_status, _("Capture")),
        (sample.propagation_status, _("Propagation")),
    ):
        if status in _OFF:
            words = _("{process} aborted") if status == "ABORTED" else _("{process} disabled")
            return Standing.STOPPED, words.format(process=name)
    if sample.latency_s is not None and sample.latency_s >= BEHIND_S:
        return Standing.BEHIND, _("{time} behind").format(time=duration_text(sample.latency_s))
    return Standing.KEEPS_UP, _("Keeps up")


def _rate_lines(samples: Sequence[StreamsSample]) -> list[str]:
    if not samples:
        return []
    last, lines = samples[-1], []
    since = next((s for s in samples[:-1] if s.apply_started == last.apply_started), None)
    seconds = 0.0 if since is None else (last.at - since.at).total_seconds()
    if since is not None and seconds > 0:
        rate = (last.server_messages - since.server_messages) / seconds * 60.0
        lines.append(_("{rate:,.0f} messages/min").format(rate=max(0.0, rate)))
    if last.latency_s is not None and last.latency_s < BEHIND_S:
        lines.append(_("{seconds:.1f} s from commit to apply").format(seconds=last.latency_s))
    if last.apply_errors:
        lines.append(_("{count:,} transactions in the error queue").format(count=last.apply_errors))
    return lines


def _limit_lines(observed: ObservedPath | None) -> list[str]:
    if observed is None or not observed.bottleneck:
        return []
    return [
        _("{stage} is the limit: the others wait {share:.0%}").format(
            stage=observed.bottleneck, share=observed.bottleneck_share
        )
    ]
