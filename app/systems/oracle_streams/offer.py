"""The port of Oracle Streams on a target, typed, and who makes the changes."""

from dataclasses import replace
from functools import partial
from typing import Any

from app.domain.system import Watched
from app.domain.target import HANDS_ON, Connection, Gate, Offer, Target
from app.drivers.oracle.connection import OracleConnection
from app.systems.oracle_streams.pipeline import StreamsPath, StreamsTopology
from app.systems.oracle_streams.readings import StreamsSample
from app.systems.oracle_streams.server.changes import CHANGE_DETAILS, MARKS, OracleChanges
from app.systems.oracle_streams.server.process_control import ApplyControl
from app.systems.oracle_streams.server.streams import OracleStreamsPort
from app.systems.oracle_streams.subjects import CAPABILITIES, SYSTEM_ID


def streams_port(target: Target) -> OracleStreamsPort:
    """Return the port of a target; raises Unsupported where it offers none."""
    port: OracleStreamsPort = target.ports(SYSTEM_ID)
    return port


def watched(target: Target, topology: StreamsTopology) -> Watched:
    """Return how each path is read, one round trip to each database; offsets count from now."""
    clock, port = target.clock, streams_port(target)
    began_s = clock.monotonic_s()

    def read(path: StreamsPath) -> StreamsSample:
        sample = port.sample(path)
        return replace(sample, offset_s=clock.monotonic_s() - began_s)

    return {path: partial(read, path) for path in topology.paths}


def offer_streams(connection: Connection, gate: Gate = HANDS_ON) -> Offer:
    """Return the ports of the two databases of a pipeline."""
    session, clock = connection.session, connection.clock
    control = ApplyControl(session, clock)
    changes = OracleChanges(session, clock, control)
    port = OracleStreamsPort(session, clock, control, _load_schema(connection), gate, changes)
    return Offer(frozenset(CAPABILITIES), port, gate.changes(changes), frozenset(CHANGE_DETAILS), MARKS)


def _load_schema(connection: Any) -> str:
    """Return the schema a test table is made in, "" for the one the connection works in."""
    return connection.load_schema if isinstance(connection, OracleConnection) else ""
