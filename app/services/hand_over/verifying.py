"""Whether a session's promises were kept, days later: from the history that the servers keep anyway; reads only."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from app.analysis.forecast import CaughtUp
from app.analysis.kept_promise import (
    Came,
    CameBetween,
    Outcome,
    Promised,
    Span,
    came,
    came_between,
    hours_before,
    hours_since,
    is_other_load,
    outcome_of,
    promised_of,
    span_of,
    with_kept,
)
from app.analysis.own_backlog import catching_up, stretches_of
from app.domain.change import Keep
from app.domain.decision import Decision, DecisionKind
from app.domain.errors import BadInput, Unsupported
from app.domain.family import ExperimentFamily
from app.domain.past import Past, PastHour
from app.domain.session import RunRecord, SessionRecord
from app.domain.setting import typed_text
from app.domain.system import system_of
from app.domain.target import Target
from app.domain.work_source import work_source_of
from app.foundation.clock import Clock
from app.foundation.texts import _
from app.reporting.numbers import moment, number
from app.services.explain.advising import Advisor
from app.services.explain.explaining import ExplainedSession, explain_session
from app.services.look.look_cost import LookCost
from app.services.ports import TargetOpener

_BEFORE_H: Final = 48
"""Hours of history asked for before a run: some servers keep so many unless they are told otherwise."""

_MOST_H: Final = 24 * 60

_OWN_CLOCK: Final = timedelta(days=1)
"""A server whose time of day is farther off has a clock of its own, as a lab has: this computer's times do not hold."""


@dataclass(frozen=True)
class ValueNow:
    """A parameter that was to be changed, and its value in effect, "" where that is not known."""

    parameter: str
    wanted: str
    now: str

    @property
    def is_in_effect(self) -> bool:
        """Whether the value is the one recommended."""
        return self.wanted.casefold() == self.now.casefold()


@dataclass(frozen=True)
class ForecastHeld:
    """The forecast of a backlog under a kept setting, and when it was caught up.

    Attributes:
        came: None where the history no longer reaches back to the forecast.
    """

    since: datetime
    ends: CaughtUp
    came: CameBetween | None


@dataclass(frozen=True)
class FromFile:
    """Hours before a change that the session's file keeps, and the servers no longer.

    Attributes:
        read_utc: when the run that read them began.
    """

    hours: int
    read_utc: datetime


@dataclass(frozen=True)
class Verified:
    """One decision at one place, as its history tells of it.

    Attributes:
        since: from when on the value counts, None where that is not known. since_from: how that is known, a sentence.
        promised: in terms of the history, None where that tells nothing of the decision's measure.
        before, after: hours of the history. trials: windows of the experiment with the setting before, where these
            stand in for hours before. None where there is nothing to compare.
        from_file: those of `before` that servers no longer keep.
        came: None where it cannot be told.
        reasons: why not more is claimed, one sentence each.
        changed: parameters that have another value than when the session began, and that it did not recommend.
    """

    decision: Decision
    subject: str
    values: tuple[ValueNow, ...]
    since: datetime | None
    since_from: str
    outcome: Outcome
    promised: Promised | None = None
    before: Span | None = None
    from_file: FromFile | None = None
    trials: Span | None = None
    after: Span | None = None
    came: Came | None = None
    reasons: tuple[str, ...] = ()
    changed: tuple[ValueNow, ...] = ()
    forecast: ForecastHeld | None = None


@dataclass(frozen=True)
class Verification:
    """The outcome of each of a session's changes.

    Attributes:
        taken_utc: now, by the servers' clock.
        reaches_back_utc: the oldest hour of history, None where there is none.
        statements, statement_ms: the cost of reading it.
    """

    session_id: str
    title: str
    target: str
    taken_utc: datetime
    reaches_back_utc: datetime | None
    verified: tuple[Verified, ...]
    statements: int
    statement_ms: float


