"""The port of Oracle Streams on a target, typed, and who makes the changes."""

from functools import partial
from typing import Any

from app.domain.target import Connection, Offer, Target
from app.drivers.oracle.connection import OracleConnection
from app.foundation.texts import _
from app.runner.by_hand import HandGate
from app.systems.oracle_streams.pipeline import StreamsPath
from app.systems.oracle_streams.server.changes import CHANGE_DETAILS, MARKS, OracleChanges
from app.systems.oracle_streams.server.process_control import ApplyControl
from app.systems.oracle_streams.server.streams import OracleStreamsPort
from app.systems.oracle_streams.subjects import CAPABILITIES, SYSTEM_ID


def streams_port(target: Target) -> OracleStreamsPort:
    """Return the port of a target; raises Unsupported where it offers none."""
    port: OracleStreamsPort = target.ports(SYSTEM_ID)
    return port


def offer_streams(connection: Connection) -> Offer:
    """Return the ports of the two databases of a pipeline."""
    session, clock = connection.session, connection.clock
    control = ApplyControl(session, clock)
    port = OracleStreamsPort(session, clock, control, load_schema(connection))
    changes = OracleChanges(session, clock, control)
    return Offer(frozenset(CAPABILITIES), port, changes, frozenset(CHANGE_DETAILS), MARKS)


def load_schema(connection: Any) -> str:
    """Return the schema a test table is made in, "" for the one the connection works in."""
    return connection.load_schema if isinstance(connection, OracleConnection) else ""


class StreamsByHand(OracleStreamsPort):
    """A Streams pipeline whose apply process somebody else stops and starts."""

    def __init__(self, connection: Connection, control: ApplyControl, gate: HandGate) -> None:
        super().__init__(connection.session, connection.clock, control, load_schema(connection))
        self._gate = gate
        self._changes = OracleChanges(connection.session, connection.clock, control)

    def stop_apply(self, path: StreamsPath) -> None:
        """Have the apply process stopped and wait until it stands."""
        for change in self.plan_restart(path):
            is_there = partial(self._changes.is_applied, change)
            self._gate.switch(_("Stop {name}"), change, change.apply_sql, is_there)

    def start_apply(self, path: StreamsPath) -> None:
        """Have the apply process started and wait until it runs."""
        for change in self.plan_restart(path):
            is_there = partial(self._changes.is_undone, change)
            self._gate.switch(_("Start {name}"), change, change.undo_sql, is_there)


def offer_by_hand(connection: Connection, gate: HandGate) -> Offer:
    """Return the ports of a pipeline where the client's DBA stops and starts the apply, and makes every change."""
    session, clock = connection.session, connection.clock
    control = ApplyControl(session, clock)
    port = StreamsByHand(connection, control, gate)
    changes = gate.changes(OracleChanges(session, clock, control))
    return Offer(frozenset(CAPABILITIES), port, changes, frozenset(CHANGE_DETAILS), MARKS)
