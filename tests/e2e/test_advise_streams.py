"""`advise` on the published Streams tests: the author's conclusion, with what its numbers do not say beside it."""

import json

from app.foundation.paths import resource_path
from tests.e2e.program import ROOT, call

PUBLISHED = "oracle-streams-2009.csv"
EXPECTED = json.loads((ROOT / "tests" / "golden" / "advice_streams_2009.json").read_text(encoding="utf-8"))


def _advise(*options: str) -> dict[str, object]:
    document: dict[str, object] = call("advise", resource_path("published", PUBLISHED), *options, "--json").json()
    return document


def _told(document: dict[str, object]) -> dict[str, object]:
    """Return what is compared with the checked-in expectation: comparisons, and which rule says what."""
    comparisons, findings = document["comparisons"], document["findings"]
    assert isinstance(comparisons, list)
    assert isinstance(findings, list)
    keys = ("factor", "conditions", "metric", "unit", "from", "to", "verdict")
    return {
        "comparisons": [{**{k: c[k] for k in keys}, "ratio": round(c["ratio"], 3)} for c in comparisons],
        "findings": sorted(
            ({k: f[k] for k in ("rule", "from", "to", "title")} for f in findings), key=lambda found: found["rule"]
        ),
    }


def test_the_conclusion_of_the_published_tests_is_reached_with_its_caveats() -> None:
    """At 6 % noise the higher threshold is shown to be faster; whole minutes and staging without spills are told."""
    assert _told(_advise("--noise-cv", "0.06")) == EXPECTED["noise 6 %"]


def test_single_runs_without_a_noise_level_recommend_nothing() -> None:
    """One run of each setting: cannot tell yet, no value to set, and the mechanisms are told all the same."""
    told = _told(_advise())
    assert told == EXPECTED["noise not given"]
    findings = told["findings"]
    assert isinstance(findings, list)
    assert not any(finding["to"] for finding in findings)
    assert {"streams-cannot-tell", "spill-threshold-stages-all", "streams-whole-minutes"} <= {
        finding["rule"] for finding in findings
    }


def test_tests_of_one_setting_only_are_named() -> None:
    """Tests 1 and 2 have nothing to be compared with, and a warning says so."""
    warnings = _advise()["warnings"]
    assert isinstance(warnings, list)
    assert any("rows 1,000,000" in text and "cannot be compared" in text for text in warnings)
