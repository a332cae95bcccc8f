"""Tables as CSV: UTF-8, comma, decimal point, line feed; the same input gives the same bytes."""

import math
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import chain

from app.domain.comparison import Comparison
from app.domain.finding import Finding
from app.domain.measurement import Measurement, TrialStatus
from app.domain.session import Advice, RunRecord, SessionRecord
from app.domain.setting import Value
from app.domain.statement import StatementRecord
from app.domain.view import TableContent
from app.foundation.spreadsheet import csv_text
from app.foundation.texts import _
from app.reporting.export.told_findings import told_findings
from app.reporting.matching import carrying_comparison
from app.reporting.wording import Vocabulary

_HEALTH_CHECK = ("Priority", "Group", "Finding", "URL", "Details")
_FIXED = ("family", "run", "block", "phase", "metric", "value", "unit")


def measurements_of(session: SessionRecord) -> tuple[Measurement, ...]:
    """Return the imported measurements, then those of the used trials."""
    own = (
        measurement
        for run in session.runs
        for trial in run.trials
        if trial.status is TrialStatus.USED
        for measurement in trial.measurements
    )
    return (*session.imported, *own)


def measurements_csv(measurements: Sequence[Measurement]) -> bytes:
    """Return measurements as the tidy table `advise` reads: fixed columns, then one for each factor and condition."""
    means = ("sd", "n") if any(m.runs > 1 for m in measurements) else ()
    factors = sorted({name for m in measurements for name in m.setting})
    conditions = sorted({name for m in measurements for name in m.conditions} - set(factors))
    rows = (_row_of(m, len(means), factors, conditions) for m in measurements)
    return _table((*_FIXED, *means, *factors, *conditions), rows)


def _row_of(m: Measurement, means: int, factors: Sequence[str], conditions: Sequence[str]) -> list[object]:
    return (
        [m.family, m.trial_id, m.block, m.phase.value, m.metric, _as_given(m), m.unit]
        + ([m.sd, m.runs] if m.runs > 1 else [""] * means)
        + [m.setting.get(name, "") for name in factors]
        + [m.conditions.get(name, "") for name in conditions]
    )


def _as_given(m: Measurement) -> float | str:
    """Return the value of a measurement, a range as its two ends."""
    return f"{m.value - m.half_range}-{m.value + m.half_range}" if m.half_range else m.value


def samples_csv(runs: Iterable[RunRecord]) -> bytes:
    """Return every reading of every trial: seconds since its start, stream, value."""
    rows = (
        [run.run_id, trial.trial_id, sample.offset_s, sample.stream, sample.value]
        for run in runs
        for trial in run.trials
        for sample in trial.samples
    )
    return _table(("run", "trial", "offset_s", "stream", "value"), rows)


def findings_csv(advice: Advice, words: Vocabulary) -> bytes:
    """Return findings with the columns DBAs know from health checks: Priority, Group, Finding, URL, Details.

    Behind them what is to be set, with the ratio of the measure, its 95 % interval, and the trials of both sides; in
    the order of the decisions, those without one last.
    """
    decided = {
        part.finding: part.gain.comparison for decision in advice.decisions for part in decision.parts if part.gain
    }
    rows = (
        [
            told.priority,
            words.family(told.family),
            told.title,
            next((source.url for source in told.sources if source.url), ""),
            _details(told),
            *_numbers(told, decided.get(finding) or carrying_comparison(finding, advice.comparisons)),
        ]
        for finding, told in _in_order(advice, words)
    )
    return _table((*_HEALTH_CHECK, "Parameter", "From", "To", "Effect", "Low", "High", "n from", "n to"), rows)


def _in_order(advice: Advice, words: Vocabulary) -> list[tuple[Finding, Finding]]:
    decided = chain.from_iterable(decision.findings for decision in advice.decisions)
    position = {finding: place for place, finding in enumerate(dict.fromkeys(decided))}
    last = len(position)
    return sorted(
        told_findings(advice, words),
        key=lambda pair: (position.get(pair[0], position.get(pair[1], last)), pair[0].priority),
    )


def _numbers(finding: Finding, comparison: Comparison | None) -> list[object]:
    named: list[object] = [finding.parameter, _value(finding.from_value), _value(finding.to_value)]
    if comparison is None:
        return [*named, "", "", "", "", ""]
    sizes = len(comparison.reference_trials), len(comparison.candidate_trials)
    is_bounded = comparison.low > 0 and math.isfinite(comparison.high)
    return [*named, comparison.ratio, *((comparison.low, comparison.high) if is_bounded else ("", "")), *sizes]


def _value(value: Value | None) -> object:
    return "" if value is None else value


def _details(finding: Finding) -> str:
    risk = _("Risk: {text}").format(text=finding.risk) if finding.risk else ""
    undo = _("Undo: {text}").format(text=finding.undo) if finding.undo else ""
    trade_off = _("Trade-off: {text}").format(text=finding.trade_offs) if finding.trade_offs else ""
    parts = (finding.recommendation, finding.because, trade_off, risk, undo)
    return " ".join(" ".join(part.split()) for part in parts if part)


def statements_csv(statements: Iterable[StatementRecord]) -> bytes:
    """Return every statement as it was sent, oldest first.

    A text stands in the first row that sent it; later rows carry its `text_number` alone, as a run samples with the
    same few texts thousands of times.
    """
    columns = ("sent_utc", "server", "name", "access", "duration_ms", "rows", "error", "parameters")
    return _table((*columns, "text_number", "text"), _statement_rows(statements), verbatim=(len(columns) + 1,))


def _statement_rows(statements: Iterable[StatementRecord]) -> Iterator[list[object]]:
    numbers: dict[str, int] = {}
    for sent in statements:
        text = "" if sent.text in numbers else sent.text
        number = numbers.setdefault(sent.text, len(numbers) + 1)
        row = [sent.sent_utc.isoformat(), sent.server, sent.name, sent.access.value, sent.duration_ms, sent.rows]
        yield [*row, sent.error, sent.parameters, number, text]


def table_csv(content: TableContent) -> bytes:
    """Return a table as programs read it: its keys as headings, its cells' values."""
    rows = (["" if cell.value is None else cell.value for cell in row.cells] for row in content.rows)
    return _table([column.key for column in content.columns], rows)


def readings_csv(content: TableContent) -> bytes:
    """Return a table of servers' counters, as programs read it: a whole number without ".0"."""
    rows = ([_shortest(cell.value) for cell in row.cells] for row in content.rows)
    return _table([column.key for column in content.columns], rows)


def _shortest(value: float | str | None) -> float | str:
    if value is None:
        return ""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _table(columns: Sequence[str], rows: Iterable[Sequence[object]], *, verbatim: Collection[int] = ()) -> bytes:
    return csv_text(chain((columns,), rows), verbatim=verbatim).encode("utf-8", "replace")
