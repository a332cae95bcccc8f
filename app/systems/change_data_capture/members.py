"""Which captured database a plan is about, and why it cannot run there."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.domain.errors import BadInput
from app.domain.family import Site
from app.domain.plan import Plan
from app.domain.target import Target
from app.foundation.texts import _
from app.systems.change_data_capture.changes import JobPlace
from app.systems.change_data_capture.readings import CaptureJob, CaptureTopology
from app.systems.change_data_capture.server import CaptureServer
from app.systems.change_data_capture.site import topology_of
from app.systems.change_data_capture.subjects import DATABASE, SYSTEM_ID


@dataclass(frozen=True)
class Member:
    """The captured database under test, with its job."""

    database: str
    job: CaptureJob

    @property
    def place(self) -> JobPlace:
        """Where its job is."""
        return JobPlace.of(self.job)


def choose(plan: Plan, site: Site) -> Member:
    """Return who takes part; raises BadInput where the site lacks what a plan needs, with the remedy."""
    topology, name = topology_of(site), plan.load.text(DATABASE.name)
    scanned = [one.name for one in topology.scanned_here()]
    if not name and len(scanned) > 1:
        raise BadInput(
            _("{server} captures several databases; name one as database in [workload]: {names}").format(
                server=topology.connected_to, names=", ".join(scanned)
            )
        )
    name = name or next(iter(scanned), "")
    _check_database(topology, name, scanned)
    job = topology.job_of(name)
    if job is None:
        raise BadInput(
            _(
                "{server} shows no capture job of {database} in msdb: this login may not read it, it must be made with "
                "sys.sp_cdc_add_job, or this is Azure SQL Database, which scans by itself and is not tuned"
            ).format(server=topology.connected_to, database=name)
        )
    return Member(name, job)


def _check_database(topology: CaptureTopology, name: str, scanned: Sequence[str]) -> None:
    """Raise BadInput where a database is none whose capture job can be measured here."""
    database = topology.database(name)
    if database is None or not database.is_captured:
        raise BadInput(
            _("{server} does not capture the changes of {database}; it captures {names}").format(
                server=topology.connected_to, database=name or "?", names=", ".join(scanned) or _("none")
            )
        )
    if not database.is_here:
        raise BadInput(
            _("{database} is captured at its primary replica, {server}; connect to that").format(
                database=name, server=database.primary_server or "?"
            )
        )
    if database.is_published:
        raise BadInput(
            _(
                "{database} is published, so the Log Reader Agent captures its changes and the values of a capture job "
                "do nothing; run the experiment log_reader at its Distributor instead"
            ).format(database=name)
        )


def capture_port(target: Target) -> CaptureServer:
    """Return the ports of a target; raises Unsupported where it offers none."""
    port: CaptureServer = target.ports(SYSTEM_ID)
    return port
