"""Reading the two databases of an Oracle Streams pipeline before anything is changed."""

from dataclasses import dataclass
from functools import lru_cache

from app.domain.errors import BadInput
from app.domain.family import Site
from app.domain.session import Environment
from app.domain.system import KeptSettings
from app.domain.target import Target
from app.foundation.codec import dump_json, load_json
from app.foundation.texts import _
from app.systems.oracle_streams.offer import streams_port
from app.systems.oracle_streams.pipeline import StreamsTopology


@dataclass(frozen=True, kw_only=True)
class StreamsSite(Site):
    """The two databases of a Streams pipeline; `parameters` are those of the path under test."""

    topology: StreamsTopology


def read_streams_site(target: Target) -> StreamsSite:
    """Read databases, processes, paths and parameters.

    Raises:
        BadInput: there is no path from a capture to an apply process.
        TargetError: it cannot be read.
    """
    topology = streams_port(target).discover()
    if not topology.paths:
        raise BadInput(
            _("{target} has no Streams path from a capture to an apply process; check both connections").format(
                target=target.key
            )
        )
    return _site(topology)


def streams_environment(target: Target, site: Site) -> Environment:
    """Return what was read, for the report."""
    if not isinstance(site, StreamsSite):
        raise ValueError(f"Oracle Streams needs a StreamsSite, not {type(site).__name__}")
    return Environment(target.key, kept=(("streams", dump_json(site.topology)),))


def kept_streams(environment: Environment) -> StreamsTopology | None:
    """Return what is kept of a pipeline, None where there is nothing; raises CodecError."""
    text = environment.text_of("streams")
    return _streams(text) if text else None


def kept_settings(environment: Environment) -> KeptSettings:
    """Return the parameters in effect, and the databases with the size of their pools; raises CodecError."""
    read = kept_streams(environment)
    if read is None:
        return KeptSettings()
    value_by_place = {(p.process, p.effective.name): p.effective.value for p in read.parameters}
    others: dict[tuple[str, str], str] = {}
    for database in read.databases:
        others[database.name, _("version")] = database.version
        others[database.name, _("Streams pool (MiB)")] = f"{database.streams_pool_mib:.0f}"
    return KeptSettings(parameters=value_by_place, others=others)


@lru_cache(maxsize=8)
def _streams(text: str) -> StreamsTopology:
    return load_json(StreamsTopology, text)


def streams_site_of(environment: Environment) -> StreamsSite | None:
    """Return the site an environment was read from, None where it holds no Streams pipeline."""
    topology = kept_streams(environment)
    return None if topology is None else _site(topology)


def _site(topology: StreamsTopology) -> StreamsSite:
    return StreamsSite(parameters={p.effective.name: p.effective for p in topology.parameters}, topology=topology)
