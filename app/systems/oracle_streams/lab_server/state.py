"""The state of the lab's two databases beyond the pipeline itself: schedule, pool setting, test table, traces."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Final

from app.domain.units import convert
from app.drivers.oracle.session import End
from app.systems.oracle_streams.lab.pipeline import Side, StreamsLab
from app.systems.oracle_streams.lab.scenario import DatabaseConstants, StreamsScenario
from app.systems.oracle_streams.server.versions import Release, release_of

# The day the published tests were told of.
EPOCH: Final = datetime(2009, 5, 26, 8, 0, 0, tzinfo=UTC)
MEGABYTE: Final = int(convert(1, "MiB", "bytes"))
GRANULE_BYTES: Final = 4 * MEGABYTE
SCHEMAS: Final = ("SCOTT", "STRMADMIN", "SYS", "SYSTEM")
SCN_AT_START: Final = 1_000_000
_SCN_PER_S: Final = 100
# Session ids of the lab's processes: capture 20, reader 31, coordinator 30, servers from 41.
_FIRST_SERVER_SID: Final = 40
_FIRST_SERIAL: Final = 7

SIDES: Final[Mapping[End, Side]] = {End.SOURCE: "source", End.DESTINATION: "destination"}


@dataclass
class LabTable:
    """The test table at one end."""

    initrans: int
    remark: str
    rows: int = 0


@dataclass
class LabState:
    """Everything the answers come from.

    Attributes:
        pool_settings: STREAMS_POOL_SIZE of each database in bytes.
        retention_days: CHECKPOINT_RETENTION_TIME of the capture.
        tables: the test table by end and schema.
        prepared: schemas whose test table a capture is ready for. instantiated: SCN by schema.
        traced: (sid, serial number) of sessions for which a trace was begun and not ended.
        open_updates: rows updated and not yet committed.
        dbids: of each database. roles: of Data Guard, of each database.
    """

    scenario: StreamsScenario
    lab: StreamsLab
    pool_settings: dict[End, int]
    retention_days: float = 1.0
    tables: dict[tuple[End, str], LabTable] = field(default_factory=dict)
    prepared: set[str] = field(default_factory=set)
    instantiated: dict[str, int] = field(default_factory=dict)
    traced: set[tuple[int, int]] = field(default_factory=set)
    open_updates: int = 0
    dbids: dict[End, int] = field(default_factory=lambda: {End.SOURCE: 1_184_120_412, End.DESTINATION: 3_305_917_228})
    roles: dict[End, str] = field(default_factory=lambda: dict.fromkeys(End, "PRIMARY"))

    def server_sessions(self) -> tuple[tuple[int, int, int, str], ...]:
        """Return server id, sid, serial number and state of each apply server; each start makes sessions anew."""
        apply = self.lab.apply()
        serial = _FIRST_SERIAL + int(apply.startup_s or 0.0)
        return tuple((each.server_id, _FIRST_SERVER_SID + each.server_id, serial, each.state) for each in apply.servers)

    def traced_sessions(self) -> frozenset[tuple[int, int]]:
        """Return (sid, serial number) of the sessions that are traced: a trace ends with its session."""
        return frozenset((sid, serial) for _id, sid, serial, _state in self.server_sessions()) & self.traced

    def moment(self, time_s: float | None) -> datetime | None:
        """Return a moment of the virtual clock as a DATE in UTC: whole seconds."""
        if time_s is None:
            return None
        return EPOCH + timedelta(seconds=int(time_s))

    def now(self) -> datetime:
        """Return the time of day."""
        return EPOCH + timedelta(seconds=int(self.lab.now_s))

    def age_s(self, time_s: float | None) -> float | None:
        """Return how long ago something was, None before it happened."""
        return None if time_s is None else max(0.0, self.lab.now_s - time_s)

    def scn(self) -> int:
        """Return the source's present SCN."""
        return SCN_AT_START + int(self.lab.now_s * _SCN_PER_S)

    def release(self, end: End) -> Release:
        """Return the release of one database."""
        return release_of(self.database(end).version)

    def instance_name(self, end: End) -> str:
        """Return the name of the one instance of a database: its own without the domain."""
        return self.database(end).database_name.partition(".")[0]

    def database(self, end: End) -> DatabaseConstants:
        """Return the constants of one database."""
        return self.scenario.source if end is End.SOURCE else self.scenario.destination


def make_state(scenario: StreamsScenario, seed: int, noise: bool | None) -> LabState:
    """Build a pipeline with the test table of nobody, everything running."""
    lab = StreamsLab(scenario, seed, noise)
    pools = {
        End.SOURCE: int(scenario.source.streams_pool_mb * MEGABYTE),
        End.DESTINATION: int(scenario.destination.streams_pool_mb * MEGABYTE),
    }
    return LabState(scenario, lab, pools)
