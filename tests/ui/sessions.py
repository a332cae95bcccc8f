"""Small sessions on the lab for the tests of the pages that run, explain and hand over."""

from dataclasses import replace
from pathlib import Path

from app.bootstrap import build_program
from app.domain.events import RunEvent, RunStatus, TrialFinished
from app.domain.limits import Limits, usual_limits
from app.domain.load import Load
from app.domain.plan import Design, Factor, Plan
from app.domain.setting import Setting
from app.domain.work_source import SOURCE, WorkSource
from app.flows.run.run_view import run_end
from app.flows.shell.wizard import Choices, keep_run_end
from app.services.run.run_job import JobEnded, JobOrder, RunJob
from app.services.workplace import Workplace
from app.systems.transactional_replication.load import WorkloadSpec
from app.systems.transactional_replication.readings import AGENT_LIMITS


def small_plan(
    commands: int = 3_000, levels: tuple[int, ...] = (1, 8), blocks: int = 2, limits: Limits | None = None
) -> Plan:
    """Return a plan that runs in about a second."""
    return Plan(
        "distribution_agent",
        (Factor("SubscriptionStreams", levels),),
        Setting.from_mapping({"SubscriptionStreams": 1}),
        WorkloadSpec(commands=commands).to_load(),
        Design(blocks=blocks, confirm_blocks=2),
        limits or usual_limits(AGENT_LIMITS),
    )


def windows_plan() -> Plan:
    """Return a plan in windows on a client's backlog, as short as one that claims anything can be."""
    plan = small_plan()
    return replace(plan, load=Load.from_mapping({SOURCE: str(WorkSource.OWN_BACKLOG)}), design=Design(blocks=1))


def ready(folder: Path, plan: Plan | None = None, target: str = "lab") -> Choices:
    """Return the choices of a person who is about to start the run."""
    return Choices(target=target, family="distribution_agent", plan=plan or small_plan(), folder=folder)


def stop_on_lab(folder: Path) -> Path:
    """Run the small plan without a window and cancel it after its first trial; return the session file."""
    stopped = run_on_lab(folder, is_cancelled=True)
    assert stopped.run_end is not None
    assert stopped.run_end.status == RunStatus.CANCELLED
    return Workplace(folder).session_file


def run_on_lab(folder: Path, plan: Plan | None = None, target: str = "lab", *, is_cancelled: bool = False) -> Choices:
    """Run a plan, the small one for None, to its end without a window; return the choices with its end.

    Args:
        is_cancelled: it ends with its first trial.
    """
    folder.mkdir(parents=True, exist_ok=True)
    program = build_program()
    choices = ready(folder, plan, target)
    assert choices.plan is not None
    ended: list[JobEnded] = []
    order = JobOrder(
        target=choices.target,
        plan=choices.plan,
        family=program.families[choices.family],
        place=Workplace(folder),
        journal_path=folder / "undo.journal",
    )

    def watch(event: RunEvent) -> None:
        if is_cancelled and isinstance(event, TrialFinished):
            job.control.cancel()

    job = RunJob(order, program.parts.open_target, watch, ended.append)
    job.start()
    job.join()
    end = run_end(ended[0])
    assert end is not None
    return keep_run_end(choices, end)
