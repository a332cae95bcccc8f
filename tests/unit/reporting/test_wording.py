"""Numbers and sentences of the report."""

import re
from dataclasses import replace
from math import inf, nan

import pytest

from app.bootstrap import load_families
from app.domain.comparison import Verdict
from app.domain.effect import effect_interval
from app.domain.plan import Phase
from app.domain.setting import Setting
from app.reporting.matching import carrying_comparison
from app.reporting.numbers import duration, number, percent, quantity
from app.reporting.wording import (
    Vocabulary,
    change_text,
    claim_word,
    effect_text,
    interval_text,
    trial_ranges,
    verdict_word,
)
from tests.report.sample import FAMILIES, full_advice
from tests.report.scripts import WORDS


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"), (12, "12"), (1_000_000, "1,000,000"), (3.14159, "3.142"), (0.00012345, "0.0001234"),
        (99999.7, "100,000"), (-2.5, "−2.5"), (inf, "∞"), (nan, "–"), (True, "yes"), ("push", "push"),
    ],
)  # fmt: skip
def test_numbers_have_four_digits_and_separators(value: float | str, text: str) -> None:
    """A number is as precise as it needs to be, and a text stays as it is."""
    assert number(value) == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.0142, "14.2 ms"), (0.3, "300 ms"), (7.622, "7.62 s"),
        (52.34, "52.3 s"), (59.97, "1 min"), (75.2, "1 min 15 s"), (90.0, "1 min 30 s"),
        (600.0, "10 min"), (3599.7, "1 h"), (4590.0, "1 h 16 min"), (36000.0, "10 h"), (35_280.0, "9 h 48 min"),
        (342_000.0, "95 h"), (inf, "∞"),
    ],
)  # fmt: skip
def test_durations_have_a_fitting_unit(seconds: float, text: str) -> None:
    """A length of time is given in the unit a person would use."""
    assert duration(seconds).replace("\u00a0", " ") == text


def test_counts_have_no_unit() -> None:
    """A count is a bare number, every other quantity names its unit."""
    assert quantity(16, "count") == "16"
    assert quantity(2.5, "ms") == "2.5\u00a0ms"
    assert percent(0.1815) == "18\u00a0%"
    assert percent(0.052) == "5.2\u00a0%"


@pytest.mark.parametrize(
    ("ratio", "text"),
    [
        (0.82, "18 % lower"),
        (1.5, "50 % higher"),
        (1.0, "the same"),
        (7.72, "7.7 times as high"),
        (1 / 81, "down to 1/81"),
        (inf, "unlimited"),
    ],
)
def test_ratios_are_told_as_changes(ratio: float, text: str) -> None:
    """0.82 of a run time reads "18 % lower"."""
    assert change_text(ratio).replace("\u00a0", " ") == text


@pytest.mark.parametrize(
    ("low", "high", "text"),
    [
        (0.78, 0.86, "14 % to 22 % lower"),
        (1.02, 1.1, "2 % to 10 % higher"),
        (7.14, 8.35, "7.1 to 8.3 times as high"),
        (0.96, 1.03, "4 % lower to 3 % higher"),
        (0.0, inf, "no interval can be given"),
        (1 / 96, 1 / 69, "1/96 to 1/69"),
    ],
)
def test_intervals_are_told_as_changes(low: float, high: float, text: str) -> None:
    """An interval names the smaller change first, or both directions where it includes no change."""
    assert interval_text(low, high).replace("\u00a0", " ") == text


@pytest.mark.parametrize("ratio", [1.2, 1.9, 2.0, 2.08, 7.7])
@pytest.mark.parametrize("width", [1.02, 1.5, 4.0])
def test_an_interval_stands_in_the_terms_of_its_effect(ratio: float, width: float) -> None:
    """Nobody reads "2.1 times as high" beside "38 % to 214 % higher"."""
    told = interval_text(ratio / width, ratio * width, ratio)
    assert ("times as high" in change_text(ratio)) == ("times as high" in told), told


@pytest.mark.parametrize(("ratio", "noise"), [(408.0, "493 %"), (1.03, "0.9 %"), (1.0, "")])
def test_two_single_runs_say_what_noise_would_explain_them(ratio: float, noise: str) -> None:
    """408-fold is not 1.03-fold, although neither has an interval; of more than two runs nothing is said."""
    single = replace(
        full_advice().comparisons[0],
        ratio=ratio,
        low=0.0,
        high=inf,
        smallest_effect=inf,
        reference_trials=("A",),
        candidate_trials=("B",),
    )
    text = effect_text(single, "Run time").replace("\u00a0", " ")
    assert (f"would have to vary by {noise} " in text) if noise else "scatter" not in text
    assert "scatter" not in effect_text(replace(single, candidate_trials=("B", "C")), "Run time")


def test_effect_sentence_has_interval_and_sample_sizes() -> None:
    """The sentence beside a verdict says how much, how sure and from how many trials."""
    text = effect_text(full_advice().comparisons[0], "Run time").replace("\u00a0", " ")
    assert text == "Run time 18 % lower (95 % interval: 15 % to 20 % lower; 3 against 3 trials)."


def test_consecutive_trials_are_shortened() -> None:
    """A long list of trial ids reads as ranges; ids without a number stand alone."""
    ids = ("E1-T009", "E1-T001", "E1-T002", "E1-T003", "E1-T004", "E2-T001", "other")
    assert trial_ranges(ids) == "E1-T001 to E1-T004, E1-T009, E2-T001, other"
    assert trial_ranges(()) == "–"


