"""The outcome of a session's changes, in words and tables: on the terminal and in the window."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from app.analysis.kept_promise import LATENCY, Outcome, Span
from app.domain.effect import effect_interval, effect_words
from app.domain.errors import BadInput
from app.domain.view import NO_VALUE, Cell, Column, Emphasis, Row, TableContent, text_cell
from app.foundation.clock import SystemClock
from app.foundation.terminal_text import lines_of
from app.foundation.texts import _, in_sentence
from app.reporting.decision_words import headline
from app.reporting.numbers import duration, moment, number
from app.reporting.render.terminal import table_lines
from app.reporting.wording import Vocabulary
from app.services.hand_over.verifying import ForecastHeld, ValueNow, Verification, Verified, Verifying
from app.services.ports import TargetOpener
from app.services.program import Program


@dataclass(frozen=True)
class ShownPromise:
    """One promise with its outcome.

    Attributes:
        outcome: first of all, one sentence. is_good: None where it is open.
        promised: the decision as its report says it. in_effect: the values now, and since when.
        table: the measure before and since; no rows where no history tells it.
        notes: why not more is claimed, and what else changed.
    """

    subject: str
    outcome: str
    is_good: bool | None
    promised: str
    in_effect: str
    table: TableContent
    notes: tuple[str, ...]


def shown(found: Verification, words: Vocabulary) -> tuple[ShownPromise, ...]:
    """Return each promise with its outcome, in the order of the decisions."""
    return tuple(_shown(one, words) for one in found.verified)


def verified_lines(found: Verification, words: Vocabulary) -> list[str]:
    """Return half a page for the terminal."""
    lines = [heading(found)]
    for one in shown(found, words):
        lines += ["", f"{one.subject}: {one.outcome}"]
        lines.append("  " + _("Promised: {promised}").format(promised=one.promised))
        lines.append("  " + _("In effect: {values}").format(values=one.in_effect))
        lines += [f"  {line}" for line in table_lines(one.table)]
        lines += [f"  {note}" for note in one.notes]
    return [*lines, "", cost_line(found)]


def moment_typed(text: str) -> datetime:
    """Return a moment somebody typed; without an offset from UTC it is by this computer's clock.

    Raises:
        BadInput: it is none.
    """
    try:
        return datetime.fromisoformat(text.strip()).astimezone()
    except (ValueError, OverflowError, OSError) as error:
        raise BadInput(
            _('"{text}" is no date and time; write it as "2026-11-25 09:00"').format(text=text.strip())
        ) from error


@dataclass(frozen=True)
class ShownVerification:
    """Everything the window shows: promises with their outcomes, and the same as text."""

    promises: tuple[ShownPromise, ...]
    heading: str
    text: str

    @property
    def table(self) -> TableContent:
        """Return a row for each promise, its place in `promises` as the key."""
        columns = (
            Column("subject", _("Where")),
            Column("outcome", _("Outcome")),
            Column("promised", _("Promised")),
            Column("in_effect", _("In effect")),
        )
        rows = (
            Row(
                str(place),
                (
                    text_cell(one.subject),
                    text_cell(one.outcome, emphasis=Emphasis.STRONG),
                    text_cell(one.promised, hint=one.promised),
                    text_cell(one.in_effect, hint=one.in_effect),
                ),
            )
            for place, one in enumerate(self.promises)
        )
        return TableContent(columns, tuple(rows))


def verify_session(
    program: Program, path: Path, session_id: str, target: str, since: str, open_target: TargetOpener
) -> ShownVerification:
    """Read the outcome of a session's changes; runs on a worker thread and changes nothing.

    Args:
        session_id: "" for the newest. since: as typed, "" where it is recorded.

    Raises:
        BadInput: `since` is no moment; else as `Verifying.verify`.
    """
    moment_set = moment_typed(since) if since.strip() else None
    verifying = Verifying(program.advisor, open_target, SystemClock())
    found = verifying.verify(path, target, session_id or None, moment_set)
    words = Vocabulary(program.families.values())
    return ShownVerification(shown(found, words), heading(found), lines_of(verified_lines(found, words)))


def heading(found: Verification) -> str:
    """Return whose promises are held against which history."""
    told = {"title": found.title, "now": moment(found.taken_utc)}
    if found.reaches_back_utc is None:
        return _("Held against the servers at {now}: “{title}”").format(**told)
    return _("Held against the servers at {now}, whose history reaches back to {back}: “{title}”").format(
        **told, back=moment(found.reaches_back_utc)
    )


def cost_line(found: Verification) -> str:
    """Return the cost of reading it for the servers."""
    return _("Read with {count} statements in {time}; nothing was changed.").format(
        count=found.statements, time=duration(found.statement_ms / 1000)
    )


def _shown(one: Verified, words: Vocabulary) -> ShownPromise:
    notes = [*one.reasons]
    if one.changed:
        notes.append(
            _("Other parameters have changed since the session: {values}; a difference may be theirs.").format(
                values=", ".join(f"{v.parameter} {v.wanted} → {v.now}" for v in one.changed)
            )
        )
    if one.forecast is not None:
        notes.append(_forecast(one.forecast))
    return ShownPromise(
        subject=one.subject,
        outcome=_outcome(one, words),
        is_good=_GOOD[one.outcome],
        promised=headline(one.decision, words),
        in_effect=_in_effect(one),
        table=_table(one, words),
        notes=tuple(notes),
    )


_GOOD = {
    Outcome.AS_PROMISED: True,
    Outcome.MORE: True,
    Outcome.LESS: False,
    Outcome.OPEN: None,
    Outcome.NOT_IN_EFFECT: False,
}


def _outcome(one: Verified, words: Vocabulary) -> str:
    if one.outcome is Outcome.NOT_IN_EFFECT:
        return _("not in effect: {values}").format(values=", ".join(map(_other_value, one.values)))
    if one.promised is None or one.came is None:
        return _("open: nothing to compare yet")
    measure = in_sentence(words.metric(one.decision.family, one.promised.measure))
    effect = effect_words(one.came.ratio, measure)
    interval = effect_interval(one.came.ratio, one.came.low, one.came.high) or _("no interval can be given")
    forms = {
        Outcome.AS_PROMISED: _("as promised: {effect} ({interval})"),
        Outcome.MORE: _("better than promised: {effect} ({interval})"),
        Outcome.LESS: _("less than promised: {effect} ({interval})"),
        Outcome.OPEN: _("open: so far {effect} ({interval})"),
    }
    return forms[one.outcome].format(effect=effect, interval=interval)


def _other_value(value: ValueNow) -> str:
    if value.is_in_effect:
        return _("{parameter} is {now}").format(parameter=value.parameter, now=value.now)
    if not value.now:
        return _("{parameter} is not known, wanted {wanted}").format(parameter=value.parameter, wanted=value.wanted)
    return _("{parameter} is {now}, not {wanted}").format(parameter=value.parameter, now=value.now, wanted=value.wanted)


def _in_effect(one: Verified) -> str:
    values = ", ".join(f"{value.parameter} {value.now or NO_VALUE}" for value in one.values)
    if not one.since_from:
        return values
    if one.since is None:
        return _("{values}; since when is {how}").format(values=values, how=one.since_from)
    return _("{values}; counted from {since}, {how}").format(values=values, since=moment(one.since), how=one.since_from)


def _table(one: Verified, words: Vocabulary) -> TableContent:
    if one.promised is None or one.before is None or one.after is None:
        return TableContent((Column("when", ""),))
    is_latency = one.promised.measure == LATENCY
    measure = words.metric(one.decision.family, one.promised.measure)
    columns = (
        Column("when", _("When")),
        Column("hours", _("Hours"), is_number=True),
        Column("told", _("Hours on time") if is_latency else _("Hours behind"), is_number=True),
        Column("measure", measure, unit="ms" if is_latency else "commands/s", is_number=True),
        Column("size", _("Commands a transaction"), is_number=True),
    )
    rows = [_row("before", _before(one, one.before), one.before)]
    if one.trials is not None:
        rows.append(_row("trials", _("before, in the experiment's windows"), one.trials))
    rows.append(_row("since", _("since the change"), one.after))
    return TableContent(columns, tuple(rows))


def _before(one: Verified, before: Span) -> str:
    """Return where the hours before the change are from."""
    if one.from_file is None:
        return _("before, by the history")
    words = _("before, from the session's file, read on {when}")
    if one.from_file.hours < before.hours:
        words = _("before, by the history and the session's file, read on {when}")
    return words.format(when=moment(one.from_file.read_utc))


def _row(key: str, title: str, span: Span) -> Row:
    is_history = key != "trials"
    return Row(
        key,
        (
            text_cell(title),
            _number(span.hours if is_history else None),
            _number(len(span.values) if is_history else None),
            _number(span.mean),
            _number(span.commands_per_transaction),
        ),
    )


def _number(value: float | None) -> Cell:
    if value is None:
        return text_cell(NO_VALUE, emphasis=Emphasis.QUIET)
    return Cell(number(value), value, f"{value:g}")


def _forecast(held: ForecastHeld) -> str:
    """Return when a backlog was to be caught up, and when it was, by the hour."""
    told = {"since": moment(held.since), "ends": _ends([held.ends.earliest, held.ends.latest])}
    if held.came is None:
        return _("Forecast at {since}: caught up {ends}; the history no longer reaches back to it.").format(**told)
    fits = held.came.fits(held.ends)
    if fits is None:
        return _("Forecast at {since}: caught up {ends}; by the history it is not yet.").format(**told)
    assert held.came.first is not None
    assert held.came.last is not None
    is_early = held.ends.earliest is not None and held.came.last < held.ends.earliest
    words = (
        _(
            "Forecast at {since}: caught up {ends}; by the history it came between {first:%H:%M} and {last:%H:%M}, as "
            "forecast."
        )
        if fits
        else _("Forecast at {since}: caught up {ends}; it came sooner, between {first:%H:%M} and {last:%H:%M}.")
        if is_early
        else _("Forecast at {since}: caught up {ends}; it came later, between {first:%H:%M} and {last:%H:%M}.")
    )
    return words.format(**told, first=held.came.first, last=held.came.last)


def _ends(ends: Sequence[datetime | None]) -> str:
    low, high = ends
    if low is None:
        return _("never, as it grows")
    if high is None:
        return _("at {low} at the earliest").format(low=moment(low))
    return _("between {low} and {high}").format(low=moment(low), high=moment(high))
