"""A session's results as JSON: stable names, sorted, the same input gives the same bytes."""

import json
import math
from collections.abc import Iterable
from typing import Final

from app.domain.comparison import Comparison, Forecast
from app.domain.decision import ChangeEffort, Decision, DecisionKind, Gain
from app.domain.finding import Finding
from app.domain.plan import Phase
from app.domain.session import Advice, RunRecord, SessionRecord
from app.domain.setting import Setting, Value
from app.domain.table import ResultTable, TableCell
from app.reporting.export.told_findings import told_findings
from app.reporting.tables.plain_comparisons import Compared, plain_verdict
from app.reporting.wording import Vocabulary

SCHEMA: Final = 1
"""Of every JSON document the program writes."""

# Of more trials than these only the first are named; `runs` and `evidence_runs` count them all.
MOST_IDS: Final = 1_000

JsonValue = None | bool | int | float | str | list["JsonValue"] | dict[str, "JsonValue"]


def session_json(session: SessionRecord, advice: Advice, words: Vocabulary) -> bytes:
    """Return a session's results, without samples and statements; no number in it is infinite."""
    document: dict[str, JsonValue] = {
        "schema": SCHEMA,
        "session": session.session_id,
        "title": session.title,
        "created_utc": session.created_utc.isoformat(),
        "app_version": session.app_version,
        "imported_from": session.imported_from,
        "runs": [_run(run) for run in session.runs],
        **advice_json(advice, words),
    }
    return (json.dumps(document, indent=1, ensure_ascii=False, allow_nan=False) + "\n").encode("utf-8", "replace")


def environment_json(session: SessionRecord) -> bytes:
    """Return the environment of each target before the first change, as its system keeps it."""
    document: JsonValue = [
        {
            "target": environment.target,
            "facts": [{"name": name, "value": value, "unit": unit} for name, value, unit in environment.facts],
            "read": {key: json.loads(text) for key, text in environment.kept},
        }
        for environment in session.environments
    ]
    return (json.dumps(document, indent=1, ensure_ascii=False) + "\n").encode("utf-8", "replace")


def advice_json(advice: Advice, words: Vocabulary) -> dict[str, JsonValue]:
    """Return the advice on a session, as every document of schema 1 has it; null where nothing can be computed."""
    return {
        "comparisons": [_comparison(comparison) for comparison in advice.comparisons],
        "forecasts": [_forecast(forecast) for forecast in advice.forecasts],
        "findings": [_finding(told) for _found, told in told_findings(advice, words)],
        "decisions": [_decision(decision) for decision in advice.decisions],
        "not_evaluated": [{"rule": rule.rule, "because": rule.because} for rule in advice.not_evaluated],
        "warnings": list(advice.warnings),
        "tables": [_table(table) for table in advice.tables],
        "happenings": [
            {
                "trial": trial,
                "work": h.work.value,
                "server": h.server,
                "subject": h.subject,
                "share": h.share,
                "text": h.text,
            }
            for trial, h in advice.happenings
        ],
    }


def plain_json(parameter: str, compared: Iterable[Compared], warnings: Iterable[str]) -> dict[str, JsonValue]:
    """Return comparisons of a parameter without a rule as a document of schema 1; a verdict names no better side."""
    comparisons = [{**_comparison(c), "verdict": plain_verdict(c)} for c, _value, _other in compared]
    nothing = ("forecasts", "findings", "decisions", "not_evaluated", "tables", "happenings")
    return {
        "schema": SCHEMA,
        "no_rule_for": parameter,
        "comparisons": list[JsonValue](comparisons),
        **{name: list[JsonValue]() for name in nothing},
        "warnings": list(warnings),
    }


def _table(t: ResultTable) -> JsonValue:
    """Return a table with its columns' keys and units; a cell is a text, or a value with its interval."""
    return {
        "id": t.table_id,
        "title": t.title,
        "columns": [{"key": c.key, "title": c.title, "unit": c.unit} for c in t.columns],
        "rows": [[cell if isinstance(cell, str) else _table_cell(cell) for cell in row] for row in t.rows],
    }


def _table_cell(cell: TableCell) -> JsonValue:
    """Return a value with its interval, or with the lowest and the highest of the values it is the median of."""
    ends: JsonValue = None if cell.low is None or cell.high is None else [_finite(cell.low), _finite(cell.high)]
    told: dict[str, JsonValue] = {"value": _finite(cell.value), "ci95": None if cell.is_range else ends}
    if cell.is_range:
        told["range"] = ends
    return told


def _run(run: RunRecord) -> JsonValue:
    return {
        "run": run.run_id,
        "family": run.plan.family,
        "target": run.target,
        "status": run.status.value,
        "reason": run.reason,
        "started_utc": run.started_utc.isoformat(),
        "finished_utc": run.finished_utc.isoformat() if run.finished_utc else None,
        "trials": len(run.trials),
    }


def _comparison(c: Comparison) -> dict[str, JsonValue]:
    return {
        "family": c.family,
        "factor": c.factor,
        "from": _level(c.reference),
        "to": _level(c.candidate),
        "conditions": _setting(c.conditions),
        "metric": c.metric,
        "unit": c.unit,
        "ratio": _finite(c.ratio),
        "ci95": [_finite(c.low), _finite(c.high)],
        "p_adjusted": _finite(c.p_adjusted),
        "runs": {"from": len(c.reference_trials), "to": len(c.candidate_trials)},
        "trials": {"from": _ids(c.reference_trials), "to": _ids(c.candidate_trials)},
        "verdict": c.verdict.value,
        "smallest_effect": _finite(c.smallest_effect),
        "runs_needed": c.trials_needed,
        "phase": c.phase.value,
    }


