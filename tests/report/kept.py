"""What is kept of a system in an environment, read and put in another's place."""

from dataclasses import replace
from typing import Any

from app.domain.session import Environment
from app.foundation.codec import dump_json
from app.systems.availability_groups.groups import GroupTopology
from app.systems.availability_groups.site import kept_groups
from app.systems.oracle_streams.pipeline import StreamsTopology
from app.systems.oracle_streams.site import kept_streams
from app.systems.transactional_replication.site import Replication, kept_replication, kept_texts


def replication_of(environment: Environment) -> Replication:
    """Return what was read of a Distributor."""
    read = kept_replication(environment)
    assert read is not None
    return read


def groups_of(environment: Environment) -> GroupTopology:
    """Return what was read of availability groups."""
    read = kept_groups(environment)
    assert read is not None
    return read


def streams_of(environment: Environment) -> StreamsTopology:
    """Return what was read of a pipeline."""
    read = kept_streams(environment)
    assert read is not None
    return read


def with_replication(environment: Environment, **changes: Any) -> Environment:
    """Return an environment whose `Replication` has these fields changed."""
    return replace(environment, kept=kept_texts(replace(replication_of(environment), **changes)))


def with_groups(environment: Environment, topology: GroupTopology) -> Environment:
    """Return an environment with other groups."""
    return replace(environment, kept=(("groups", dump_json(topology)),))


def with_streams(environment: Environment, topology: StreamsTopology) -> Environment:
    """Return an environment with another pipeline."""
    return replace(environment, kept=(("streams", dump_json(topology)),))
