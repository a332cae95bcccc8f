"""The stable JSON of `compare` (schema 1)."""

import math
from collections.abc import Sequence

from app.analysis.unlinked_means import Spread
from app.domain.comparison import Comparison
from app.domain.plot import PlotSpec
from app.foundation.codec import Json
from app.foundation.texts import ungrouped
from app.reporting.export.json_export import SCHEMA
from app.services.explain.comparison.published import PublishedComparison
from app.services.explain.comparison.runs import Contrast, RunComparison, SessionComparison
from app.services.explain.comparison.sides import Side


def runs_json(comparison: SessionComparison) -> Json:
    """Return two runs or sessions beside each other; numbers that cannot be computed are null."""
    return {
        "schema": SCHEMA,
        "pairs": [_pair(pair) for pair in comparison.pairs],
        "unmatched": list(comparison.unmatched),
    }


def published_json(comparisons: Sequence[PublishedComparison]) -> Json:
    """Return own numbers beside published ones."""
    return {"schema": SCHEMA, "published": [_published(item) for item in comparisons]}


def _pair(pair: RunComparison) -> Json:
    return {
        "first": _side(pair.first),
        "second": _side(pair.second),
        "cautions": list(pair.cautions),
        "differences": [
            {"where": d.where, "name": d.name, "first": d.first, "second": d.second} for d in pair.differences
        ],
        "applied": [
            {"parameter": a.parameter, "before": a.before, "after": a.after, "finding": a.finding} for a in pair.applied
        ],
        "contrasts": [_contrast(contrast) for contrast in pair.contrasts],
        "effects": [{"first": _effect(e.first), "second": _effect(e.second)} for e in pair.effects],
        "plots": [_plot(plot) for plot in pair.plots],
    }


def _side(side: Side) -> Json:
    return {
        "session": side.session_id,
        "run": side.run_id,
        "family": side.family,
        "target": side.target,
        "started_utc": side.started_utc.isoformat(),
    }


def _contrast(c: Contrast) -> Json:
    return {
        "metric": c.metric,
        "unit": c.unit,
        "conditions": dict(c.conditions.values_by_name),
        "phase": str(c.phase),
        "first_setting": dict(c.first_setting.values_by_name),
        "second_setting": dict(c.second_setting.values_by_name),
        "first": _spread(c.first),
        "second": _spread(c.second),
        "ratio": _spread(c.ratio),
    }


def _spread(spread: Spread) -> Json:
    has_ends = spread.low is not None and spread.high is not None
    ends = [_finite(spread.low or 0.0), _finite(spread.high or math.inf)] if has_ends else None
    return {"value": _finite(spread.value), "ci95": ends, "trials": spread.count}


def _effect(c: Comparison | None) -> Json | None:
    if c is None:
        return None
    return {
        "metric": c.metric,
        "from": dict(c.reference.values_by_name),
        "to": dict(c.candidate.values_by_name),
        "conditions": dict(c.conditions.values_by_name),
        "ratio": _finite(c.ratio),
        "ci95": [_finite(c.low), _finite(c.high)],
        "verdict": str(c.verdict),
        "phase": str(c.phase),
    }


def _published(item: PublishedComparison) -> Json:
    return {
        "run": _side(item.side),
        "source": {
            "title": item.source.title,
            "author": item.source.author,
            "published": item.source.published,
            "where": item.source.where,
            "measured": item.source.measured.strip(),
        },
        "metric": item.metric,
        "unit": item.unit,
        "factor": item.factor,
        "phase": str(item.phase),
        "reference": dict(item.reference.values_by_name),
        "own_conditions": dict(item.own_conditions.values_by_name),
        "published_conditions": dict(item.published_conditions.values_by_name),
        "rows": [
            {
                "setting": dict(row.setting.values_by_name),
                "own": _spread(row.own),
                "published": _spread(row.published),
                "own_change": _spread(row.own_change),
                "published_change": _spread(row.published_change),
            }
            for row in item.rows
        ],
        "cautions": list(item.cautions),
        "plots": [_plot(item.plot)],
    }


def _plot(plot: PlotSpec) -> Json:
    return {
        "id": plot.plot_id,
        "title": plot.title,
        "alt": plot.alt,
        "x": plot.x_label,
        "y": plot.y_label,
        "ticks": [[at, ungrouped(text)] for at, text in plot.x_ticks],
        "series": [
            {
                "label": s.label,
                "mark": str(s.mark),
                "x": list(s.x),
                "y": [_finite(value) for value in s.y],
                "low": [_finite(value) for value in s.low],
                "high": [_finite(value) for value in s.high],
            }
            for s in plot.series
        ],
    }


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None
