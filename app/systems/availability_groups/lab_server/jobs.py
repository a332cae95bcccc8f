"""Jobs of the lab's SQL Server Agents that back up, restore and join: steps one after another on the virtual clock."""

from collections.abc import Callable
from dataclasses import dataclass, field

from app.systems.availability_groups.lab.lab import AvailabilityLab
from app.systems.availability_groups.lab.readings import OperationReading, OperationStatus

StepStart = Callable[[], int]


@dataclass
class LabStep:
    """One step: its name and the operation it starts; `operation_id` once it has begun."""

    name: str
    begin: StepStart
    operation_id: int | None = None
    problem: str = ""


@dataclass
class LabJob:
    """One job at one server."""

    server: str
    name: str
    steps: tuple[LabStep, ...]
    is_running: bool = True
    done: list[LabStep] = field(default_factory=list)


class LabJobs:
    """All jobs; time passes in them together with the simulation."""

    def __init__(self, lab: AvailabilityLab) -> None:
        self._lab = lab
        self._jobs: dict[tuple[str, str], LabJob] = {}

    def find(self, server: str, name: str) -> LabJob | None:
        """Return a job by server and name."""
        return self._jobs.get((server, name))

    def all(self) -> tuple[LabJob, ...]:
        """Return every job there is."""
        return tuple(self._jobs.values())

    def start(self, server: str, name: str, steps: tuple[LabStep, ...]) -> None:
        """Make a job and start its first step."""
        job = LabJob(server, name, steps)
        self._jobs[(server, name)] = job
        self._next(job)

    def remove(self, server: str, name: str) -> None:
        """Stop a job where it runs, and drop it."""
        job = self._jobs.pop((server, name), None)
        if job is None or not job.is_running:
            return
        for step in job.steps:
            if step.operation_id is not None and self._reading(step).status is OperationStatus.RUNNING:
                self._lab.cancel_operation(step.operation_id)

    def advance(self, end_s: float) -> None:
        """Let time pass until the running step of any job ends, or until `end_s`."""
        running = [step for job in self._jobs.values() if job.is_running for step in job.steps if self._runs(step)]
        left_s = end_s - self._lab.now_s
        if running:
            assert running[0].operation_id is not None
            self._lab.run_operation(running[0].operation_id, left_s)
        else:
            self._lab.advance(left_s)
        for job in self._jobs.values():
            self._follow(job)

    def reading(self, step: LabStep) -> OperationReading | None:
        """Return a step's operation as it is now, None where it never began."""
        return None if step.operation_id is None else self._reading(step)

    def _runs(self, step: LabStep) -> bool:
        return step.operation_id is not None and self._reading(step).status is OperationStatus.RUNNING

    def _reading(self, step: LabStep) -> OperationReading:
        assert step.operation_id is not None
        return self._lab.operation(step.operation_id)

    def _follow(self, job: LabJob) -> None:
        if not job.is_running or any(self._runs(step) for step in job.steps):
            return
        last = next((step for step in reversed(job.steps) if step.operation_id is not None or step.problem), None)
        if last is None or last.problem or self._reading(last).status is not OperationStatus.COMPLETED:
            job.is_running = False
            return
        self._next(job)

    def _next(self, job: LabJob) -> None:
        step = next((step for step in job.steps if step.operation_id is None), None)
        if step is None:
            job.is_running = False
            return
        try:
            step.operation_id = step.begin()
        except (ValueError, LookupError) as error:
            step.problem = str(error)
            job.is_running = False
