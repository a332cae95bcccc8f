"""Reading the two databases of an Oracle Streams pipeline before anything is changed."""

from app.domain.errors import BadInput
from app.domain.family import StreamsSite
from app.domain.ports import Target
from app.domain.session import Environment
from app.domain.streams import StreamsTopology
from app.foundation.texts import _


def read_streams_site(target: Target) -> StreamsSite:
    """Read databases, processes, paths and parameters.

    Raises:
        BadInput: there is no path from a capture to an apply process.
        TargetError: it cannot be read.
    """
    topology = target.streams.discover()
    if not topology.paths:
        raise BadInput(
            _("{target} has no Streams path from a capture to an apply process; check both connections").format(
                target=target.key
            )
        )
    return _site(topology)


def streams_environment(target: Target, site: StreamsSite) -> Environment:
    """Return what was read, for the report."""
    return Environment(target=target.key, topology=None, streams=site.topology)


def streams_site_of(environment: Environment) -> StreamsSite | None:
    """Return the site an environment was read from, None where it holds no Streams pipeline."""
    return None if environment.streams is None else _site(environment.streams)


def _site(topology: StreamsTopology) -> StreamsSite:
    return StreamsSite(parameters={p.effective.name: p.effective for p in topology.parameters}, topology=topology)
