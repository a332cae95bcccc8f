"""An instance with captured databases, as an experiment knows it before anything is changed."""

from dataclasses import dataclass
from typing import Final

from app.domain.family import Site, SiteOf, site_as
from app.domain.kept import Kept
from app.systems.change_data_capture.readings import CaptureJob, CaptureTopology


@dataclass(frozen=True, kw_only=True)
class CaptureSite(SiteOf[CaptureTopology]):
    """An instance with captured databases.

    Attributes:
        log_used_share: of the log of the database a plan is about, None before a plan is looked at, or not known.
        newest_error: of its log scan, "" for none.
    """

    log_used_share: float | None = None
    newest_error: str = ""


def topology_of(site: Site) -> CaptureTopology:
    """Return the topology that was read; raises ValueError for a site of another system."""
    return site_as(CaptureSite, site).topology


def site_for(topology: CaptureTopology, job: CaptureJob | None, **more: object) -> CaptureSite:
    """Return the site of a topology, with the values in effect of one of its jobs."""
    parameters = {} if job is None else {parameter.name: parameter for parameter in job.parameters}
    return CaptureSite(parameters=parameters, topology=topology, **more)  # type: ignore[arg-type]  # given by name


CAPTURES: Final = Kept("captures", CaptureTopology)
