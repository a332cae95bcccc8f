"""The stable JSON of `verify` (schema 1)."""

import math
from datetime import datetime

from app.analysis.kept_promise import Span
from app.foundation.codec import Json
from app.reporting.decision_words import headline
from app.reporting.export.json_export import SCHEMA
from app.reporting.wording import Vocabulary
from app.services.hand_over.verifying import ForecastHeld, ValueNow, Verification, Verified


def verified_json(found: Verification, words: Vocabulary) -> Json:
    """Return the outcome of a session's changes; null where one is not known, or no number."""
    return {
        "schema": SCHEMA,
        "session": found.session_id,
        "title": found.title,
        "target": found.target,
        "taken_utc": found.taken_utc.isoformat(),
        "history_from_utc": _time(found.reaches_back_utc),
        "verified": [_verified(one, words) for one in found.verified],
        "statements": found.statements,
        "statement_ms": found.statement_ms,
    }


def _verified(one: Verified, words: Vocabulary) -> Json:
    promised, came = one.promised, one.came
    return {
        "decision": one.decision.number,
        "family": one.decision.family,
        "headline": headline(one.decision, words),
        "subject": one.subject,
        "outcome": one.outcome.value,
        "values": [_value(value) for value in one.values],
        "since_utc": _time(one.since),
        "since_from": one.since_from,
        "measure": None if promised is None else promised.measure,
        "promised": None if promised is None else _interval(promised.ratio, promised.low, promised.high),
        "came": None if came is None else _interval(came.ratio, came.low, came.high),
        "before": _span(one.before),
        "before_hours_from_file": 0 if one.from_file is None else one.from_file.hours,
        "trials": _span(one.trials),
        "after": _span(one.after),
        "reasons": list(one.reasons),
        "changed": [{"parameter": v.parameter, "then": v.wanted, "now": v.now} for v in one.changed],
        "forecast": _forecast(one.forecast),
    }


def _value(value: ValueNow) -> Json:
    return {
        "parameter": value.parameter,
        "wanted": value.wanted,
        "now": value.now or None,
        "in_effect": value.is_in_effect,
    }


def _interval(ratio: float, low: float, high: float) -> Json:
    return {"ratio": ratio, "interval": [low, None if math.isinf(high) else high]}


def _span(span: Span | None) -> Json | None:
    if span is None:
        return None
    return {
        "hours": span.hours,
        "values": len(span.values),
        "mean": span.mean,
        "commands_per_transaction": span.commands_per_transaction,
        "latency_ms": span.latency_ms,
    }


def _forecast(held: ForecastHeld | None) -> Json | None:
    if held is None:
        return None
    return {
        "made_utc": held.since.isoformat(),
        "earliest_utc": _time(held.ends.earliest),
        "latest_utc": _time(held.ends.latest),
        "came_from_utc": None if held.came is None else _time(held.came.first),
        "came_to_utc": None if held.came is None else _time(held.came.last),
        "came_true": None if held.came is None else held.came.fits(held.ends),
    }


def _time(moment: datetime | None) -> str | None:
    return None if moment is None else moment.isoformat()
