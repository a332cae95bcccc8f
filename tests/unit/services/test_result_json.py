"""The stable JSON: every documented key, and nothing JSON cannot say."""

import json
import math
from dataclasses import replace
from typing import Any

from app.domain.comparison import Comparison, Forecast, Verdict
from app.domain.finding import Finding, NotEvaluated, Source
from app.domain.plan import Phase
from app.domain.session import Advice
from app.domain.setting import EMPTY_SETTING, Setting
from app.reporting.export.json_export import MOST_IDS
from app.services.hand_over.result_json import dry_run_json, result_json
from tests.contract.families.lab_runs import FAMILIES, small_plan
from tests.unit.analysis.observing import setting
from tests.unit.services.test_dry_run import dry

COMPARISON = Comparison(
    family="wan_delivery",
    factor="SubscriptionStreams",
    reference=setting(SubscriptionStreams=1),
    candidate=setting(SubscriptionStreams=8),
    conditions=Setting.of(rtt_ms=300, network_kbps=512),
    metric="throughput",
    unit="commands/s",
    ratio=5.9,
    low=5.1,
    high=6.8,
    p_adjusted=0.0003,
    reference_trials=("E1-T001", "E1-T004"),
    candidate_trials=("E1-T002",),
    verdict=Verdict.IMPROVEMENT,
    smallest_effect=0.09,
    trials_needed=0,
    minimum_effect=0.05,
    phase=Phase.CONFIRM,
)
FORECAST = Forecast("wan_delivery", setting(SubscriptionStreams=8), EMPTY_SETTING, 240_000, 0.0, 1.5, 1.4, 1.6, ("T",))
FINDING = Finding(
    rule="streams-more",
    version=1,
    family="wan_delivery",
    priority=2,
    task="Raise SubscriptionStreams",
    recommendation="Set it to 8.",
    because="It was faster.",
    trade_offs="More connections.",
    risk="None.",
    undo="Set it to 1.",
    parameter="SubscriptionStreams",
    from_value=1,
    to_value=8,
    sources=(Source("KB 953199", "https://example.org/kb"),),
    evidence=("E1-T001", "E1-T002"),
    facts=(("gain_percent", 490.0, "%"),),
    figure="wan_delivery/by-setting",
)


def advice(*comparisons: Comparison, **parts: Any) -> Advice:
    """Return advice with these comparisons."""
    return replace(Advice(comparisons, (), (), (), ()), **parts)


def written(content: object) -> Any:
    """Return what a reader of the JSON gets, after a round trip that allows nothing but numbers."""
    return json.loads(json.dumps(content, allow_nan=False))


def test_a_comparison_has_the_documented_keys() -> None:
    """`from` and `to` are plain values, ends of the interval a list, runs are counted."""
    document = written(result_json(advice(COMPARISON), ()))
    assert document["schema"] == 1
    assert document["comparisons"] == [
        {
            "family": "wan_delivery",
            "factor": "SubscriptionStreams",
            "from": 1,
            "to": 8,
            "conditions": {"network_kbps": 512, "rtt_ms": 300},
            "metric": "throughput",
            "unit": "commands/s",
            "ratio": 5.9,
            "ci95": [5.1, 6.8],
            "p_adjusted": 0.0003,
            "runs": {"from": 2, "to": 1},
            "trials": {"from": ["E1-T001", "E1-T004"], "to": ["E1-T002"]},
            "verdict": "improvement",
            "smallest_effect": 0.09,
            "runs_needed": 0,
            "phase": "confirm",
        }
    ]


def test_a_joint_comparison_names_whole_settings() -> None:
    """Two parameters varied together cannot be told by one value."""
    joint = replace(COMPARISON, reference=setting(A=1, B=2), candidate=setting(A=3, B=4), factor="A × B")
    [compared] = written(result_json(advice(joint), ()))["comparisons"]
    assert (compared["from"], compared["to"]) == ({"A": 1, "B": 2}, {"A": 3, "B": 4})


def test_what_cannot_be_computed_is_null() -> None:
    """An interval that says nothing has no upper end, an unknown effect no number; the document stays valid JSON."""
    open_ended = replace(COMPARISON, ratio=math.inf, low=0.0, high=math.inf, smallest_effect=math.inf)
    endless = replace(FORECAST, hours=math.inf, low_hours=0.0, high_hours=math.inf)
    document = written(result_json(advice(open_ended, forecasts=(endless,)), ()))
    [compared] = document["comparisons"]
    assert (compared["ratio"], compared["ci95"], compared["smallest_effect"]) == (None, [0.0, None], None)
    assert document["forecasts"][0]["hours"] is None
    assert document["forecasts"][0]["band95_hours"] == [0.0, None]


def test_findings_carry_everything_to_defend_them() -> None:
    """Rule, version, texts, values, sources and the ids of the trials."""
    document = written(result_json(advice(COMPARISON, findings=(FINDING,)), ()))
    [finding] = document["findings"]
    documented = {
        "rule", "version", "priority", "title", "parameter", "from", "to", "because", "trade_offs", "risk", "undo",
        "sources", "evidence",
    }  # fmt: skip
    assert documented <= set(finding)
    assert (finding["from"], finding["to"]) == (1, 8)
    assert finding["sources"] == [{"title": "KB 953199", "url": "https://example.org/kb"}]
    assert finding["evidence"] == ["E1-T001", "E1-T002"]


def test_very_many_trials_are_counted_instead_of_listed() -> None:
    """A million ids would bury the finding."""
    many = replace(FINDING, evidence=tuple(str(number) for number in range(MOST_IDS + 5)))
    [finding] = written(result_json(advice(findings=(many,)), ()))["findings"]
    assert len(finding["evidence"]) == MOST_IDS
    assert finding["evidence_runs"] == MOST_IDS + 5


def test_what_was_not_evaluated_and_warnings_are_there() -> None:
    """Rules that could not be judged, with the reason, and what a reader must know first."""
    missing = NotEvaluated("streams-triggers", "wan_delivery", "not evaluated: missing data (…)")
    document = written(result_json(advice(not_evaluated=(missing,), warnings=("mind the gap",)), ()))
    assert document["not_evaluated"] == [{"rule": "streams-triggers", "because": "not evaluated: missing data (…)"}]
    assert document["warnings"] == ["mind the gap"]


def test_an_empty_advice_is_a_whole_document() -> None:
    """All keys are there, so that nobody has to ask."""
    assert written(result_json(advice(), ())) == {
        "schema": 1,
        "comparisons": [],
        "forecasts": [],
        "findings": [],
        "decisions": [],
        "not_evaluated": [],
        "warnings": [],
        "happenings": [],
        "tables": [],
    }


def test_a_dry_run_is_json_as_well() -> None:
    """Trials, steps, changes with both scripts, and statements."""
    made, _sent = dry(small_plan(FAMILIES["log_reader"]))
    document = written(dry_run_json(made))
    assert document["schema"] == 1
    assert len(document["trials"]) == len(made.trials)
    assert document["baseline"] == {"ReadBatchSize": 500}
    assert all(change["apply_sql"] and change["undo_sql"] for change in document["changes"])
    assert {statement["access"] for statement in document["statements"]} == {"read", "change"}
