"""From facts to findings: what is said, what is left out, and what is never claimed."""

import copy
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.advice import Pack, evaluate
from app.advice.evaluate import known_facts
from app.domain.facts import FactValue
from app.domain.finding import Finding, NotEvaluated, Source
from tests.kinds import KINDS
from tests.unit.advice.packs import PACK, RULE, changed, load

FACTS: dict[str, FactValue] = {
    "factor": "ReadBatchSize",
    "verdict": "improvement",
    "best_differs": True,
    "confirmed": True,
    "baseline_value": 500,
    "best_value": 5000.0,
    "gain_percent": 17.716,
}


def _evaluate(
    packs: tuple[Pack, ...], facts: dict[str, FactValue], version: str = ""
) -> tuple[tuple[Finding, ...], tuple[NotEvaluated, ...]]:
    return evaluate(packs, "sqlserver", "log_reader", facts, ("E1-T001", "E1-T002"), engine_version=version)


def _one(packs: tuple[Pack, ...], facts: dict[str, FactValue]) -> Finding:
    (finding,), skipped = _evaluate(packs, facts)
    assert skipped == ()
    return finding


def test_a_finding_carries_everything_needed_to_defend_it(tmp_path: Path) -> None:
    """Rule, version, values, texts with numbers, sources, evidence, facts and figure all arrive."""
    finding = _one(load(tmp_path), {**FACTS, "commands_per_transaction": 2.5, "reader_wait_share": 0.31})
    assert finding == Finding(
        rule="larger-batch",
        version=3,
        family="log_reader",
        priority=2,
        task="Raise ReadBatchSize to 5,000",
        recommendation="Set it to 5,000.",
        because="It was 17.7\u00a0% better than 500. A batch holds up to 12,500\u00a0commands. "
        "Lock waits took 31\u00a0%.",
        trade_offs="Latency.",
        risk="Contention.",
        undo="Set it to 500 again.",
        parameter="ReadBatchSize",
        from_value=500,
        to_value=5000,
        sources=(Source("A page, Part 1", "https://example.org/page"),),
        evidence=("E1-T001", "E1-T002"),
        facts=(
            ("verdict", "improvement", ""),
            ("best_differs", True, ""),
            ("baseline_value", 500, ""),
            ("best_value", 5000.0, ""),
            ("gain_percent", 17.716, "%"),
            ("commands_per_transaction", 2.5, "commands"),
            ("reader_wait_share", 0.31, "share"),
            ("best_batch", 12500.0, "commands"),
        ),
        figure="effects",
    )
    assert isinstance(finding.to_value, int)


def test_wanted_facts_that_are_unknown_only_shorten_the_text(tmp_path: Path) -> None:
    """A rule says what it can; infinite numbers tell nothing and are left out as well."""
    finding = _one(load(tmp_path), {**FACTS, "reader_wait_share": float("inf")})
    assert finding.because == "It was 17.7\u00a0% better than 500."


def test_an_unconfirmed_gain_is_a_lead(tmp_path: Path) -> None:
    """Without confirmation trials a recommendation loses one priority and says what is missing."""
    for facts in ({**FACTS, "confirmed": False}, {k: v for k, v in FACTS.items() if k != "confirmed"}):
        finding = _one(load(tmp_path), facts)
        assert finding.priority == 3
        assert finding.title.endswith("(not confirmed yet)")
        assert finding.recommendation.startswith("Set it to 5,000. Treat this as a lead")


def test_what_no_fresh_trials_confirm_is_said_apart_from_what_is_to_be_done(tmp_path: Path) -> None:
    """A title is put together where it is shown: what a rule's own ends with is left to it."""
    mark = " (not confirmed yet)"
    packs = load(tmp_path, changed("title: Raise ReadBatchSize to {best_value}", f"title: Raise it{mark}"))
    lead, confirmed = (_one(packs, {**FACTS, "confirmed": is_confirmed}) for is_confirmed in (False, True))
    assert lead.task == confirmed.task == confirmed.title == f"Raise it{mark}"
    assert lead.title == f"Raise it{mark}{mark}"


def test_the_lowest_priority_stays_the_lowest(tmp_path: Path) -> None:
    """A lead of priority 5 stays within the scale."""
    packs = load(tmp_path, changed("priority: 2", "priority: 5"))
    assert _one(packs, {**FACTS, "confirmed": False}).priority == 5


