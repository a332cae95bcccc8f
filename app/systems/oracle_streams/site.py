"""Reading the two databases of an Oracle Streams pipeline before anything is changed."""

from dataclasses import dataclass
from typing import Final

from app.domain.errors import BadInput
from app.domain.family import SiteOf
from app.domain.kept import Kept
from app.domain.session import Environment
from app.domain.system import KeptSettings
from app.domain.target import Target
from app.foundation.texts import _
from app.systems.oracle_streams.offer import streams_port
from app.systems.oracle_streams.own_work import Waiting
from app.systems.oracle_streams.pipeline import StreamsTopology


@dataclass(frozen=True, kw_only=True)
class StreamsSite(SiteOf[StreamsTopology]):
    """The two databases of a Streams pipeline; `parameters` are those of the path under test.

    Attributes:
        waiting: the backlog in front of its apply process, None where it was not read.
    """

    topology: StreamsTopology
    waiting: Waiting | None = None


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
    return site_of(topology)


STREAMS: Final = Kept("streams", StreamsTopology)
kept_streams = STREAMS.of


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


def site_of(found: StreamsTopology) -> StreamsSite:
    """Return the site of a pipeline, with the parameters of all its processes."""
    return StreamsSite(parameters={p.effective.name: p.effective for p in found.parameters}, topology=found)
