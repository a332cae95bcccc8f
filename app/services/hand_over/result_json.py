"""The stable JSON of `advise`, `run`, its dry run, and `demo` (schema 1)."""

from collections.abc import Iterable

from app.domain.change import Change
from app.domain.session import Advice
from app.foundation.codec import Json
from app.reporting.export.json_export import SCHEMA, advice_json
from app.reporting.request import FamilyTexts
from app.reporting.wording import Vocabulary
from app.services.plan.dry_run import DryRun


def result_json(advice: Advice, families: Iterable[FamilyTexts]) -> Json:
    """Return the document that `--json` prints; numbers that cannot be computed are null."""
    return {"schema": SCHEMA, **advice_json(advice, Vocabulary(families))}


def dry_run_json(dry: DryRun) -> Json:
    """Return a dry run as JSON, for `run --dry-run --json`."""
    return {
        "schema": SCHEMA,
        "family": dry.plan.family,
        "baseline": dict(dry.plan.baseline.values_by_name),
        "kept_trials": dry.kept,
        "duration_s": dry.duration_s,
        "further_trials": dry.further_trials,
        "further_s": dry.further_s,
        "most_trials": dry.most_trials,
        "longest_s": dry.longest_s,
        "unknown": dry.unknown,
        "ways": [
            {
                "stop": str(way.stop),
                "trials": way.trials,
                "duration_s": way.duration_s,
                "recommended": way.is_recommended,
            }
            for way in dry.ways
        ],
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
