"""Trying rules on their own cases."""

from pathlib import Path

from app.advice import check_cases
from tests.unit.advice.packs import changed, load

NO_GAIN = "      - {name: no gain, expect: does_not_fire, facts: {verdict: no_difference}}\n"
EXACTLY = "      - {name: exactly five, expect: fires, facts: {gain_percent: 5}}\n"


def test_a_pack_that_does_what_it_says_passes(tmp_path: Path) -> None:
    """All cases of the valid pack go as expected."""
    report = check_cases(load(tmp_path))
    assert report.passed
    assert (report.rules, report.cases, report.failures) == (1, 4, ())


def test_a_case_that_goes_otherwise_is_told_with_its_reason(tmp_path: Path) -> None:
    """The failure names place, rule, case, what was expected, what happened and why."""
    report = check_cases(load(tmp_path, changed("verdict: no_difference}", "gain_percent: 9}")))
    (failure, _no_longer_silent) = report.failures[0], report.failures[1:]
    assert not report.passed
    assert (failure.rule, failure.case) == ("larger-batch", "no gain")
    assert (failure.expected, failure.got) == ("does_not_fire", "fires")
    assert failure.sentence() == (
        f'{failure.file}, line 33: rule "larger-batch", case "no gain": expected does_not_fire, got fires; '
        "its condition \"verdict == 'improvement' and best_differs and gain_percent >= 5\" holds"
    )


def test_a_case_that_does_not_fire_says_so(tmp_path: Path) -> None:
    """A rule that stays silent where it should speak is told with its condition."""
    report = check_cases(load(tmp_path, changed("facts: {gain_percent: 5}", "facts: {gain_percent: 4.9}")))
    assert report.failures[0].got == "does_not_fire"
    assert "does not hold" in report.failures[0].why


def test_a_case_with_a_missing_fact_says_which(tmp_path: Path) -> None:
    """A case that forgot a fact is told what is not known."""
    report = check_cases(load(tmp_path, changed("facts: {gain_percent: 5}", "facts: {gain_percent: null}")))
    assert report.failures[0].got == "not_evaluated"
    assert "missing data" in report.failures[0].why


def test_a_rule_needs_a_case_that_does_not_fire(tmp_path: Path) -> None:
    """A rule that is only shown firing might fire always."""
    (failure,) = check_cases(load(tmp_path, changed(NO_GAIN, ""))).failures
    assert failure.why == "it needs a case that expects does_not_fire"
    assert failure.sentence().endswith('line 6: rule "larger-batch": it needs a case that expects does_not_fire')


def test_a_boundary_without_a_case_is_named(tmp_path: Path) -> None:
    """A comparison no case lies on could be off by one without anyone noticing."""
    (failure,) = check_cases(load(tmp_path, changed(EXACTLY, ""))).failures
    assert '"gain_percent >= 5"' in failure.why


def test_a_change_without_a_shown_improvement_is_found(tmp_path: Path) -> None:
    """A rule that would recommend a change whatever the verdict fails its test."""
    text = changed("verdict == 'improvement' and ", "").replace("verdict: no_difference", "gain_percent: 1")
    whys = [failure.why for failure in check_cases(load(tmp_path, text)).failures]
    assert any('still holds with verdict = "cannot_tell"' in why for why in whys)


def test_a_change_to_the_present_value_is_found(tmp_path: Path) -> None:
    """A rule that would recommend what is already set fails its test."""
    whys = [failure.why for failure in check_cases(load(tmp_path, changed("best_differs and ", ""))).failures]
    assert any("still holds with best_differs" in why for why in whys)