@pytest.mark.parametrize("verdict", ["worse", "no_difference", "cannot_tell"])
def test_no_change_is_recommended_without_a_shown_improvement(tmp_path: Path, verdict: str) -> None:
    """Even a careless condition cannot make the program recommend a change nobody has shown to help."""
    packs = load(tmp_path, changed("verdict == 'improvement' and ", ""))
    assert _evaluate(packs, {**FACTS, "verdict": verdict}) == ((), ())


@pytest.mark.parametrize("missing", ["absent", "nan"])
def test_a_missing_fact_is_reported_by_its_meaning(tmp_path: Path, missing: str) -> None:
    """A fact that is absent, or NaN, makes the rule not evaluated, and the sentence says which it is."""
    facts = {**FACTS, "gain_percent": float("nan")}
    if missing == "absent":
        del facts["gain_percent"]
    findings, (skipped,) = _evaluate(load(tmp_path), facts)
    assert findings == ()
    assert skipped == NotEvaluated(
        "larger-batch",
        "log_reader",
        "not evaluated: missing data (the improvement of the best setting over the baseline)",
    )


def test_a_fact_missing_from_the_texts_alone_is_reported_too(tmp_path: Path) -> None:
    """A rule whose condition holds but whose numbers are not known is not shown with holes."""
    facts = {k: v for k, v in FACTS.items() if k not in ("baseline_value", "best_value")}
    _findings, (skipped,) = _evaluate(load(tmp_path), facts)
    assert "missing data" in skipped.because


def test_a_rule_that_is_already_out_of_question_is_not_reported(tmp_path: Path) -> None:
    """Where the known facts settle that a rule does not fire, missing ones are of no interest."""
    assert _evaluate(load(tmp_path), {"factor": "ReadBatchSize", "verdict": "cannot_tell"}) == ((), ())


def test_a_condition_without_result_is_reported(tmp_path: Path) -> None:
    """Dividing by zero is no verdict."""
    packs = load(tmp_path, changed("gain_percent >= 5", "gain_percent / baseline_value >= 0"))
    _findings, (skipped,) = _evaluate(packs, {**FACTS, "baseline_value": 0})
    assert skipped.because.endswith("have no result for these values")


def test_rules_for_something_else_are_passed_over_in_silence(tmp_path: Path) -> None:
    """Another engine, family or parameter is no reason for a remark."""
    packs = load(tmp_path)
    assert evaluate(packs, "oracle", "log_reader", FACTS, ()) == ((), ())
    assert evaluate(packs, "sqlserver", "distribution_agent", FACTS, ()) == ((), ())
    assert _evaluate(packs, {**FACTS, "factor": "PollingInterval"}) == ((), ())


def test_a_rule_of_several_families_speaks_for_each(tmp_path: Path) -> None:
    """A rule may serve other families than the one of its folder."""
    families = "{engine: sqlserver, families: [log_reader, distribution_agent],"
    packs = load(tmp_path, changed("{engine: sqlserver,", families))
    (finding,), _skipped = evaluate(packs, "sqlserver", "distribution_agent", FACTS, ())
    assert finding.family == "distribution_agent"


def test_a_rule_for_parameters_needs_to_know_the_parameter(tmp_path: Path) -> None:
    """Without the varied parameter it is not known whether the rule applies."""
    facts = {k: v for k, v in FACTS.items() if k != "factor"}
    _findings, (skipped,) = _evaluate(load(tmp_path), facts)
    assert skipped.because == "not evaluated: missing data (the varied parameter)"


@pytest.mark.parametrize(
    ("version", "found", "skipped"),
    [("13.0.4001", 1, 0), ("16.0.1000", 1, 0), ("12.0.6000", 0, 0), ("17.0", 0, 0), ("", 0, 1), ("new", 0, 1)],
)
def test_rules_hold_for_their_server_versions(tmp_path: Path, version: str, found: int, skipped: int) -> None:
    """Outside its versions a rule is silent; an unknown version is reported."""
    versions = "{engine: sqlserver, versions: {from: '13.0', to: '16'},"
    packs = load(tmp_path, changed("{engine: sqlserver,", versions))
    findings, not_evaluated = _evaluate(packs, FACTS, version)
    assert (len(findings), len(not_evaluated)) == (found, skipped)