def _forecast(f: Forecast) -> JsonValue:
    return {
        "family": f.family,
        "setting": _setting(f.setting),
        "conditions": _setting(f.conditions),
        "backlog_commands": f.backlog_commands,
        "inflow_per_s": f.inflow_per_s,
        "hours": _finite(f.hours),
        "band95_hours": [_finite(f.low_hours), _finite(f.high_hours)],
    }


def _finding(f: Finding) -> JsonValue:
    return {
        "rule": f.rule,
        "version": f.version,
        "family": f.family,
        "priority": f.priority,
        "title": f.title,
        "recommendation": f.recommendation,
        "parameter": f.parameter,
        "from": _value(f.from_value),
        "to": _value(f.to_value),
        "because": f.because,
        "trade_offs": f.trade_offs,
        "risk": f.risk,
        "undo": f.undo,
        "sources": [{"title": source.title, "url": source.url} for source in f.sources],
        "evidence": list(f.evidence[:MOST_IDS]),
        "evidence_runs": len(f.evidence),
        "facts": [{"name": name, "value": _fact(value), "unit": unit} for name, value, unit in f.facts],
    }


def _asked(change_effort: ChangeEffort | None) -> dict[str, JsonValue]:
    """Return the effort of a change, empty where nothing is changed."""
    if change_effort is None:
        nothing: list[JsonValue] = []
        return {
            "effort": "",
            "effort_level": None,
            "interruption": "",
            "risk_level": None,
            "prerequisites": nothing,
            "check": "",
        }
    return {
        "effort": change_effort.effort,
        "effort_level": int(change_effort.effort_level),
        "interruption": change_effort.interruption_told,
        "risk_level": int(change_effort.risk_level),
        "prerequisites": [prerequisite.text for prerequisite in change_effort.prerequisites],
        "check": change_effort.check,
    }


def _decision(d: Decision) -> JsonValue:
    """Return a decision; its evidence is named by the rules of `findings` and the numbers of `comparisons`."""
    gain, asked = d.gain, _asked(d.change_effort if d.kind is DecisionKind.CHANGE else None)
    return {
        "number": d.number,
        "kind": d.kind.value,
        "is_worth_open": d.is_worth_open,
        "family": d.family,
        "parameter": d.parameter,
        "from": _value(d.from_value),
        "to": _value(d.to_value),
        "in_effect": d.in_effect,
        "where": d.where,
        "gain": None if gain is None else _gain(gain),
        "effort": asked["effort"],
        "effort_level": asked["effort_level"],
        "interruption": asked["interruption"],
        "risk": d.finding.risk,
        "risk_level": asked["risk_level"],
        "prerequisites": asked["prerequisites"],
        "places": list(d.places),
        "check": asked["check"],
        "undo": d.finding.undo,
        "score": _finite(d.score),
        "runs_needed": d.trials_needed,
        "rivals": [_value(value) for value in d.rivals],
        "rival_runs_needed": d.rival_trials_needed,
        "findings": [finding.rule for finding in d.findings],
        "set_aside": [finding.rule for finding in d.set_aside],
        "evidence_runs": len(d.trials),
        "own_words": d.own_words,
        "together": [
            {
                "parameter": one.parameter,
                "from": _value(one.from_value),
                "to": _value(one.to_value),
                "in_effect": one.in_effect,
            }
            for one in d.together
        ],
        "beside": [
            {"parameter": one.parameter, "measured": _value(one.measured), "in_effect": one.in_effect}
            for one in d.beside
        ],
    }


def _ids(trials: tuple[str, ...]) -> list[JsonValue]:
    """Return the first ids of trials, that of a published mean of several runs once."""
    names: list[JsonValue] = [*dict.fromkeys(trials)]
    return names[:MOST_IDS]


def _gain(gain: Gain) -> JsonValue:
    c = gain.comparison
    return {
        "metric": c.metric,
        "unit": c.unit,
        "before": None if gain.before is None else _finite(gain.before),
        "after": None if gain.after is None else _finite(gain.after),
        "ratio": _finite(c.ratio),
        "ci95": [_finite(c.low), _finite(c.high)],
        "verdict": c.verdict.value,
        "runs": {"from": len(c.reference_trials), "to": len(c.candidate_trials)},
        "is_confirmed": c.phase is Phase.CONFIRM,
        "forecast_hours": [_finite(forecast.hours) for forecast in gain.forecasts],
    }


def _level(setting: Setting) -> JsonValue:
    """Return the value of a one-factor setting, the whole setting of a joint one."""
    return _value(next(iter(setting.values()))) if len(setting) == 1 else _setting(setting)


def _setting(setting: Setting) -> JsonValue:
    return {name: _value(value) for name, value in setting.items()}


def _value(value: Value | None) -> JsonValue:
    return _finite(value) if isinstance(value, float) else value


def _fact(value: Value | bool) -> JsonValue:
    return value if isinstance(value, bool) else _value(value)


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None
