"""Further confirming blocks of a run that is complete: the looks its interval has paid for and that were not taken."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from app.analysis.comparing.evidence import compared
from app.analysis.comparing.experiment import Declared, MeasuredRun, experiment_of
from app.analysis.comparing.open_blocks import MOST_BLOCKS, open_blocks
from app.domain.errors import BadInput
from app.domain.events import RunStatus
from app.domain.family import ExperimentFamily
from app.domain.measurement import TrialResult, TrialStatus
from app.domain.plan import Phase, Plan
from app.domain.session import RunRecord
from app.foundation.texts import _
from app.runner.schedule import schedule_of
from app.services.run.continued_run import ContinuedRun
from app.services.workplace import Workplace
from app.store import open_for_reading


def find_to_extend(
    place: Workplace, families: dict[str, ExperimentFamily], session_id: str | None = None
) -> ContinuedRun:
    """Return the last run of a session with its plan extended; for None, of the newest session.

    Raises:
        StoreError: the session file cannot be used, or holds no such session.
        BadInput: there is no session file, or its last run cannot be extended; the sentence says why.
    """
    if not place.session_file.is_file():
        raise BadInput(
            _("{folder} holds no {file}; give the folder of the run with --out").format(
                folder=place.folder, file=place.session_file.name
            )
        )
    with open_for_reading(place.session_file) as reader:
        session = reader.read_session(session_id, with_samples=False)
    if not session.runs:
        raise BadInput(_("{file} holds no run that could be extended").format(file=place.session_file))
    run = session.runs[-1]
    extension = extension_of(run, families.get(run.plan.family))
    if not extension.blocks_left:
        raise BadInput(
            _("run {run} of {file} is not extended: {reason}").format(
                run=run.run_id, file=place.session_file, reason=extension.reason
            )
        )
    return ContinuedRun(
        session.session_id, replace(run, plan=extension.plan), extension.least_blocks, extension.blocks_left
    )


@dataclass(frozen=True)
class Extension:
    """The further blocks a run may confirm with.

    Attributes:
        plan: as it was, with the further blocks it may have.
        least_blocks: confirming blocks there are at least when it is extended.
        blocks_left: how many may be added, 0 for none.
        reason: why none may be, "" where some may.
    """

    plan: Plan
    least_blocks: int = 0
    blocks_left: int = 0
    reason: str = ""


def extension_of(run: RunRecord, family: ExperimentFamily | None) -> Extension:
    """Return the further blocks of a run: at least one, then as the plan's own rule says."""
    plan = replace(run.plan, design=run.plan.design.extended())
    kept = tuple(trial for trial in run.trials if trial.status is not TrialStatus.ABORTED)
    if run.status is not RunStatus.SUCCEEDED:
        return Extension(plan, reason=_("it is not complete; resume it with --resume"))
    if family is None:
        return Extension(plan, reason=_("this installation does not know its experiment"))
    return _blocks(run.plan, family, kept) if family.compares_all else _looks(plan, family, run.run_id, kept)


def _blocks(plan: Plan, family: ExperimentFamily, kept: tuple[TrialResult, ...]) -> Extension:
    """Return the blocks of all settings that about half of the comparisons left open take: one more look, the last."""
    experiment = experiment_of(MeasuredRun(Declared.by(family), family.main_metric(plan), plan, kept, None))
    told = None if experiment is None else open_blocks(compared(experiment).evidence.comparisons)
    if told is None or not told.are_open:
        return Extension(plan, reason=_("its comparisons are settled"))
    if plan.design.is_extended:
        return Extension(plan, reason=_("its intervals allow no further look; start a new run with more blocks"))
    if told.blocks is None or told.blocks <= plan.design.blocks:
        return Extension(
            plan, reason=_("the noise is too large for {most} blocks to settle it").format(most=MOST_BLOCKS)
        )
    design = plan.design.extended_to(told.blocks)
    return Extension(replace(plan, design=design), told.blocks, told.blocks - plan.design.blocks)


def _looks(plan: Plan, family: ExperimentFamily, run_id: str, kept: Sequence[TrialResult]) -> Extension:
    if plan.design.noise_cv is not None:
        return Extension(plan, reason=_("its noise was stated, so its interval allows only one look"))
    schedule = schedule_of(plan, run_id, family, kept=kept)
    blocks = schedule.confirmed_blocks(kept)
    left = plan.design.most_confirm_blocks - blocks
    if not blocks and any(trial.phase is Phase.CONFIRM for trial in kept):
        return Extension(plan, reason=_("it went on exploring after its confirmation; start a new run"))
    if not blocks:
        return Extension(plan, reason=_("nothing was confirmed in it"))
    if schedule.is_settled(kept):
        return Extension(plan, reason=_("its confirmation is settled"))
    if left <= 0:
        return Extension(plan, reason=_("its interval allows no further look; start a new run"))
    return Extension(plan, blocks + 1, left)