def test_settings_name_what_differs() -> None:
    """A comparison of one parameter reads "ReadBatchSize 5,000 against 500"."""
    assert Vocabulary(()).against(full_advice().comparisons[0]) == "ReadBatchSize 5,000 against 500"
    under = Setting.of(commands_per_transaction=2.5, row_kb=1)
    assert WORDS.conditions(under) == "2.5 commands for each transaction, row kb 1"


def test_a_factor_is_called_what_a_person_calls_it() -> None:
    """No heading or cell shows `seeding_method` or `direct_compressed`; the vendor's own words stay."""
    vendors = ("oracle_streams", "change_data_capture")  # whose parameters are lower case
    families = [family for family in load_families().values() if family.system.system_id not in vendors]
    words = Vocabulary(families)
    seeding = Setting.of(seeding_method="direct_compressed", BUFFERCOUNT=50)
    assert words.setting("seeding", seeding) == "BUFFERCOUNT 50, Seeding method: compressed direct seeding"
    assert words.factor("commit_mode", "log_stream_compression") == "Log stream compression"
    machine_names = re.compile(r"[a-z]+_[a-z_]+|[a-z]+")
    for family in families:
        for parameter in family.parameters:
            assert not machine_names.fullmatch(words.factor(family.family_id, parameter.name)), parameter.name


def test_every_verdict_has_its_own_word() -> None:
    """No two verdicts are called the same."""
    assert len({verdict_word(verdict) for verdict in Verdict}) == len(Verdict)


def test_unknown_families_are_named_by_their_id() -> None:
    """A family nobody described gets a readable name all the same."""
    words = Vocabulary(FAMILIES)
    assert words.family("log_reader") == "Log Reader Agent"
    assert words.family("commit_mode") == "Commit mode"
    assert words.metric("commit_mode", "run_time") == "Run time"


def test_a_finding_is_carried_by_the_comparison_of_its_values() -> None:
    """The verdict on a finding's page is that of the values it recommends, confirmed where it was."""
    advice = full_advice()
    carrying = carrying_comparison(advice.findings[1], advice.comparisons)
    assert carrying is not None
    assert carrying.candidate == Setting.of(SubscriptionStreams=8)
    assert carrying.phase.value == "confirm"


def test_a_larger_effect_of_exploring_trials_does_not_carry_a_finding() -> None:
    """The best of several settings looks better than it is while exploring; the fresh trials are what is shown."""
    advice = full_advice()
    confirmed = carrying_comparison(advice.findings[1], advice.comparisons)
    assert confirmed is not None
    lucky = replace(confirmed, phase=Phase.EXPLORE, ratio=confirmed.ratio / 2)
    assert carrying_comparison(advice.findings[1], (lucky, confirmed)) == confirmed
    assert carrying_comparison(advice.findings[1], (lucky,)) == lucky


def test_a_finding_that_changes_nothing_borrows_no_gain() -> None:
    """A finding about latency does not show the badge of the run time's improvement."""
    advice = full_advice()
    assert carrying_comparison(advice.findings[5], advice.comparisons) is None


def test_what_no_fresh_trials_confirm_is_no_shown_improvement() -> None:
    """A difference without confirmation says so; a verdict that claims no difference is as it was."""
    confirmed = replace(full_advice().comparisons[0], phase=Phase.CONFIRM, verdict=Verdict.IMPROVEMENT)
    assert claim_word(confirmed) == "Improvement shown"
    assert claim_word(replace(confirmed, phase=Phase.EXPLORE)) == "Improvement, not confirmed"
    open_one = replace(confirmed, phase=Phase.EXPLORE, verdict=Verdict.CANNOT_TELL)
    assert claim_word(open_one) == verdict_word(Verdict.CANNOT_TELL)


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (1, "rows", "1\u00a0row"), (2, "rows", "2\u00a0rows"), (1, "inserts", "1\u00a0insert"), (1, "ms", "1\u00a0ms"),
        (1.0, "commands", "1\u00a0command"), (1, "count", "1"), (1, "connections", "1\u00a0connection"),
    ],
)  # fmt: skip
def test_one_is_singular(value: float, unit: str, text: str) -> None:
    """A single one has the singular of its unit."""
    assert quantity(value, unit) == text


def test_conditions_of_one_are_singular() -> None:
    """One insert of a million rows, and a million inserts of one row."""
    assert WORDS.conditions(Setting.of(inserts=1, rows_per_insert=1_000_000)) == "1 insert, 1,000,000 rows per insert"
    assert WORDS.conditions(Setting.of(inserts=2, rows_per_insert=1)) == "2 inserts, 1 row per insert"
    assert WORDS.link(Setting.of(commands_per_transaction=1)) == "1 command for each transaction"


@pytest.mark.parametrize(
    ("low", "high", "told", "effect"),
    [
        (0.5, 101, "50 % lower to 10,000 % higher", "−50 % to +10,000 %"),
        (0.5, 101.1, "no interval can be given", ""),
        (1 / 102, 0.5, "at least 50 % lower", "at least 50 %"),  # no change is excluded: the near end is known
        (1.5, 200, "at least 50 % higher", "at least 50 %"),
    ],
)
def test_no_interval_reaches_beyond_ten_thousand_percent(low: float, high: float, told: str, effect: str) -> None:
    """In any of the ways an interval is written."""
    assert interval_text(low, high).replace("\u00a0", " ") == told
    assert effect_interval(0.9, low, high).replace("\u00a0", " ") == effect
