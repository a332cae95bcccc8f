"""Events of a run, frozen, for the store, the screen and the log."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from app.domain.change import Change
from app.domain.measurement import Sample, TrialResult
from app.domain.plan import Plan, TrialSpec
from app.domain.plot import PlotSpec
from app.foundation.texts import _


class RunStatus(StrEnum):
    """How a run stands; exactly one terminal status follows each start."""

    RUNNING = "running"
    PAUSED = "paused"
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    CANCELLED = "cancelled"
    ABORTED = "aborted"
    INTERRUPTED = "interrupted"

    @property
    def may_go_on(self) -> bool:
        """Whether a run that ended so did not complete, and can be taken up again."""
        return self in (RunStatus.INTERRUPTED, RunStatus.CANCELLED, RunStatus.ABORTED, RunStatus.FAILED)


def status_word(status: RunStatus) -> str:
    """Return how a run stands or ended, in a word or two."""
    return {
        RunStatus.RUNNING: _("running"),
        RunStatus.PAUSED: _("paused"),
        RunStatus.SUCCEEDED: _("succeeded"),
        RunStatus.FAILED: _("failed"),
        RunStatus.CANCELLED: _("cancelled"),
        RunStatus.ABORTED: _("aborted"),
        RunStatus.INTERRUPTED: _("interrupted"),
    }[status]


@dataclass(frozen=True)
class RunStarted:
    """A run began (or goes on: `resumed`); `by_hand`: the client's DBA makes its changes."""

    run_id: str
    plan: Plan
    target: str
    at_utc: datetime
    resumed: bool = False
    by_hand: bool = False


@dataclass(frozen=True)
class TrialStarted:
    """A trial began; `planned_trials` is the number of trials the run expects in all at this moment."""

    run_id: str
    spec: TrialSpec
    planned_trials: int


@dataclass(frozen=True)
class StepStarted:
    """The runner begins the next step; `text` describes it for a person."""

    run_id: str
    text: str


@dataclass(frozen=True)
class StepMoved:
    """The work a step that is not measured has still before it, at one reading; for the screen only.

    Attributes:
        left: how many of `unit` are still to be written or delivered.
    """

    run_id: str
    left: float
    unit: str


@dataclass(frozen=True)
class SamplesTaken:
    """Readings of one tick; `progress` is the share of the trial done, 0–1."""

    run_id: str
    trial_id: str
    samples: tuple[Sample, ...]
    progress: float


@dataclass(frozen=True)
class TrialFinished:
    """A trial ended, used or not."""

    run_id: str
    trial: TrialResult


@dataclass(frozen=True)
class Predicted:
    """The predictions of the model that guides a run, for every setting; none of them is measured.

    Attributes:
        sentence: what it picks, how sure it is, and whether it describes this site.
    """

    run_id: str
    plot: PlotSpec
    sentence: str


@dataclass(frozen=True)
class ChangeApplied:
    """A change to a server was sent and read back."""

    run_id: str
    change: Change


@dataclass(frozen=True)
class ChangeRestored:
    """A change was undone and the original value read back."""

    run_id: str
    change: Change


@dataclass(frozen=True)
class RunPaused:
    """The run waits between two trials, with every change put back."""

    run_id: str


@dataclass(frozen=True)
class RunResumed:
    """A paused run goes on."""

    run_id: str


@dataclass(frozen=True)
class HandRequested:
    """The client's DBA is asked to run a script; the run waits until the server shows it.

    Attributes:
        number: counts the requests of a run, from 1.
        title: what the script does, for a person.
        server: where it is to be run.
        script: stand-alone T-SQL or PL/SQL.
        is_undo: it puts something back.
    """

    run_id: str
    number: int
    title: str
    server: str
    script: str
    is_undo: bool


@dataclass(frozen=True)
class HandConfirmed:
    """The server shows the change that a DBA was asked for; read back, not told."""

    run_id: str
    number: int


@dataclass(frozen=True)
class Note:
    """Something worth telling that is not a result."""

    run_id: str
    text: str


@dataclass(frozen=True)
class RunFinished:
    """The end of a run: status and one sentence why; the server is restored unless `not_restored` is not empty."""

    run_id: str
    status: RunStatus
    reason: str
    at_utc: datetime
    not_restored: tuple[str, ...] = ()


RunEvent = (
    RunStarted
    | TrialStarted
    | StepStarted
    | StepMoved
    | SamplesTaken
    | TrialFinished
    | Predicted
    | ChangeApplied
    | ChangeRestored
    | RunPaused
    | RunResumed
    | HandRequested
    | HandConfirmed
    | Note
    | RunFinished
)