@dataclass(frozen=True)
class Verifying:
    """How sessions are held against servers.

    Attributes:
        clock: of this computer.
    """

    advisor: Advisor
    open_target: TargetOpener
    clock: Clock

    def verify(
        self, session_file: Path, target: str, session_id: str | None = None, since: datetime | None = None
    ) -> Verification:
        """Read the outcome of the changes that a session recommends, the newest for None; changes nothing.

        Args:
            since: when the values were set, None where the session or the servers know it.

        Raises:
            StoreError: the file cannot be read, or holds no such session.
            BadInput: the session recommends no change, was measured elsewhere, or `since` cannot be.
            TargetError: the servers cannot be read.
        """
        explained = explain_session(session_file, session_id, self.advisor)
        session, decisions = explained.session, _promises(explained, session_file)
        cost = LookCost()
        opened = self.open_target(target, 1, cost.add)
        try:
            pasts = self._read(opened, session, decisions)
        finally:
            opened.close()
        read = [past for several in pasts.values() for past in several]
        if not read:
            family = self._family(_run_of(session, decisions[0]))
            raise BadInput(
                _("{target} tells nothing of {what}: {why}; run the same plan again and compare the two runs").format(
                    target=target, what=decisions[0].parameter, why=system_of(family).no_history(family.subject)
                )
            )
        taken_utc = max(past.taken_utc for past in read)
        _check_times(session, since, taken_utc, target)
        return Verification(
            session_id=session.session_id,
            title=session.title,
            target=target,
            taken_utc=taken_utc,
            reaches_back_utc=min((hour.hour_utc for past in read for hour in past.hours), default=None),
            verified=tuple(self._judged(session, decisions, pasts, since)),
            statements=cost.statements,
            statement_ms=cost.statement_ms,
        )

    def _judged(
        self,
        session: SessionRecord,
        decisions: Sequence[Decision],
        pasts: Mapping[str, Sequence[Past]],
        since: datetime | None,
    ) -> Iterator[Verified]:
        for one in decisions:
            run = _run_of(session, one)
            judge = _Judge(session, run, self._family(run), self.clock, since)
            yield from (judge.of(one, past) for past in pasts[run.run_id])

    def _read(
        self, target: Target, session: SessionRecord, decisions: Sequence[Decision]
    ) -> dict[str, tuple[Past, ...]]:
        """Read the histories that decisions are about, by the id of their run."""
        pasts: dict[str, tuple[Past, ...]] = {}
        for run in {run.run_id: run for run in (_run_of(session, one) for one in decisions)}.values():
            family = self._family(run)
            system = system_of(family)
            if system.system_id not in target.offers:
                raise Unsupported(_("{target} has nothing of {family}").format(target=target.key, family=family.title))
            window_h = _window_h(run, target.clock.now_utc())
            pasts[run.run_id] = system.read_past(target, run.plan, family.subject, window_h)
            met = {owner for one in session.environments for owner, _name in system.kept_settings(one).parameters}
            for past in pasts[run.run_id]:
                if met and past.subject not in met:
                    raise BadInput(
                        _("{target}: the session did not meet {subject}; name the target it was measured on").format(
                            target=target.key, subject=past.subject
                        )
                    )
        return pasts

    def _family(self, run: RunRecord) -> ExperimentFamily:
        family = self.advisor.families.get(run.plan.family)
        if family is None:
            raise BadInput(_("this installation does not know {family}").format(family=run.plan.family))
        return family


def _promises(explained: ExplainedSession, session_file: Path) -> list[Decision]:
    """Return the changes that a session recommends; raises BadInput for none."""
    session = explained.session
    if not session.runs:
        raise BadInput(
            _("{file}: its measurements were made elsewhere, so no server is known to ask").format(file=session_file)
        )
    decisions = [one for one in explained.advice.decisions if one.kind is DecisionKind.CHANGE and one.parameters]
    if not decisions:
        raise BadInput(
            _("{file}: session {session} recommends no change, so there is nothing to verify").format(
                file=session_file, session=session.session_id
            )
        )
    return decisions


def _run_of(session: SessionRecord, decision: Decision) -> RunRecord:
    return session.runs_behind(decision.finding)[-1]


def _window_h(run: RunRecord, now: datetime) -> int:
    hours = (now - run.started_utc).total_seconds() / 3600 + _BEFORE_H
    return min(_MOST_H, max(_BEFORE_H, math.ceil(hours)))


