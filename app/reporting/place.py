"""Where a finding holds: the experiment, and in short the conditions it was measured under."""

from collections.abc import Iterable

from app.domain.comparison import Comparison
from app.domain.finding import Finding
from app.domain.measurement import Measurement
from app.domain.plan import Phase
from app.domain.session import SessionRecord
from app.domain.setting import EMPTY_SETTING, Setting, Value
from app.foundation.texts import _
from app.reporting.load_words import load_in_short
from app.reporting.wording import Vocabulary, claim_word, lead_word
from app.reporting.worked_out import worked_out_conditions


class Places:
    """Tells every finding's place from the common conditions of its trials, so that two findings can be told apart."""

    def __init__(self, session: SessionRecord, words: Vocabulary) -> None:
        self._words = words
        self._trials: dict[tuple[str, str], tuple[str, str, Setting]] = {}
        self._loads: dict[str, str] = {}
        for run in session.runs:
            self._loads[run.run_id] = load_in_short(words.load_fields(run.plan.family), run.plan.load)
            for trial in run.trials:
                key = (run.plan.family, trial.trial_id)
                self._trials[key] = (run.run_id, run.target, _conditions(trial.measurements))
        self._own = frozenset(self._trials)
        measured = [m for run in session.runs for trial in run.trials for m in trial.measurements]
        self._worked_out = worked_out_conditions((*measured, *session.imported))
        for m in session.imported:
            self._trials.setdefault((m.family, m.trial_id), ("", "", m.conditions))
        self._has_many_targets = len({run.target for run in session.runs}) > 1

    def conditions(self, finding: Finding) -> Setting:
        """Return the conditions that all trials behind a finding share."""
        return self._shared(finding)[2]

    def text(self, finding: Finding) -> str:
        """Return experiment, load and conditions in short: "E4, backlog of 1,000,000 commands, 512 kbps".

        "" where nothing is known.
        """
        runs, targets, conditions = self._shared(finding)
        parts = [", ".join(runs)] if runs else []
        if self._has_many_targets and targets:
            parts[:1] = [_("{runs} on {targets}").format(runs=parts[0], targets=", ".join(targets))]
        loads = dict.fromkeys(self._loads[run] for run in runs)
        parts += [*(loads if len(loads) == 1 else ()), self._words.link(conditions)]
        told = ", ".join(part for part in parts if part)
        if not runs and not told and not finding.apart and self._is_of_unstated_load(finding):
            return _("{experiment}, under a load that the file does not state").format(
                experiment=self._words.family(finding.family)
            )
        return ", ".join(part for part in (told, *(own for own in finding.apart if own not in told)) if part)

    def is_lead(self, comparison: Comparison) -> bool:
        """Tell whether a comparison comes from exploring trials of this program: it chooses, and claims nothing."""
        if comparison.phase is Phase.CONFIRM:
            return False
        trials = (*comparison.candidate_trials, *comparison.reference_trials)
        return any((comparison.family, trial) in self._own for trial in trials)

    def verdict_text(self, comparison: Comparison) -> str:
        """Return a verdict in words; a lead as a suggestion."""
        return lead_word(comparison.verdict) if self.is_lead(comparison) else claim_word(comparison)

    def is_worked_out(self, comparison: Comparison) -> bool:
        """Tell whether run times behind a comparison were worked out from a part of the inserts."""
        trials = (*comparison.candidate_trials, *comparison.reference_trials)
        return any(
            all(comparison.conditions.get(name) == value for name, value in conditions.items())
            for trial in trials
            for conditions in self._worked_out.get((comparison.family, trial), ())
        )

    def _is_of_unstated_load(self, finding: Finding) -> bool:
        """Tell whether a finding rests on measurements from elsewhere without any condition, swept ones too."""
        known = [self._trials[key] for trial in finding.evidence if (key := (finding.family, trial)) in self._trials]
        return bool(known) and not any(conditions for _run, _target, conditions in known)

    def _shared(self, finding: Finding) -> tuple[list[str], list[str], Setting]:
        trials = [self._trials[key] for t in finding.evidence if (key := (finding.family, t)) in self._trials]
        runs = list(dict.fromkeys(run for run, _target, _conditions in trials if run))
        targets = list(dict.fromkeys(target for _run, target, _conditions in trials if target))
        return runs, targets, _common(conditions for _run, _target, conditions in trials)


def _conditions(measurements: Iterable[Measurement]) -> Setting:
    return next((m.conditions for m in measurements), EMPTY_SETTING)


def _common(several: Iterable[Setting]) -> Setting:
    """Return the conditions that are equal everywhere."""
    shared: dict[str, Value] | None = None
    for conditions in dict.fromkeys(several):
        own = dict(conditions.items())
        shared = own if shared is None else {n: v for n, v in shared.items() if n in own and own[n] == v}
    return Setting.from_mapping(shared or {})
