"""What is said about the published tables of commit modes: a checked-in table of verdicts, and where it is stricter."""

import json
from pathlib import Path
from typing import Any

import pytest

from app.domain.comparison import Comparison, Verdict
from app.domain.session import Advice
from app.foundation.paths import resource_path
from app.services.explain.advising import Advisor
from app.services.explain.imported_session import read_session
from app.systems.availability_groups.families.commit_mode import FAMILY
from tests.unit.runner.commit_runs import rules_of_the_family

FILE = resource_path("published") / "availability-groups-2016.csv"
GOLDEN = Path(__file__).parents[2] / "golden" / "verdicts_availability_groups.json"
# Residual of the physical model over all 42 values, known there with 35 degrees of freedom; here a given level counts
# with 7, and the three comparisons of a version's seven shapes count together.
NOISE_CV = 0.078

# Accepted by a two-sided t test with 35 degrees of freedom, Bonferroni over the shapes of one table.
ACCEPTED = {
    *(("2014", "async-on", "sync-on", inserts) for inserts in (10, 1_000, 1_000_000)),
    *(("2016", "async-on", "sync-off", 10**power) for power in range(7)),
    *(("2016", "sync-off", "sync-on", inserts) for inserts in (1, 10, 100)),
}


def advise(noise_cv: float | None) -> Advice:
    """Return what is said about the published file."""
    families = {"commit_mode": FAMILY}
    return Advisor(families, rules_of_the_family()).advise(read_session(FILE, families, noise_cv))


@pytest.fixture(scope="module", name="said")
def _said() -> Advice:
    return advise(NOISE_CV)


def key_of(c: Comparison) -> tuple[str, str, str, int]:
    """Return version, arms and inserts of a comparison."""
    arms = ("-".join(map(str, setting.values())) for setting in (c.reference, c.candidate))
    return str(c.conditions["server_version"]), *arms, int(c.conditions["inserts"])  # type: ignore[return-value]  # two arms follow


def test_verdicts_are_the_checked_in_ones(said: Advice) -> None:
    """28 comparisons, each with the verdict of the table."""
    table: list[dict[str, Any]] = json.loads(GOLDEN.read_text(encoding="utf-8"))
    expected = {(r["server_version"], r["from"], r["to"], r["inserts"]): r["verdict"] for r in table}
    assert {key_of(c): str(c.verdict) for c in said.comparisons} == expected
    assert len(said.comparisons) == len(expected) == 28


def test_nothing_is_shown_that_a_statistician_would_not_accept(said: Advice) -> None:
    """The noise is taken as less well known here, so four of the thirteen accepted differences stay open."""
    shown = {key_of(c) for c in said.comparisons if c.verdict is not Verdict.CANNOT_TELL}
    assert shown <= ACCEPTED
    assert ACCEPTED - shown == {
        ("2014", "async-on", "sync-on", 10),
        ("2014", "async-on", "sync-on", 1_000),
        ("2014", "async-on", "sync-on", 1_000_000),
        ("2016", "async-on", "sync-off", 1_000_000),
    }


def test_without_a_noise_level_single_values_tell_nothing() -> None:
    """Each value was measured once, however many loops it is the mean of."""
    assert {c.verdict for c in advise(None).comparisons} == {Verdict.CANNOT_TELL}


def test_the_advice_is_that_of_the_study(said: Advice) -> None:
    """Know what changed, compress where bulk inserts matter, not on every server: a lead, not a claim."""
    found = {finding.rule: finding for finding in said.findings}
    assert {"commit-know-what-changed", "commit-compress-synchronous", "commit-compression-old-version"} <= set(found)
    assert found["commit-compress-synchronous"].title.endswith("(not confirmed yet)")
    assert found["commit-bytes"].parameter == "availability_mode"


def test_the_tables_are_those_of_the_study(said: Advice) -> None:
    """Seven shapes each; the penalties of 2014 and 2016 are the printed ones."""
    percents = {}
    for table in said.tables:
        cells = [[cell.value for cell in row if not isinstance(cell, str)] for row in table.rows]
        assert [row[0] for row in cells] == [10**power for power in range(7)]
        percents[table.table_id] = [round(row[6]) for row in cells]
    assert [9, 41, 17, 42, 30, 33, 41] in percents.values()
    [table_2014] = [ident for ident in percents if "2014" in ident]
    assert percents[table_2014] == [9, 41, 17, 42, 30, 33, 41]


def test_a_run_may_hold_several_shapes() -> None:
    """Rows that differ in the shape only are one run: its name stands for all of them."""
    measurements = read_session(FILE, {"commit_mode": FAMILY}, None).imported
    assert len(measurements) == 42
    assert {m.trial_id for m in measurements} == {
        f"{session}-{mode}" for session in ("2014", "2016", "2016-TF9592") for mode in ("async", "sync")
    }