def _check_times(session: SessionRecord, since: datetime | None, taken_utc: datetime, target: str) -> None:
    """Raise BadInput where servers that tell this time were not yet, or not any more, those of the session."""
    began = min(run.started_utc for run in session.runs)
    if taken_utc < began:
        raise BadInput(
            _(
                "{target}: its clock shows {now}, before the session began ({began}), as a lab's does that was "
                "begun anew; name the target it was measured on"
            ).format(target=target, now=moment(taken_utc), began=moment(began))
        )
    if since is not None and not began <= since <= taken_utc:
        raise BadInput(
            _(
                "--since {since} lies outside the time from {began}, when the session began, to now, {now} by the "
                "servers' clock"
            ).format(since=moment(since), began=moment(began), now=moment(taken_utc))
        )


class _Judge:
    """Holds the decisions of one run against histories."""

    def __init__(
        self, session: SessionRecord, run: RunRecord, family: ExperimentFamily, clock: Clock, since: datetime | None
    ) -> None:
        self._session, self._run, self._family = session, run, family
        self._clock, self._given = clock, since
        self._ended = run.finished_utc or run.started_utc

    def of(self, decision: Decision, past: Past) -> Verified:
        """Return one decision as one history tells of it."""
        values = _values_now(decision, past)
        if not all(value.is_in_effect for value in values):
            return Verified(decision, past.subject, values, None, "", Outcome.NOT_IN_EFFECT)
        since, since_from = self._since(past)
        whole = Verified(decision, past.subject, values, since, since_from, Outcome.OPEN)
        promised = None if decision.gain is None else promised_of(decision.gain.comparison)
        if promised is None or not past.hours:
            return replace(whole, reasons=self._untold(past), changed=self._changed(decision, past))
        return replace(
            self._compared(whole, past, promised),
            promised=promised,
            changed=self._changed(decision, past),
            forecast=self._forecast(decision, past),
        )

    def _untold(self, past: Past) -> tuple[str, ...]:
        """Return why the history cannot be asked, and the way to learn of the change all the same."""
        why = _("The servers keep no history of what the experiment compared; only the values are told.")
        if not past.hours:
            words = _("Only the values are told: {why}.")
            why = words.format(why=system_of(self._family).no_history(self._family.subject))
        return why, _("To see what the change brings now, run the same plan again and compare the two runs.")

    def _compared(self, whole: Verified, past: Past, promised: Promised) -> Verified:
        """Return a decision whose value is in effect with its outcome."""
        until = past.taken_utc if whole.since is None else whole.since
        since = [] if whole.since is None else hours_since(past.hours, whole.since, past.taken_utc)
        earlier = hours_before(self._hours(past), self._run.started_utc, self._ended, until)
        before = span_of(earlier, promised.measure)
        after = span_of(since, promised.measure)
        trials = None if before.tells else self._trials(whole.decision, promised)
        held = before if trials is None else trials
        found = came(held.values, after.values)
        outcome = Outcome.OPEN if found is None else outcome_of(promised, found)
        reasons = _too_little(held, after, whole.since)
        loads = before if before.commands_per_transaction else held
        if is_other_load(loads, after):
            outcome = Outcome.OPEN
            reasons.append(_other_load(loads, after))
        return replace(
            whole,
            before=before,
            from_file=self._from_file(earlier, past),
            trials=trials,
            after=after,
            came=found,
            outcome=outcome,
            reasons=tuple(reasons),
        )

    def _hours(self, past: Past) -> tuple[PastHour, ...]:
        """Return a history with the hours that the session's file alone still keeps."""
        subject, system = self._family.subject, system_of(self._family)
        kept = (h for one in self._session.environments for h in system.kept_hours(one, subject, past.subject))
        return with_kept(past.hours, tuple(kept))

    def _from_file(self, earlier: Sequence[PastHour], past: Past) -> FromFile | None:
        """Return how much of the hours before the change servers no longer keep, None where they keep it all."""
        hours = len({hour.hour_utc for hour in earlier} - {hour.hour_utc for hour in past.hours})
        return FromFile(hours, max(run.started_utc for run in self._session.runs)) if hours else None

    def _since(self, past: Past) -> tuple[datetime | None, str]:
        """Return from when on the values count, and how that is known."""
        if self._given is not None:
            return self._given, _("as --since says")
        kept = [entry.recorded_utc for entry in self._session.changes if entry.is_kept]
        if kept:
            is_its_clock = abs(past.taken_utc - self._clock.now_utc()) < _OWN_CLOCK
            return (max(kept) if is_its_clock else self._ended), _("when this program set it, to be kept")
        if past.started_utc is not None and past.started_utc >= self._ended:
            return past.started_utc, _(
                "its last start after the run: if the value was set at another time, say --since"
            )
        return None, _("not known: it was not started since the run; if the value counts all the same, say --since")

    def _trials(self, decision: Decision, promised: Promised) -> Span | None:
        """Return the windows of the setting before, where these were measured on the client's own work."""
        gain = decision.gain
        if gain is None or not work_source_of(self._run.plan.load).is_own_work:
            return None
        ids = set(gain.comparison.reference_trials)
        measured = [m for trial in self._run.trials if trial.trial_id in ids for m in trial.measurements]
        values = tuple(m.value for m in measured if m.metric == promised.measure and m.value > 0)
        sizes = self._run.plan.load.get("commands_per_transaction")
        size = sum(sizes) / len(sizes) if isinstance(sizes, tuple) and sizes else None
        return Span(0, values, size, None)

    def _changed(self, decision: Decision, past: Past) -> tuple[ValueNow, ...]:
        """Return the parameters of a subject that have another value than the session found, without the decision's."""
        system = system_of(self._family)
        found = [system.kept_settings(environment).parameters for environment in self._session.environments]
        before = {name: value for one in found for (owner, name), value in one.items() if owner == past.subject}
        return tuple(
            ValueNow(parameter.name, before[parameter.name], parameter.value)
            for parameter in past.in_effect
            if parameter.name not in decision.parameters
            and parameter.name in before
            and before[parameter.name].casefold() != parameter.value.casefold()
        )

    def _forecast(self, decision: Decision, past: Past) -> ForecastHeld | None:
        """Return the forecast of the backlog under the kept setting, None where none was made or it was not kept."""
        run, trials = self._run, self._run.trials
        is_kept = any(entry.is_kept and entry.change.kept is Keep.FOR_GOOD for entry in self._session.changes)
        if not is_kept or not past.hours or decision.gain is None:
            return None
        metric, wanted = self._family.main_metric(run.plan).name, decision.gain.comparison.candidate
        ahead = catching_up(metric, trials, stretches_of(trials), run.plan.baseline, wanted)
        if ahead is None or ahead.is_as_it_was:
            return None
        promise = ahead.chosen
        return ForecastHeld(promise.since, promise.ends, came_between(past.hours, promise.since))


def _values_now(decision: Decision, past: Past) -> tuple[ValueNow, ...]:
    now = {parameter.name: parameter.value for parameter in past.in_effect}
    return tuple(
        ValueNow(
            part.parameter, "" if part.to_value is None else typed_text(part.to_value), now.get(part.parameter, "")
        )
        for part in decision.parts
        if part.parameter
    )


def _too_little(before: Span, after: Span, since: datetime | None) -> list[str]:
    """Return why a history cannot be compared, nothing where it can."""
    told = []
    if since is not None and not after.tells:
        words = _(
            "Since the change there are {hours} whole hours of history; {told} of them tell it, and 2 are needed."
        )
        told.append(words.format(hours=after.hours, told=len(after.values)))
    if not before.tells:
        told.append(
            _(
                "Too little history from before the change is kept to compare with: servers clean theirs up, some "
                "after two days."
            )
        )
    return told


def _other_load(before: Span, after: Span) -> str:
    return _(
        "The load is of another kind: {after} commands in a transaction since the change, {before} before; a "
        "difference may be the load's."
    ).format(before=number(before.commands_per_transaction or 0.0), after=number(after.commands_per_transaction or 0.0))
