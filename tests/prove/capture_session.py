"""Labs with Change Data Capture on which something goes wrong, and sessions on each kind of the client's own work."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from app.domain.work_source import WorkSource
from app.lab.scenario_file import shipped_scenarios
from app.systems.change_data_capture.lab_server import LAB, PRIMARY, LabCaptureServer
from app.systems.change_data_capture.subjects import SYSTEM_ID
from tests.e2e.posed_lab import Pose
from tests.prove.group_session import DisturbedServers, ServersBench

_PLAN: Final = """
family = "cdc_capture"
[factors]
maxtrans = [500, 2000]
[workload]
source = "{source}"
window_s = 10
[design]
stop = "blocks"
blocks = 1
confirm_blocks = {confirm_blocks}
settling_trials = 0
{limits}
"""
SOURCES: Final = (WorkSource.OWN_BACKLOG, WorkSource.HELD, WorkSource.OWN_TRAFFIC)
PLANS: Final = {
    str(source): _PLAN.format(
        source=source,
        # of a backlog, only confirming trials set the job's values
        confirm_blocks=int(source is WorkSource.OWN_BACKLOG),
        limits="[limits]\ndata_age_s = 20" if source is WorkSource.HELD else "",
    )
    for source in SOURCES
}
_LABS: Final = {source: "capture-traffic" if source is WorkSource.OWN_TRAFFIC else "capture" for source in SOURCES}


@dataclass(frozen=True)
class CaptureTruth:
    """Everything a session could leave changed.

    Attributes:
        jobs: server, values and whether the Agent may start it.
        works_with: what the job that runs was started with, None where it stands.
        marks: of runs, in the database.
    """

    jobs: tuple[tuple[str, str, bool], ...]
    works_with: tuple[int, int, int] | None
    marks: tuple[str, ...]


class PosedCapture(DisturbedServers, LabCaptureServer):
    """A lab with Change Data Capture on which something goes wrong."""

    def __init__(self, scenario: Path, seed: int = 1, noise: bool | None = False) -> None:
        self.calls, self.mishap = [], None
        super().__init__(LAB.load(scenario)[0], seed, noise)

    def truth(self) -> CaptureTruth:
        """Return what stands where, as the simulation itself has it."""
        state = self.state
        return CaptureTruth(
            jobs=tuple((server, job.text, job.values.is_enabled) for server, job in sorted(state.jobs.items())),
            works_with=state.capture.in_effect,
            marks=tuple(sorted(state.marks)),
        )


def pose_capture(scenario: Path | None, seed: int, noise: bool | None) -> PosedCapture:
    """Build a lab with Change Data Capture, for a process of its own."""
    assert scenario is not None
    return PosedCapture(scenario, seed, noise)


def _bench(scenario: Path) -> ServersBench:
    return ServersBench(PosedCapture(scenario), SYSTEM_ID)


BENCHES: Final = {source: partial(_bench, shipped_scenarios()[name]) for source, name in _LABS.items()}
"""The same function for a source each time: what a session on it sends is kept by it."""
POSES: Final[Mapping[WorkSource, Pose]] = {
    source: Pose(shipped_scenarios()[name], build=pose_capture, home=PRIMARY, noise=False)
    for source, name in _LABS.items()
}
