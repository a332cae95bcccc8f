"""The stable JSON of `advise`, `run`, its dry run, and `demo` (schema 1)."""

import math
from collections.abc import Mapping

from app.domain.change import Change
from app.domain.comparison import Comparison, Forecast
from app.domain.finding import Finding
from app.domain.session import Advice
from app.domain.setting import Setting, Value
from app.domain.table import ResultTable, TableCell
from app.services.dry_run import DryRun

SCHEMA = 1
# Ids of more runs than these help nobody; `evidence_runs` counts them all.
MOST_EVIDENCE = 1_000

Json = Mapping[str, object]


def result_json(advice: Advice) -> Json:
    """Return the document that `--json` prints; numbers that cannot be computed are null."""
    return {
        "schema": SCHEMA,
        "comparisons": [_comparison(c) for c in advice.comparisons],
        "forecasts": [_forecast(f) for f in advice.forecasts],
        "findings": [_finding(f) for f in advice.findings],
        "not_evaluated": [{"rule": n.rule, "because": n.because} for n in advice.not_evaluated],
        "warnings": list(advice.warnings),
        "tables": [_table(t) for t in advice.tables],
    }


def _table(t: ResultTable) -> Json:
    """Return a table with its columns' keys and units; a cell is a text, or a value with its interval."""
    return {
        "id": t.table_id,
        "title": t.title,
        "columns": [{"key": c.key, "title": c.title, "unit": c.unit} for c in t.columns],
        "rows": [
            [cell if isinstance(cell, str) else {"value": _finite(cell.value), "ci95": _ends(cell)} for cell in row]
            for row in t.rows
        ],
    }


def _ends(cell: TableCell) -> list[float | None] | None:
    return None if cell.low is None or cell.high is None else [_finite(cell.low), _finite(cell.high)]


def dry_run_json(dry: DryRun) -> Json:
    """Return what a plan would do, for `run --dry-run --json`."""
    return {
        "schema": SCHEMA,
        "family": dry.plan.family,
        "baseline": dict(dry.plan.baseline.values_by_name),
        "duration_s": dry.duration_s,
        "checks": [{"title": c.title, "passed": c.passed, "remedy": c.remedy} for c in dry.checks],
        "trials": [{"block": t.block, "phase": str(t.phase), "setting": t.setting} for t in dry.trials],
        "steps": list(dry.steps),
        "changes": [_change(c) for c in dry.changes],
        "statements": [
            {"name": s.name, "access": str(s.access), "purpose": s.purpose, "text": s.text} for s in dry.statements
        ],
    }


def _change(c: Change) -> Json:
    return {
        "subject": c.subject,
        "original": c.original,
        "new": c.new,
        "effect": c.needs_consent,
        "apply_sql": c.apply_sql,
        "undo_sql": c.undo_sql,
    }


def _value(setting: Setting) -> Value | dict[str, Value]:
    """Return the value of a one-factor setting, the whole setting of a joint one."""
    return next(iter(setting.values())) if len(setting) == 1 else dict(setting.values_by_name)


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _comparison(c: Comparison) -> Json:
    return {
        "family": c.family,
        "factor": c.factor,
        "from": _value(c.reference),
        "to": _value(c.candidate),
        "conditions": dict(c.conditions.values_by_name),
        "metric": c.metric,
        "unit": c.unit,
        "ratio": _finite(c.ratio),
        "ci95": [_finite(c.low), _finite(c.high)],
        "p_adjusted": c.p_adjusted,
        "runs": {"from": len(c.reference_trials), "to": len(c.candidate_trials)},
        "verdict": str(c.verdict),
        "smallest_effect": _finite(c.smallest_effect),
        "runs_needed": c.trials_needed,
        "phase": str(c.phase),
    }


def _forecast(f: Forecast) -> Json:
    return {
        "family": f.family,
        "setting": dict(f.setting.values_by_name),
        "conditions": dict(f.conditions.values_by_name),
        "backlog_commands": f.backlog_commands,
        "hours": _finite(f.hours),
        "band95_hours": [_finite(f.low_hours), _finite(f.high_hours)],
    }


def _finding(f: Finding) -> Json:
    return {
        "rule": f.rule,
        "version": f.version,
        "family": f.family,
        "priority": f.priority,
        "title": f.title,
        "recommendation": f.recommendation,
        "parameter": f.parameter,
        "from": f.from_value,
        "to": f.to_value,
        "because": f.because,
        "trade_offs": f.trade_offs,
        "risk": f.risk,
        "undo": f.undo,
        "sources": [{"title": s.title, "url": s.url} for s in f.sources],
        "evidence": list(f.evidence[:MOST_EVIDENCE]),
        "evidence_runs": len(f.evidence),
    }
