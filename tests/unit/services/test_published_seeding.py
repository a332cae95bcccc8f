"""What is said about the published test of seeding: a checked-in table of verdicts, and the caveats beside it."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from app.domain.session import Advice
from app.foundation.paths import resource_path
from app.services.explain.advising import Advisor
from app.services.explain.imported_session import read_session
from app.systems.availability_groups.families.seeding import FAMILY
from tests.unit.runner.seeding_runs import rules_of_seeding

FILE = resource_path("published") / "direct-seeding-2016.csv"
ROOT = Path(__file__).parents[2]
TABLE: list[dict[str, Any]] = json.loads((ROOT / "golden" / "verdicts_seeding.json").read_text(encoding="utf-8"))
# Nothing published tells how much such runs scatter; 5 % is what the lab assumes.
NOISE_CV = 0.05


@cache
def advise(noise_cv: float | None) -> Advice:
    """Return what is said about the published file."""
    families = {"seeding": FAMILY}
    return Advisor(families, rules_of_seeding()).advise(read_session(FILE, families, noise_cv))


@pytest.mark.parametrize("noise_cv", [None, NOISE_CV])
def test_verdicts_are_the_checked_in_ones(noise_cv: float | None) -> None:
    """Without a noise level single runs tell nothing; with one, three times as fast is shown and equality is not."""
    expected = {(row["from"], row["to"]): row["verdict"] for row in TABLE if row["noise_cv"] == noise_cv}
    assert len(expected) == 3
    assert {
        (c.reference["seeding_method"], c.candidate["seeding_method"]): str(c.verdict)
        for c in advise(noise_cv).comparisons
    } == expected


def test_the_steps_are_the_printed_ones() -> None:
    """6'55'', 17'10'', 0'01'', 24'06'' and 8 minutes, in the table as in the article."""
    [table] = advise(None).tables
    rows = {str(row[0]): row[2:] for row in table.rows}
    printed = {
        "Time to seed": (1446.0, 480.0, 480.0),
        "Backup time": (415.0,),
        "Restore time": (1030.0,),
        "Join time": (1.0,),
        "Network while data is sent": (154.5, 2200.0, 880.0),
        "Processor use of the primary while reading": (35.0, 70.0, 100.0),
    }
    for name, values in printed.items():
        assert tuple(round(c.value, 1) for c in rows[name] if not isinstance(c, str)) == values, name


def test_a_third_of_the_time_is_a_lead_and_no_gain_is_not_claimed() -> None:
    """Direct seeding is recommended, not confirmed; that compression gains nothing is called not shown."""
    found = {finding.rule: finding for finding in advise(NOISE_CV).findings}
    assert found["seeding-direct"].title.endswith("(not confirmed yet)")
    assert found["seeding-direct"].to_value == "direct"
    assert "seeding-compress-not-shown" in found
    assert not {"seeding-compress", "seeding-compress-leave"} & set(found)
    assert {"seeding-processors-full", "seeding-compress-processors"} <= set(found)


def test_what_contradicts_itself_is_said_first() -> None:
    """2.2 Gbps over eight minutes are 132 GB of a database of 100 GB."""
    first = advise(NOISE_CV).findings[0]
    assert first.rule == "seeding-numbers-disagree"
    assert "132\u00a0%" in first.because


@pytest.mark.parametrize(
    "caveat",
    ["no time is printed for compressed seeding", "132 GB", "a burst and no mean", "in whole minutes", '"gain x 2.5"'],
)
def test_caveats_stand_as_notes(caveat: str) -> None:
    """What the article does not say, or only roughly, is told with the findings."""
    assert any(caveat in warning for warning in advise(NOISE_CV).warnings)


def test_without_a_noise_level_nothing_is_recommended() -> None:
    """Single runs are leads."""
    said = advise(None)
    assert all(finding.to_value is None for finding in said.findings)
    assert "seeding-cannot-tell" in {finding.rule for finding in said.findings}


def test_every_number_is_a_published_one() -> None:
    """Each value is printed, or follows from two printed ones as its note says."""
    points = json.loads((ROOT / "facts" / "published.json").read_text(encoding="utf-8"))["points"]
    printed = {float(point["value"]) for point in points if point["seed"].startswith("003")}
    middles = {(135.0 + 174.0) / 2, (350.0 + 450.0) / 2}
    measurements = read_session(FILE, {"seeding": FAMILY}, None).imported
    assert len(measurements) == 16
    for m in measurements:
        value = m.value * 100 if m.unit == "share" else m.value
        assert round(value, 6) in printed | middles | {2_200.0 / 2.5}, m.metric


def test_published_backups_of_2025_agree_on_the_lowest_level() -> None:
    """Three authors saw ZSTD LOW back up faster than MS_XPRESS; what is said asks for a measurement of one's own."""
    families = {"seeding": FAMILY}
    advice = Advisor(families, rules_of_seeding()).advise(
        read_session(resource_path("published") / "backup-compression-2025.csv", families, NOISE_CV)
    )
    verdicts = {
        (c.conditions["database_mb"], c.candidate["backup_compression"]): str(c.verdict)
        for c in advice.comparisons
        if c.reference["backup_compression"] == "MS_XPRESS"
    }
    assert [verdicts[size, "ZSTD_LOW"] for size in (171_477, 389_370, 25_047)] == ["improvement"] * 3
    assert verdicts[25_047, "ZSTD_HIGH"] != "improvement"
    assert [f.to_value for f in advice.findings if f.rule == "seeding-backup-option"] == ["ZSTD_LOW"] * 3
    assert all("not confirmed" in f.title for f in advice.findings if f.rule == "seeding-backup-option")