@pytest.mark.parametrize(
    ("limits", "version", "found", "because"),
    [
        (
            "{from: '13.0.4001'}",
            "13.0",
            0,
            "holds for versions 13.0.4001 to …, and of the server's version only 13.0 is known",
        ),
        ("{from: '13.0'}", "13", 1, ""),
        ("{from: '13.0.4001'}", "14.0", 1, ""),
        ("{from: '13.0.4001'}", "12.0", 0, ""),
        (
            "{to: '13.0.4001'}",
            "13.0",
            0,
            "holds for versions … to 13.0.4001, and of the server's version only 13.0 is known",
        ),
        ("{to: '13.0.4001'}", "12.0", 1, ""),
        ("{to: '13'}", "13.0", 1, ""),
        ("{from: '13.0', to: '16'}", "", 0, "holds for versions 13.0 to 16, and the server's version is not known"),
    ],
)
def test_a_version_known_in_part_decides_only_what_it_can(
    tmp_path: Path, limits: str, version: str, found: int, because: str
) -> None:
    """13.0 alone may be 13.0.4001 or not; a rule that hangs on it says what is missing."""
    packs = load(tmp_path, changed("{engine: sqlserver,", f"{{engine: sqlserver, versions: {limits},"))
    findings, skipped = _evaluate(packs, FACTS, version)
    assert len(findings) == found
    assert [because in entry.because for entry in skipped] == ([True] if because else [])


def test_findings_come_by_priority_then_as_written(tmp_path: Path) -> None:
    """What matters most comes first, and the order never depends on chance."""
    rules = [
        RULE.replace("larger-batch", f"rule-{n}").replace("priority: 2", f"priority: {priority}")
        for n, priority in enumerate((4, 1, 4, 2))
    ]
    packs = load(tmp_path, PACK[: PACK.index("  - id:")] + "".join(rules))
    findings, _skipped = _evaluate(packs, FACTS)
    assert [finding.rule for finding in findings] == ["rule-1", "rule-3", "rule-0", "rule-2"]
    assert _evaluate(packs, FACTS) == (findings, ())


def test_evaluating_changes_nothing(tmp_path: Path) -> None:
    """Packs and facts are the same before and after."""
    packs = load(tmp_path)
    before, facts = copy.deepcopy(FACTS), dict(FACTS)
    same = tuple(replace(pack) for pack in packs)
    first = _evaluate(packs, facts)
    assert facts == before
    assert packs == same
    assert _evaluate(packs, facts) == first


def test_numbers_of_numpy_are_understood() -> None:
    """Facts computed with arrays arrive as plain numbers; what is no declared fact is left out."""
    known = known_facts(
        {"gain_percent": np.float64(17.7), "trials_per_setting": int(np.int64(3)), "unheard_of": 1}, KINDS
    )
    assert known == {"gain_percent": 17.7, "trials_per_setting": 3}
    assert type(known["gain_percent"]) is float


@pytest.mark.parametrize(
    ("name", "value"), [("gain_percent", "much"), ("gain_percent", True), ("confirmed", 1), ("verdict", 3)]
)
def test_a_fact_of_the_wrong_type_is_a_mistake_of_the_program(name: str, value: FactValue) -> None:
    """Facts are made by the program, so a wrong type is raised at once, not reported to the user."""
    with pytest.raises(TypeError, match=name):
        known_facts({name: value}, KINDS)


@pytest.fixture(scope="module")
def one_pack(tmp_path_factory: pytest.TempPathFactory) -> tuple[Pack, ...]:
    """The valid pack, loaded once."""
    return load(tmp_path_factory.mktemp("rules"))


@settings(deadline=None, max_examples=200)
@given(
    gain=st.floats(allow_nan=True, allow_infinity=True),
    verdict=st.sampled_from(["improvement", "worse", "no_difference", "cannot_tell"]),
    differs=st.booleans(),
)
def test_any_numbers_give_a_finding_a_reason_or_silence(
    one_pack: tuple[Pack, ...], gain: float, verdict: str, differs: bool
) -> None:
    """Whatever the numbers are, nothing crashes, and a change is recommended only for a shown improvement."""
    facts: dict[str, FactValue] = {**FACTS, "gain_percent": gain, "verdict": verdict, "best_differs": differs}
    findings, skipped = _evaluate(one_pack, facts)
    assert len(findings) + len(skipped) <= 1
    if findings:
        assert verdict == "improvement"
        assert differs
        assert gain >= 5
