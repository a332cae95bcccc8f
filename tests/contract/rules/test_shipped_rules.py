"""Every shipped rule: complete, sourced, tried on its own cases, honest about what it claims."""

import re
from dataclasses import fields
from pathlib import Path

import pytest

from app.advice import CaseReport, Expect, Pack, Rule, check_cases, evaluate, load_packs
from app.advice.evaluate import decide, known_facts
from app.bootstrap import load_families, load_systems
from app.domain.comparison import Verdict
from app.domain.facts import FactValue
from app.domain.finding import Finding
from app.foundation.paths import rules_root
from tests.kinds import KINDS
from tests.rows import every_row
from tests.shipped_rules import PACKS

FAMILIES = tuple(load_families())
RULES = tuple(rule for pack in PACKS for rule in pack.rules)
FIGURES = {
    "",
    "by-setting",
    "effects",
    "in-order",
    "over-time",
    "catch-up",
    "penalty",
    "waits",
    "cpu",
    "network",
    "spills",
    "pauses",
    "redo",
    "stages",
}

every_rule = every_row("rule", RULES, ids=[rule.rule_id for rule in RULES])


@pytest.fixture(scope="module")
def report() -> CaseReport:
    """All cases, run once."""
    return check_cases(PACKS)


def _findings(rule: Rule) -> list[Finding]:
    """Return what a rule says in each of its firing cases."""
    made = [
        decide(rule, rule.applies_to.families[0], known_facts(dict(case.facts), KINDS), ("E1-T001",))
        for case in rule.cases
        if case.expect is Expect.FIRES
    ]
    return [finding for finding in made if isinstance(finding, Finding)]


def test_all_cases_hold_and_every_boundary_is_pinned(report: CaseReport) -> None:
    """Each rule fires, stays silent and decides on its boundaries as its cases say."""
    assert [failure.sentence() for failure in report.failures] == []
    assert report.rules == len(RULES)
    assert report.cases > 3 * len(RULES)


def test_every_family_has_rules_of_its_own() -> None:
    """No experiment ends without advice."""
    assert {pack.family for pack in PACKS} == set(FAMILIES)


@every_rule
def test_a_rule_can_be_defended(rule: Rule) -> None:
    """Sources with an address, trade-offs, risk and undo are there, in sentences."""
    assert rule.sources
    assert all(source.title and source.url.startswith("http") for source in rule.sources)
    assert rule.figure in FIGURES
    for finding in _findings(rule):
        for text in (finding.recommendation, finding.because, finding.trade_offs, finding.risk, finding.undo):
            assert text[0].isupper() or text[0].isdigit()
            assert text.endswith(".")
        assert finding.title
        assert not finding.title.endswith(".")


@every_rule
def test_a_rule_fires_and_all_its_texts_are_filled_in(rule: Rule) -> None:
    """Every placeholder is replaced, and no raw number slips through."""
    findings = _findings(rule)
    assert findings
    for finding in findings:
        for field in fields(Finding):
            value = getattr(finding, field.name)
            if isinstance(value, str) and field.name != "figure":
                assert not re.search(r"[{}]|\bnan\b|\binf\b|True|False|\d{5,}|\.\d{4,}", value), value


@every_rule
def test_some_case_tells_everything_the_rule_can_tell(rule: Rule) -> None:
    """Each optional sentence is seen at least once."""
    seen = {name for case in rule.cases if case.expect is Expect.FIRES for name, _value in case.facts}
    assert set(rule.wants) <= seen


@every_rule
def test_a_missing_need_is_seen_in_a_case(rule: Rule) -> None:
    """For each rule there is an example of what happens when a fact is not known."""
    assert any(case.expect is Expect.NOT_EVALUATED for case in rule.cases)


@every_rule
def test_a_rule_needs_only_what_it_uses(rule: Rule) -> None:
    """A need that neither condition nor texts use would keep a rule from speaking for nothing."""
    used = set(rule.when.names).union(*(text.names for text in rule.texts))
    used |= {name for number in rule.derived for name in number.expression.names}
    used |= {
        v.name for v in (rule.parameter, rule.from_value, rule.to_value) if not isinstance(v, str | int | float | None)
    }
    assert set(rule.needs) | set(rule.wants) <= used
    assert {number.name for number in rule.derived} <= used


