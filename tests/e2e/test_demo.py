"""The demonstration and the documented JSON."""

from pathlib import Path
from typing import Any

import pypdf
import pytest

from app.foundation.paths import resource_path
from tests.e2e.program import Ended, run_alone

Shape = dict[str, type | tuple[type, ...]]

NUMBER = (int, float)
COMPARISON: Shape = {
    "family": str,
    "factor": str,
    "from": (int, float, str, dict),
    "to": (int, float, str, dict),
    "conditions": dict,
    "metric": str,
    "unit": str,
    "ratio": NUMBER,
    "ci95": list,
    "p_adjusted": NUMBER,
    "runs": dict,
    "trials": dict,
    "verdict": str,
    "smallest_effect": (*NUMBER, type(None)),
    "runs_needed": int,
    "phase": str,
}
FORECAST: Shape = {
    "family": str,
    "setting": dict,
    "conditions": dict,
    "backlog_commands": int,
    "inflow_per_s": NUMBER,
    "hours": NUMBER,
    "band95_hours": list,
}
FINDING: Shape = {
    "rule": str,
    "version": int,
    "family": str,
    "priority": int,
    "title": str,
    "recommendation": str,
    "parameter": (str, type(None)),
    "from": (*NUMBER, str, type(None)),
    "to": (*NUMBER, str, type(None)),
    "because": str,
    "trade_offs": str,
    "risk": str,
    "undo": str,
    "sources": list,
    "evidence": list,
    "evidence_runs": int,
    "facts": list,
}
DECISION: Shape = {
    "number": int,
    "kind": str,
    "family": str,
    "parameter": str,
    "from": (*NUMBER, str, type(None)),
    "to": (*NUMBER, str, type(None)),
    "in_effect": str,
    "where": str,
    "gain": (dict, type(None)),
    "effort": str,
    "effort_level": (int, type(None)),
    "interruption": str,
    "risk": str,
    "risk_level": (int, type(None)),
    "prerequisites": list,
    "places": list,
    "check": str,
    "undo": str,
    "score": NUMBER,
    "runs_needed": int,
    "rivals": list,
    "rival_runs_needed": int,
    "findings": list,
    "set_aside": list,
    "together": list,
    "beside": list,
    "own_words": str,
    "is_worth_open": bool,
    "evidence_runs": int,
}
NOT_EVALUATED: Shape = {"rule": str, "because": str}


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> tuple[Ended, Path]:
    """Run the demonstration of one family once, in a process of its own."""
    folder = tmp_path_factory.mktemp("demo")
    return run_alone("demo", "--family", "wan_delivery", "--json", "--out", folder), folder


def assert_shape(entries: list[dict[str, Any]], shape: Shape) -> None:
    """Check that each entry has exactly the documented keys, each of its type."""
    assert entries
    for entry in entries:
        assert set(entry) == set(shape)
        for key, kind in shape.items():
            assert isinstance(entry[key], kind), (key, entry[key])


def test_the_json_has_every_documented_key(demo: tuple[Ended, Path]) -> None:
    """Schema 1: every key is there, each of its type, and standard output is this document alone."""
    document = demo[0].json()
    assert list(document) == [
        "schema", "comparisons", "forecasts", "findings", "decisions", "not_evaluated", "warnings", "tables",
        "happenings",
    ]  # fmt: skip
    assert document["schema"] == 1
    assert_shape(document["comparisons"], COMPARISON)
    assert_shape(document["findings"], FINDING)
    assert_shape(document["decisions"], DECISION)
    assert [(d["kind"], d["to"], d["gain"]["is_confirmed"]) for d in document["decisions"]] == [
        ("change", 16, True), ("change", 8, True),
    ]  # fmt: skip
    for entry in document["not_evaluated"]:
        assert_shape([entry], NOT_EVALUATED)
    assert all(isinstance(warning, str) for warning in document["warnings"])
    for comparison in document["comparisons"]:
        assert comparison["verdict"] in {"improvement", "no_difference", "worse", "cannot_tell"}
        assert set(comparison["runs"]) == {"from", "to"}
        low, high = comparison["ci95"]
        assert low <= comparison["ratio"] <= high
    for finding in document["findings"]:
        assert finding["sources"]
        assert all(source["title"] and source["url"] for source in finding["sources"])


def test_a_forecast_of_the_json_has_every_documented_key() -> None:
    """Of a published study, whose backlog is known."""
    study = resource_path("published", "subscription-streams-wan-2007.csv")
    assert_shape(run_alone("advise", study, "--noise-cv", "0.03", "--json").json()["forecasts"], FORECAST)


def test_the_demonstration_finds_what_the_published_study_found(demo: tuple[Ended, Path]) -> None:
    """16 streams are best on 512 kbps, 8 on 128 kbps; no backlog is promised that nobody there has."""
    document = demo[0].json()
    confirmed = {
        c["conditions"]["network_kbps"]: (c["to"], c["verdict"])
        for c in document["comparisons"]
        if c["phase"] == "confirm"
    }
    assert confirmed == {512: (16, "improvement"), 128: (8, "improvement")}
    assert document["forecasts"] == []


def test_the_demonstration_ends_with_its_decisions(demo: tuple[Ended, Path]) -> None:
    """What to do, how sure, and where it is; on standard error with --json, after the progress."""
    ended, folder = demo
    assert ended.code == 0
    lines = ended.err.splitlines()
    assert not any("at the latest" in line for line in lines)  # the lab's time is its own
    ended_with = [line for line in lines if not line.startswith("Note: ")]
    assert [line.split(":")[0] for line in ended_with[:3]] == ["E1", "E2", "Decisions"]
    assert [line.split(":")[0] for line in lines[-2:]] == ["Verdicts", "Report"]
    numbered = [line for line in lines if line[0].isdigit()]
    assert len(numbered) == len(ended.json()["decisions"])
    assert str(folder / "report.pdf") in lines[-1]
    assert len(pypdf.PdfReader(folder / "report.pdf").pages) <= 7  # two decisions, each with the risk of more streams
