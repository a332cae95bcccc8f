"""Change Data Capture as the rest of the program knows it: the System port."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, Final

from app.domain.errors import PermissionDenied
from app.domain.fact_kind import flag, number, text
from app.domain.family import Site
from app.domain.naming import DeclaredTexts
from app.domain.preflight import AskedUnseen
from app.domain.rig import RigKind
from app.domain.rights import LoginRights, Mode
from app.domain.server import EffectiveParameter
from app.domain.system import System, Unread, Watched
from app.domain.target import Connection, Offer, Target
from app.drivers.sqlserver.catalogue import ANY_SERVER
from app.drivers.sqlserver.rights import RightsReader, needed, uses_of
from app.drivers.sqlserver.session import Place
from app.foundation.texts import _
from app.systems.change_data_capture.changes import CHANGE_DETAILS, MARKS
from app.systems.change_data_capture.readings import CaptureTopology
from app.systems.change_data_capture.scans import Limit
from app.systems.change_data_capture.server import CaptureServer
from app.systems.change_data_capture.site import CAPTURES, CaptureSite, site_for
from app.systems.change_data_capture.subjects import (
    CAPABILITIES,
    CAPTURE,
    CAPTURED,
    STATEMENT_PLACES,
    SYSTEM_ID,
)

OBSERVED_FACTS: Final = (
    text("observed_capture", _("the captured database that was observed")),
    text("observed_capture_state", _("whether its capture job runs"), words=("running", "stopped", "missing")),
    text("observed_capture_limit", _("which of the job's values holds it up"), words=tuple(map(str, Limit))),
    number("observed_capture_latency_s", "s", _("the mean time from a commit until it is captured")),
    number(
        "observed_capture_bound_per_s",
        "transactions/s",
        _("the transactions a second that the job's values let through"),
    ),
    number("observed_capture_rate_per_s", "transactions/s", _("the transactions captured each second")),
    number("observed_full_scans_percent", "%", _("the share of scans cut short by maxtrans")),
    number("observed_replicas_differing", "count", _("the replicas whose capture job has other values, or none")),
    text("observed_log_wait", _("what the log waits for"), words=("replication", "other")),
    flag("observed_with_adr", _("whether accelerated database recovery is on")),
)
OWN_FACTS: Final = (
    number("best_bound_per_s", "transactions/s", _("the transactions a second that the best values let through")),
    number(
        "baseline_bound_per_s", "transactions/s", _("the transactions a second that the baseline's values let through")
    ),
    text("work_source", _("where the work of the trials came from"), words=("own_backlog", "held", "own_traffic")),
)
_READ: Final = ("capture_sample", "capture_sessions")
_CHANGED: Final = (
    "set_capture_mark",
    "scan_log_once",
    "set_capture_job",
    "stop_capture_job",
    "start_capture_job",
)
_OF_MSDB: Final = ("capture_jobs", "capture_job_step", "capture_job_activity")


class ChangeDataCaptureSystem(System):
    """Change Data Capture of the databases of one instance."""

    system_id = SYSTEM_ID
    engine = "sqlserver"
    position = 4
    statement_places = STATEMENT_PLACES
    capabilities = CAPABILITIES
    load_statements = frozenset({"scan_log_once"})
    facts = (*OBSERVED_FACTS, *OWN_FACTS)
    texts = DeclaredTexts(details=CHANGE_DETAILS)
    keeps = CAPTURES
    site_type = CaptureSite
    nothing_here = _("{target} captures the changes of no database; connect to an instance that does")
    asked_unseen = AskedUnseen(
        (
            "captured_databases",
            "capture_replicas",
            "capture_jobs",
            "capture_marks",
            "capture_job_rights",
            "capture_rights",
        ),
        {"captured": ("captured_databases", "database_name")},
        of_each={"capture_job_step": ("capture_jobs", "job_id")},
    )

    def offer(self, connection: Connection) -> Offer:
        """Return the ports of an instance that may capture changes."""
        port = CaptureServer(connection.session, connection.clock)
        return Offer(frozenset(CAPABILITIES), port, port.changes, frozenset(CHANGE_DETAILS), MARKS)

    def discover(self, target: Target, unread: Unread) -> CaptureTopology | None:
        """Read captured databases and their jobs at every replica, None where there are none."""
        port: CaptureServer = target.ports(self.system_id)
        return port.discover(unread)

    def in_effect(self, found: CaptureTopology) -> Mapping[str, Sequence[EffectiveParameter]]:
        """Return the values of each job, at every replica."""
        return {
            _("Capture job of {database} at {server}").format(database=job.database, server=job.server): job.parameters
            for job in found.jobs
        }

    def site_of(self, found: CaptureTopology) -> Site:
        """Return the site, with the values of the first job that scans here."""
        jobs = (found.job_of(database.name) for database in found.scanned_here())
        return site_for(found, next((job for job in jobs if job is not None), None))

    def read_rights(self, target: Target, discovered: CaptureTopology | None) -> LoginRights:
        """Read the rights of this login at the instance, in each captured database, and in msdb of each replica."""
        reader = RightsReader(target.open_connection.session)
        if discovered is None:
            return reader.found
        reading, changing = ([Mode.OBSERVE], [Mode.HANDS_ON])
        server = discovered.connected_to
        here = reader.ask_server(server)
        because = _("the log scan is read, and what else runs at the instance")
        reader.add(server, "", "VIEW SERVER STATE", here, because, uses_of([CAPTURE], [*reading, *changing]))
        because = _("without it neither the free space of the volumes nor other replicas are seen")
        optional = uses_of([CAPTURE], [*reading, *changing])
        reader.add(server, "", "VIEW ANY DEFINITION", here, because, frozenset(), optional)
        for replica in dict.fromkeys((server, *(job.server for job in discovered.jobs))):
            of_jobs = reader.ask("capture_job_rights", Place(replica, "msdb"))
            for need in needed(_OF_MSDB, (ANY_SERVER, "msdb")):
                because = _("capture jobs, their values, and whether they run stand there")
                uses = uses_of([CAPTURE], [*reading, *changing])
                reader.add(replica, "msdb", need.right, of_jobs, because, uses)
        for database in discovered.scanned_here():
            answer = reader.ask("capture_rights", Place(server, database.name))
            for statements, words, modes in (
                (_READ, _("sessions and errors of the log scan are read"), [*reading, *changing]),
                (_CHANGED, _("scans are made, and the job is changed, stopped and started"), changing),
            ):
                for need in needed(statements, (ANY_SERVER, CAPTURED)):
                    if need.right in ("db_owner", "VIEW DATABASE STATE"):
                        reader.add(server, database.name, need.right, answer, words, uses_of([CAPTURE], modes))
        return reader.found

    def read_leftovers(self, target: Target, site: Site | None = None) -> tuple[str, ...]:
        """Return the marks a lost session left in captured databases; one that may not be read was never set."""
        port: CaptureServer = target.ports(self.system_id)
        found = site.topology if isinstance(site, CaptureSite) else port.discover(lambda _error: None)
        words, left = _("{mark} in database {database}: values or state of its capture job may be those of a run"), []
        for database in () if found is None else found.scanned_here():
            with suppress(PermissionDenied):
                left += [words.format(mark=mark, database=database.name) for mark in port.marks(database.name)]
        return tuple(left)

    def rig_kind(self, subject: str) -> RigKind:
        """Return the kind of rig for a capture job."""
        rig: RigKind = self.part("kind", "RIG")  # loads analysis
        return rig

    def no_history(self, _subject: str) -> str:
        """Return why a server tells nothing of a capture job: it keeps its newest scans, and no hours.

        Source: sys.dm_cdc_log_scan_sessions, "up to 32 scan sessions", emptied with each start of the server.
        """
        return _("the server keeps the newest scans of a capture job, and no history from before a change")

    def observe(self, target: Target, looking: Any) -> Any | None:
        """Watch the log scan of every captured database whose log is scanned here."""
        from app.systems.change_data_capture.observing import observe_captures  # loads rules

        return observe_captures(target, looking)

    def watched(self, target: Target, discovered: CaptureTopology, /) -> Watched:
        """Return how the log scan of each captured database is read."""
        port: CaptureServer = target.ports(self.system_id)
        return {one.name: partial(port.sample, one.name) for one in discovered.scanned_here()}


SYSTEM: Final = ChangeDataCaptureSystem()