@every_rule
def test_thresholds_say_where_they_come_from(rule: Rule) -> None:
    """A number in a condition, other than 0 and 1 and a factor of 100, has a comment with its source above it."""
    numbers = set(re.findall(r"(?<![\w.])\d+(?:\.\d+)?", rule.when.text)) - {"0", "1", "100"}
    lines = Path(rule.file).read_text(encoding="utf-8").splitlines()[rule.line - 1 :]
    if numbers:
        start = next(i for i, line in enumerate(lines) if line.startswith("    when:"))
        comments = " ".join(line for line in lines[max(0, start - 5) : start] if line.strip().startswith("#"))
        assert comments, f"{rule.rule_id}: {sorted(numbers)}"


@pytest.mark.parametrize("verdict", [v.value for v in Verdict if v is not Verdict.IMPROVEMENT])
@pytest.mark.parametrize("family", FAMILIES)
def test_nothing_is_to_be_changed_without_an_improvement(family: str, verdict: str) -> None:
    """With every other fact speaking for a change, a verdict that shows none recommends none."""
    facts: dict[str, FactValue] = {name: 1_000.0 for name, kind in KINDS.items() if kind.type == "number"}
    facts |= {name: "any" for name, kind in KINDS.items() if kind.type == "text"}
    facts |= {"verdict": verdict, "best_differs": True, "confirmed": True, "scenario": "continuous"}
    facts |= {"baseline_value": 100, "gain_percent": 50, "trials_per_setting": 1}
    known = load_families()[family]
    own = {parameter.name for parameter in known.parameters}
    for factor in sorted({factor for rule in RULES for factor in rule.applies_to.factors} & own):
        findings, _skipped = evaluate(PACKS, known.system.engine, family, {**facts, "factor": factor}, ())
        assert findings
        assert all(finding.to_value is None for finding in findings)


SWEEP: dict[str, FactValue] = {
    "best_differs": True,
    "confirmed": True,
    "smallest_level": 1,
    "minimum_effect_percent": 5,
    "factors_varied": 1,
    "trials_per_setting": 3,
    "fewest_trials": 3,
    "trials_needed": 0,
    "effect": "18 % less run time",
    "effect_interval": "10–60 %",
    "best_setting": "Parameter 8",
    "baseline_setting": "Parameter 1",
    "shown_factor": "Parameter",
    "largest_level_effect": "45 % more run time",
    "largest_level_effect_interval": "32–58 %",
}


