"""One guided session as a whole, as the store keeps it and the report shows it."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from app.domain.change import JournalEntry
from app.domain.comparison import Comparison, Forecast
from app.domain.contradiction import Contradiction
from app.domain.decision import Decision
from app.domain.events import RunStatus
from app.domain.finding import Finding, NotEvaluated
from app.domain.happening import Happening
from app.domain.measurement import Measurement, TrialResult, TrialStatus
from app.domain.naming import Sentence, ServerName, Word
from app.domain.own_words import NO_WORDS, OwnWords
from app.domain.plan import Phase, Plan
from app.domain.plot import PlotSpec
from app.domain.setting import Setting
from app.domain.statement import StatementRecord
from app.domain.table import ResultTable

NOISE_FACT: Final = "Run-to-run noise given with the measurements"
"""Name of the environment fact that keeps the noise level given with measurements made elsewhere, as a share."""

BASELINE_FACT: Final = "Baseline given with the measurements"
"""Name of the environment fact that keeps the setting measurements made elsewhere are compared with, as a label."""


def is_lab(target: str) -> bool:
    """Tell whether a target is simulated, in the program or in a process of its own."""
    return target == "lab" or target.startswith(("lab:", "lab@"))


def began_here_utc(target: str, started_utc: datetime, session_utc: datetime) -> datetime:
    """Return when a run began by this computer's clock: a lab's clock is its own, so there when its session began.

    Args:
        started_utc: by the clock of the target. session_utc: when the session began, by this computer's.
    """
    return session_utc if is_lab(target) else started_utc


@dataclass(frozen=True)
class RunRecord:
    """One execution of one plan.

    Attributes:
        run_id: unique in its session, such as `E1`.
        reason: why it ended as it did, one sentence.
        by_hand: its changes are made by the client's DBA.
    """

    run_id: str
    plan: Plan
    target: str
    status: RunStatus
    reason: str
    started_utc: datetime
    finished_utc: datetime | None
    trials: tuple[TrialResult, ...]
    by_hand: bool = False

    def made(self, entry: JournalEntry) -> bool:
        """Tell whether a change of its session was made by it: on its target, while it ran.

        Times of a lab's runs are virtual, those of its changes are not: there it tells of none.
        """
        is_over = self.finished_utc is not None and entry.recorded_utc > self.finished_utc
        return entry.target == self.target and self.started_utc <= entry.recorded_utc and not is_over


@dataclass(frozen=True)
class TrialOverview:
    """One line of the list of trials.

    Attributes:
        run_id: "" where it was made elsewhere, as status is None then, and no time is known.
        measured: values of the measures asked for, in their order, None where a trial has none.
        has_samples: whether its time series are kept.
        happenings: what else ran on the servers meanwhile.
    """

    run_id: str
    trial_id: str
    family: str
    block: int
    phase: Phase
    setting: Setting
    status: TrialStatus | None
    failed_checks: tuple[str, ...]
    measured: tuple[float | None, ...]
    started_utc: datetime | None
    finished_utc: datetime | None
    has_samples: bool
    happenings: tuple[Happening, ...] = ()


@dataclass(frozen=True)
class Environment:
    """Where the measurements hold: read before the first change.

    Attributes:
        target: as given to `--target`; the names in it are found by how addresses are written.
        facts: further readings for the report: name, value, unit.
        kept: what systems read there, (key, JSON text), by key; each system knows its own keys.
        saved_as: the name the target is saved under, "" for none.
    """

    target: Sentence
    facts: tuple[tuple[Word, Sentence, Word], ...] = ()
    kept: tuple[tuple[str, str], ...] = ()
    saved_as: ServerName = ""

    def text_of(self, key: str) -> str:
        """Return the JSON text kept under a key, "" where there is none."""
        return dict(self.kept).get(key, "")


@dataclass(frozen=True)
class Advice:
    """The results of analysis and rules for a session; computed again from the measurements whenever asked.

    Attributes:
        tables: results beyond the comparisons, as the field prints them.
        decisions: what the findings come to, in the order they should be looked at.
        happenings: what else ran on a server, with the trial it ran in, in the order of the trials.
        contradictions: of runs made elsewhere.
        is_windowed: as the session's (`SessionRecord.is_windowed`).
    """

    comparisons: tuple[Comparison, ...]
    forecasts: tuple[Forecast, ...]
    findings: tuple[Finding, ...]
    not_evaluated: tuple[NotEvaluated, ...]
    plots: tuple[PlotSpec, ...]
    warnings: tuple[str, ...] = ()
    tables: tuple[ResultTable, ...] = ()
    decisions: tuple[Decision, ...] = ()
    happenings: tuple[tuple[str, Happening], ...] = ()
    contradictions: tuple[Contradiction, ...] = ()
    is_windowed: bool = False


@dataclass(frozen=True)
class SessionRecord:
    """Everything of one session.

    Attributes:
        client, consultant: names for the report's cover, "" until given.
        environments: one for each target the session ran on.
        imported: measurements made elsewhere, with `imported_from` naming the file.
        own_words: what the consultant writes into its report.
        changes: the undo journal's entries of this session, restored or not.
    """

    session_id: str
    title: str
    client: str
    consultant: str
    created_utc: datetime
    app_version: str
    environments: tuple[Environment, ...]
    runs: tuple[RunRecord, ...]
    imported: tuple[Measurement, ...] = ()
    imported_from: str = ""
    notes: tuple[str, ...] = ()
    statements: tuple[StatementRecord, ...] = ()
    changes: tuple[JournalEntry, ...] = ()
    own_words: OwnWords = NO_WORDS

    @property
    def is_windowed(self) -> bool:
        """Whether all its trials are windows on one backlog."""
        return bool(self.runs) and all(run.plan.design.is_windowed for run in self.runs)

    def runs_behind(self, finding: Finding) -> tuple[RunRecord, ...]:
        """Return the runs whose measurements a finding rests on; all of its family where its evidence names none."""
        own = tuple(run for run in self.runs if run.plan.family == finding.family)
        evidence = set(finding.evidence if own else ())
        return tuple(run for run in own if evidence & {trial.trial_id for trial in run.trials}) or own