@pytest.mark.parametrize(
    ("family", "factor", "facts", "rules"),
    [
        (
            "log_reader",
            "ReadBatchSize",
            {"verdict": "improvement", "baseline_value": 500, "best_value": 5000, "gain_percent": 17.7,
             "commands_per_transaction": 1},
            {"read-batch-larger", "read-batch-small-transactions"},
        ),
        (
            "log_reader",
            "ReadBatchSize",
            {"verdict": "no_difference", "baseline_value": 500, "best_value": 5000, "gain_percent": 0.4,
             "largest_level": 10000, "commands_per_transaction": 750},
            {"log-reader-no-difference", "read-batch-large-transactions"},
        ),
        (
            "log_reader",
            "ReadBatchSize",
            {"verdict": "cannot_tell", "agent_pairs": 3, "baseline_value": 500, "best_value": 1000,
             "largest_level": 5000, "longest_gap_s": 190, "longest_gap_baseline_s": 12, "lock_wait_s_per_agent_s": 0.4,
             "trials_needed": 9},
            {"log-reader-starved-deliveries", "log-reader-lock-waits", "log-reader-cannot-tell"},
        ),
        (
            "distribution_agent",
            "SubscriptionStreams",
            {"verdict": "improvement", "baseline_value": 1, "best_value": 8, "largest_level": 16, "gain_percent": 45.2,
             "largest_level_loss_percent": 44.5, "largest_level_loss_low_percent": 32, "subscriber_cpus": 4,
             "stream_fallbacks": 1, "stream_trials": 12, "foreign_keys": 2, "unique_nonclustered_indexes": 1,
             "indexed_views": 0, "triggers": 3},
            {"streams-more", "streams-too-many", "streams-above-processors", "streams-fell-back",
             "streams-foreign-keys", "streams-unique-indexes", "streams-triggers"},
        ),
        (
            "distribution_agent",
            "CommitBatchSize",
            {"verdict": "no_difference", "baseline_value": 100, "best_value": 150, "smallest_level": 100,
             "largest_level": 1000, "gain_percent": 1.0,
             "commands_per_transaction": 2.5, "commit_batch_threshold": 1000},
            {"delivery-no-difference", "commit-batch-no-effect", "commit-batch-plateau"},
        ),
        (
            "wan_delivery",
            "SubscriptionStreams",
            {"verdict": "improvement", "baseline_value": 1, "best_value": 8, "largest_level": 16, "gain_percent": 434,
             "largest_level_loss_percent": 11.2, "largest_level_loss_low_percent": 3, "rtt_ms": 300,
             "network_kbps": 128, "bandwidth_use_baseline_percent": 17, "bandwidth_use_best_percent": 90,
             "backlog_commands": 240_000, "catch_up_baseline_h": 11.3, "catch_up_baseline_low_h": 10.7,
             "catch_up_baseline_high_h": 12.0, "catch_up_best_h": 2.1, "catch_up_best_low_h": 2.0,
             "catch_up_best_high_h": 2.3},
            {"streams-more", "link-latency-bound", "link-bandwidth-bound", "link-more-streams-lose",
             "catch-up-shorter"},
        ),
    ],
)  # fmt: skip
def test_the_published_situations_get_their_advice(
    family: str, factor: str, facts: dict[str, FactValue], rules: set[str]
) -> None:
    """Small and large transactions, three agents, streams on a LAN and a narrow line are told apart as published."""
    findings, _skipped = evaluate(PACKS, "sqlserver", family, {**SWEEP, **facts, "factor": factor}, ("E1-T001",))
    assert {finding.rule for finding in findings} == rules


def test_packs_are_immutable_data() -> None:
    """Loading again gives equal packs, so nothing in them depends on the moment."""
    again: tuple[Pack, ...] = load_packs((rules_root(),), FAMILIES, KINDS)
    assert again == PACKS


def test_every_fact_says_what_it_is() -> None:
    """Meaning and title are words, without a blank at an end; a title of a number a rule works out has such a rule."""
    for kind in KINDS.values():
        for words in (kind.meaning, kind.title):
            assert words == words.strip() != "", kind
            assert "{" not in words, kind
    derived = {number.name for rule in RULES for number in rule.derived}
    assert {name for system in load_systems().values() for name in system.derived_titles} <= derived - set(KINDS)


@every_rule
def test_what_is_told_in_words_comes_in_numbers_too(rule: Rule) -> None:
    """A program that reads findings gets the gain and its interval, not only "43 % less run time"."""
    told = {number for name in (*rule.needs, *rule.wants) for number in KINDS[name].tells if number in KINDS}
    for case in rule.cases:
        if case.expect is Expect.FIRES:
            facts = known_facts({**dict.fromkeys(told, 12.5), **dict(case.facts)}, KINDS)
            finding = decide(rule, rule.applies_to.families[0], facts, ("E1-T001",))
            assert isinstance(finding, Finding)
            assert told <= {name for name, _value, _unit in finding.facts}


def test_a_rule_about_what_was_looked_at_has_nothing_to_say_of_a_run() -> None:
    """Without the agent that was observed such a rule is not even listed as not evaluated."""
    looking = [rule for rule in RULES if "observed_agent" in rule.needs]
    assert looking
    assert {rule.applies_to.subject for rule in looking} == {"observed_agent"}
    for family in {family for rule in looking for family in rule.applies_to.families}:
        _findings_made, skipped = evaluate(PACKS, "sqlserver", family, {"verdict": "cannot_tell"}, ("E1-T001",))
        assert not {rule.rule_id for rule in looking} & {one.rule for one in skipped}
