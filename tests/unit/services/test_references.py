"""A gain names what it was measured against, and the numbers beside it make it, wherever it is told."""

import csv
import io
import json
import math
import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from app.domain.decision import Decision, DecisionKind
from app.domain.family import ExperimentFamily
from app.domain.finding import Finding
from app.domain.measurement import Better, Measurement
from app.domain.own_words import own_words
from app.domain.plan import Factor, Phase, Stop
from app.domain.session import Advice, SessionRecord
from app.domain.setting import Setting, typed_text, value_text
from app.foundation.paths import resource_path
from app.reporting.blocks import Table
from app.reporting.decision_card import card_lines, decision_card
from app.reporting.decision_words import before_after, effect_text, headline, lead_text, short_effect, sizes_text
from app.reporting.document.in_effect import InEffect
from app.reporting.document.run_sheet import run_sheet_section
from app.reporting.document.scripts import Scripts
from app.reporting.export.csv_export import findings_csv
from app.reporting.export.json_export import advice_json
from app.reporting.request import FamilyTexts, ReportRequest
from app.reporting.wording import Vocabulary
from app.services.explain.deciding import decided
from app.services.explain.imported_session import read_session
from tests.golden.document_text import document_text
from tests.printed_pairs import printed_pairs
from tests.prove.factor_sessions import IDLE, Way
from tests.report.sample import FAMILIES, ISSUED, full_advice, full_session
from tests.shipped_rules import ADVISOR
from tests.unit.services.test_advising import measured
from tests.unit.services.test_imported_decisions import PICKING
from tests.unit.services.test_imported_decisions import _session as imported
from tests.unit.services.test_rivals import STREAMS

SHIPPED = tuple(ADVISOR.families.values())
EVERYDAY, PROVEN = 8, 200
_SAME = 1e-3  # of a ratio: below what a rounded per cent shows


def assert_one_reference(session: SessionRecord, advice: Advice, families: Sequence[FamilyTexts]) -> None:
    """Assert that cards, headlines, run sheet and script headers name the comparison's own reference and numbers."""
    words = Vocabulary(families)
    scripts = Scripts(session, words, advice.decisions)
    cards = [decision_card(decision, words) for decision in advice.decisions]
    texts = [*card_lines(cards), document_text(ReportRequest(session, advice, ISSUED, "", tuple(families)))]
    texts += [scripts.apply(files) for files in scripts.needed()] + [scripts.rollback(f) for f in scripts.needed()]
    texts += _exported(advice, words)
    told = re.sub(r"\n-- +", " ", "\n".join(texts))
    assert not re.search(r"\d\d,\d{3}(,\d{3})*[\u00a0 ]?%", told)  # beyond 10,000 % there is no interval
    assert not [one.text for one in printed_pairs(told) if not one.adds_up]
    parts = [part for decision in advice.decisions for part in decision.parts]
    gained = [part for part in parts if part.gain is not None and part.parameter]
    for name in {decision.parameter for decision in gained}:
        allowed = {pair for decision in gained if decision.parameter == name for pair in _pairs(decision)}
        pattern = rf"{re.escape(name)} ([\d,]*\d)(?:, measured against| instead of) ([\d,]*\d)"
        assert set(re.findall(pattern, told)) <= allowed
    for decision in gained:
        _assert_makes_ratio(decision, words)
    for decision in advice.decisions:
        _assert_says_what_is_there(decision, words)
        _assert_claims_what_was_measured(decision)
    for compared in advice.comparisons:  # p and interval stand side by side
        assert (compared.p_adjusted < 0.05) == (not compared.low <= 1 <= compared.high), compared


def _exported(advice: Advice, words: Vocabulary) -> list[str]:
    """Return the titles of exported findings, which say what the cards say: a decision's own has its headline."""
    rows = list(csv.DictReader(io.StringIO(findings_csv(advice, words).decode())))
    documents = json.loads(json.dumps(advice_json(advice, words)))["findings"]
    titles = [one["title"] for one in documents]
    assert sorted(titles) == sorted(row["Finding"] for row in rows)
    assert len(titles) == len(advice.findings)
    for decision in advice.decisions:
        told = headline(decision, words)
        for part in decision.parts:
            (own,) = (at for at, finding in enumerate(advice.findings) if _is_of(part.finding, finding))
            assert titles[own] == told
            assert documents[own]["to"] is None or decision.kind is not DecisionKind.LEAVE
            assert told in {row["Finding"] for row in rows if row["Parameter"] == part.parameter}
    said = "\n".join(card_lines([decision_card(one, words) for one in advice.decisions]))
    for title in titles:
        for left in re.findall(r"Leave \S+ at [\d,]+", title):
            assert left in said, title
    return titles


def _is_of(part: Finding, finding: Finding) -> bool:
    return (part.rule, part.parameter, part.facts, part.evidence) == (
        finding.rule,
        finding.parameter,
        finding.facts,
        finding.evidence,
    )


def _pairs(decision: Decision) -> set[tuple[str, str]]:
    assert decision.gain is not None
    compared, name = decision.gain.comparison, decision.parameter
    sides = compared.candidate[name], compared.reference[name]
    return {(write(sides[0]), write(sides[1])) for write in (value_text, typed_text)}


def _assert_makes_ratio(decision: Decision, words: Vocabulary) -> None:
    gain = decision.gain
    assert gain is not None
    assert (gain.before is None) == (gain.after is None) == (not before_after(gain))
    if gain.before is not None and gain.after is not None:
        assert gain.after / gain.before == pytest.approx(gain.comparison.ratio, rel=_SAME)
    else:
        assert " instead of " not in lead_text(decision, words).split("A backlog")[0]
    assert not (math.isinf(gain.comparison.smallest_effect) and decision.trials_needed)  # no noise known: no number
    if "trials each show it" in (said := headline(decision, words)):  # they are for what was seen, not for less
        assert short_effect(gain.comparison) in said
        assert decision.trials_needed == gain.comparison.trials_needed
    if gain.comparison.confirmation is not None:
        pairs = gain.comparison.confirmation.pairs
        assert sizes_text(gain).startswith(f"{pairs}\u00a0+\u00a0{pairs} ")
    if decision.kind is DecisionKind.CHANGE and decision.in_effect:
        assert "measured against" in headline(decision, words)


_MECHANISMS = re.compile(r"(?:[Ee]ach commit has a fixed cost|streams? (?:mostly )?wait)")


def _assert_claims_what_was_measured(decision: Decision) -> None:
    """Assert that no reason compares a value with itself, and that a mechanism is a possible explanation of a gain that
    is the parameter's own."""
    for finding in decision.findings:
        for name, before, after in re.findall(r"Compared with (\S+) ([\d,]+), \1 ([\d,]+) gave", finding.because):
            assert before != after, (name, finding.because)
        for sentence in re.split(r"(?<=\.) ", finding.because):
            if _MECHANISMS.search(sentence):
                assert sentence.startswith("A possible explanation"), sentence
                joint = decision.together if decision.gain is not None and decision.gain.changes_several else ()
                assert all(one.gain and one.gain.own and one.gain.own.is_shown for one in joint), sentence


def _assert_says_what_is_there(decision: Decision, words: Vocabulary) -> None:
    """Assert that a headline names the value in effect, and proposes no trials to prove a loss."""
    said, gain = headline(decision, words), decision.gain
    if decision.parameter and decision.in_effect:
        assert all(value in said for value in decision.in_effect.split(", ")), said
        assert f"Keep {decision.parameter} at" not in lead_text(decision, words)
    if decision.kind is DecisionKind.MEASURE_AGAIN and gain is not None and gain.comparison.phase is Phase.CONFIRM:
        is_lower = words.better(gain.comparison.family, gain.comparison.metric) is Better.LOWER
        is_worse = gain.comparison.ratio > 1 if is_lower else gain.comparison.ratio < 1
        own = value_text(gain.comparison.candidate[decision.parameter])
        assert ("do not show" in said) == (is_worse and decision.in_effect != own), said
        assert not is_worse or " trials each" not in said, said
    if gain is not None and "seen is real" in said:
        assert not gain.is_loss, said  # nobody is asked for trials to prove a loss


def _in_effect(value: str) -> Callable[[InEffect, Finding], str]:
    return lambda _self, _finding: value


@pytest.mark.parametrize("value", ["", "3", "16", "1, 2"])
def test_the_sample_names_one_reference(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    """With the baseline in effect, with another value, tried or not, and with several."""
    if value:
        monkeypatch.setattr(InEffect, "other_than_baseline", _in_effect(value))
    advice = decided(full_session(), replace(full_advice(), decisions=()), FAMILIES)
    assert_one_reference(full_session(), advice, FAMILIES)


@pytest.mark.parametrize("path", sorted(resource_path("published").glob("*.csv")), ids=lambda path: path.stem)
def test_published_measurements_name_one_reference(path: Path) -> None:
    """Each of them."""
    session = read_session(path, ADVISOR.families, None)
    assert_one_reference(session, ADVISOR.advise(session), SHIPPED)


def test_random_sessions_name_one_reference(monkeypatch: pytest.MonkeyPatch) -> None:
    """A few, own and from elsewhere, with a value in effect that is not the baseline, and with pairs set aside."""
    _assert_random(monkeypatch, range(EVERYDAY))


@pytest.mark.prove
def test_many_random_sessions_name_one_reference(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same of two hundred."""
    _assert_random(monkeypatch, range(EVERYDAY, PROVEN))


def _assert_random(monkeypatch: pytest.MonkeyPatch, seeds: range) -> None:
    for seed in seeds:
        chance = random.Random(seed)
        monkeypatch.setattr(InEffect, "other_than_baseline", _in_effect(chance.choice(("", "4", "2", "8"))))
        session = _own(chance) if seed % 2 else _elsewhere(chance, PICKING[seed // 2 % len(PICKING)])
        assert_one_reference(session, ADVISOR.advise(session), SHIPPED)


def _own(chance: random.Random) -> SessionRecord:
    """Return a run whose confirming trials may hold one that was disturbed."""
    best, noise = chance.uniform(0.3, 1.1), chance.choice((0.005, 0.03, 0.2))
    time = {1: 500.0, 4: 500 * (1 + best) / 2, 8: 500 * best, 16: 500 * best * 1.2}
    explored = {level: [mean * chance.lognormvariate(0, noise) for _ in range(3)] for level, mean in time.items()}
    confirmed = {level: [time[level] * chance.lognormvariate(0, noise) for _ in range(5)] for level in (1, 8)}
    if chance.random() < 0.6:
        confirmed[chance.choice((1, 8))][chance.randrange(5)] *= chance.choice((0.5, 1.6, 3.0))
    return measured(STREAMS, explored, confirmed)


def _elsewhere(chance: random.Random, family: ExperimentFamily) -> SessionRecord:
    """Return measurements of which some are missing, so that blocks hold other settings than others."""
    parameter, metric = family.parameters[0], family.main_metrics[0]
    levels = (1, 2, 4, 8)
    time: Mapping[int, float] = {level: chance.uniform(0.4, 1.0) for level in levels}
    blocks = chance.choice((1, 3, 4))
    made = [
        Measurement(
            family=family.family_id,
            trial_id=f"{level}-{block}-{again}",
            block=block,
            metric=metric.name,
            value=1000 * (time[level] if metric.better is Better.LOWER else 1 / time[level])
            * chance.lognormvariate(0, 0.05),
            unit=metric.unit,
            setting=Setting.from_mapping({parameter.name: level}),
        )
        for block in range(1, blocks + 1)
        for level in levels
        for again in range(chance.choice((1, 1, 2)))
        if level == 1 or chance.random() < 0.8
    ]  # fmt: skip
    return imported(made)


def test_a_gain_shown_only_of_two_parameters_together_is_one_decision() -> None:
    """One card, one headline, one step of the run sheet and one pair of scripts for both, with one restart."""
    streams = Factor("SubscriptionStreams", (1, 2, 4))
    session = Way(Stop.MODEL, idle=Factor(IDLE, (100, 200, 400)), helping=streams).session(1).record
    advice = ADVISOR.advise(session)
    assert_one_reference(session, advice, SHIPPED)
    (decision,) = (one for one in advice.decisions if one.kind is DecisionKind.CHANGE)
    assert decision.parameters == (IDLE, streams.name)
    assert decision.gain is not None
    words = Vocabulary(SHIPPED)
    text, effect = headline(decision, words), effect_text(decision.gain.comparison, words)
    assert re.match(rf"{IDLE} 400 instead of 100, together with {streams.name} 4 instead of 1: ", text)
    assert text.endswith("– which of them gains is not shown")
    scripts = Scripts(session, words, advice.decisions)
    files = scripts.files_of(decision)
    (one,) = files
    for part in decision.parts:
        assert scripts.apply(one).count(part.parameter) > 1  # in the headline, and where it is set
    assert scripts.apply(one).count("sp_start_job") == 1
    assert "which of them gains is not shown" in re.sub(r"\n-- +", " ", scripts.apply(one))
    sheet = run_sheet_section(advice.decisions, scripts, is_redacted=False)
    assert sum("together with" in str(block) for block in sheet.blocks if isinstance(block, Table)) == 1
    told = "\n".join(card_lines([decision_card(one, words) for one in advice.decisions]))
    assert told.count(effect) == 2  # the headline and what it rests on


@pytest.mark.parametrize(
    ("stop", "gain"), [(Stop.BLOCKS, 0.0), (Stop.MODEL, 0.0), (Stop.MODEL, 0.08), (Stop.RACE, 0.3)]
)
def test_sessions_of_two_parameters_name_one_reference(stop: Stop, gain: float) -> None:
    """Whether nothing or one of them helps, by whatever way of stopping; what stays is told by its own contrast."""
    for seed in (1, 2, 3):
        session = Way(stop, gain=gain).session(seed).record
        advice = ADVISOR.advise(session)
        assert_one_reference(session, advice, SHIPPED)
        for decision in advice.decisions:
            _assert_tells_its_own_contrast(decision)


def _assert_tells_its_own_contrast(decision: Decision) -> None:
    facts = {name: value for name, value, _unit in decision.finding.facts}
    own = facts.get("own_gain_percent")
    if decision.kind is DecisionKind.CHANGE or decision.gain is None or "alone_setting" not in facts:
        return
    assert isinstance(own, float)
    assert (1 - decision.gain.comparison.ratio) * 100 == pytest.approx(own)
    assert not decision.gain.changes_several
    if decision.finding.facts and (needed := facts.get("trials_needed")):
        assert isinstance(needed, int)
        assert decision.trials_needed % needed == 0


def test_an_effect_that_depends_on_another_parameter_is_told_with_its_value() -> None:
    """Of CommitBatchSize 400, which gains with eight streams and loses with one, no gain "by itself" is told."""
    levels = {(100, 1): 1.0, (400, 1): 1.06, (100, 8): 0.58, (400, 8): 0.45}
    family = ADVISOR.families["distribution_agent"]
    made = [
        Measurement(
            family=family.family_id,
            trial_id=f"{size}-{streams}-{block}",
            block=block,
            metric="run_time",
            value=100 * time * (1 + 0.004 * ((size + streams * block) % 5)),
            unit="s",
            setting=Setting.of(CommitBatchSize=size, SubscriptionStreams=streams),
        )
        for block in range(1, 5)
        for (size, streams), time in levels.items()
    ]
    session = imported(made)
    advice = ADVISOR.advise(session)
    assert_one_reference(session, advice, SHIPPED)
    (change,) = (one for one in advice.decisions if one.kind is DecisionKind.CHANGE)
    assert change.parameters == ("CommitBatchSize", "SubscriptionStreams")
    card = decision_card(change, Vocabulary(SHIPPED))
    assert "by itself" not in f"{card.headline} {card.lead} {change.finding.because}".lower()
    assert "With SubscriptionStreams 8, CommitBatchSize 400 alone gave" in card.lead
    assert "With SubscriptionStreams 8, CommitBatchSize 400 was" in change.finding.because


def test_a_trace_flag_is_not_headed_by_the_transaction_it_does_best_on() -> None:
    """What varies within each trial has an effect each: the headline spans them, and the same on every page."""
    family = ADVISOR.families["commit_mode"]
    share = {10: 1.0, 1_000: 0.9, 100_000: 0.6}
    made = [
        Measurement(
            family=family.family_id,
            trial_id=f"{compression}-{block}",
            block=block,
            metric="shape_time",
            value=500 * math.log(rows) * (share[rows] if compression == "on" else 1.0) * (1 + 0.002 * (block % 3)),
            unit="ms",
            setting=Setting.of(availability_mode="sync", log_stream_compression=compression),
            conditions=Setting.of(inserts=1, rows_per_insert=rows, server_version=2016),
        )
        for block in range(1, 6)
        for compression in ("default", "on")
        for rows in share
    ]
    session = imported(made)
    advice = ADVISOR.advise(session)
    assert_one_reference(session, advice, SHIPPED)
    (decision,) = (one for one in advice.decisions if one.parameter == "log_stream_compression")
    assert decision.gain is not None
    assert len(decision.gain.elsewhere) == 2
    text = headline(decision, Vocabulary(SHIPPED))
    assert re.search(r": from .*10 rows.* to 40\u00a0% less .*100,000 rows.*, depending on the transaction", text), text
    assert_told_on_a_mix(session)


def assert_told_on_a_mix(session: SessionRecord) -> None:
    """Where the client's mix is known the headline is what an application sees: half of its statements of each size."""
    mixed = replace(session, own_words=own_words({"mix": "10: 50, 100000: 50"}))
    (decision,) = (one for one in ADVISOR.advise(mixed).decisions if one.parameter == "log_stream_compression")
    gain = decision.gain
    assert gain is not None
    assert gain.mixed is not None
    parts = {one.conditions["rows_per_insert"]: one for one in (gain.comparison, *gain.elsewhere)}
    weights = {rows: math.log(rows) for rows in (10, 100_000)}  # of the times it was measured with
    expected = sum(weights[rows] * parts[rows].ratio for rows in weights) / sum(weights.values())
    assert gain.mixed.ratio == pytest.approx(expected, rel=1e-9)
    text = headline(decision, Vocabulary(SHIPPED))
    assert re.search(r"% less run time \(.*\) on your mix of transactions", text), text
    assert "depending on" not in text


@pytest.mark.parametrize("family", PICKING, ids=lambda family: family.family_id)
def test_no_note_leaves_a_parameter_at_a_value_that_is_not_in_effect(
    monkeypatch: pytest.MonkeyPatch, family: ExperimentFamily
) -> None:
    """Of two parameters one gains and one stays, while another value of either is in effect: each note names that."""
    names = [parameter.name for parameter in family.parameters[:2]]
    monkeypatch.setattr(InEffect, "_values", lambda _self, _finding: ("7",))
    metric = family.main_metrics[0]
    made = [
        Measurement(
            family=family.family_id,
            trial_id=f"{first}-{second}-{block}",
            block=block,
            metric=metric.name,
            value=1000 * ((0.6 if metric.better is Better.LOWER else 1.6) if first == 4 else 1.0)
            * (1 + 0.01 * math.sin(7 * first + 5 * second + 3 * block)),
            unit=metric.unit,
            setting=Setting.from_mapping({names[0]: first, names[1]: second}),
        )
        for block in range(1, 4)
        for first in (1, 4)
        for second in (1, 2)
    ]  # fmt: skip
    advice = ADVISOR.advise(imported(made))
    said = "\n".join(card_lines([decision_card(one, Vocabulary(SHIPPED)) for one in advice.decisions]))
    assert not re.search(rf"Leave {names[1]} at [12]\b", said), said
    exported = _exported(advice, Vocabulary(SHIPPED))
    assert not [title for title in exported if re.search(rf"Leave {names[1]} at [12]\b", title)], exported


@pytest.mark.parametrize("rows", [(1,), (1, 1_000_000)], ids=["one shape", "two shapes"])
def test_the_price_of_a_choice_is_told_with_both_times(rows: Sequence[int]) -> None:
    """What changes nothing tells its interval and both times on the first page, too, and that nothing confirmed it."""
    family = ADVISOR.families["commit_mode"]
    made = [
        Measurement(
            family=family.family_id,
            trial_id=f"{mode}-{block}",
            block=block,
            metric="shape_time",
            value=20_000 * (1.5 if mode == "sync" else 1.0) * (1 + 0.002 * (block % 3)),
            unit="ms",
            setting=Setting.of(availability_mode=mode),
            conditions=Setting.of(inserts=1_000, rows_per_insert=each, server_version=2016),
        )
        for block in range(1, 5)
        for mode in ("async", "sync")
        for each in rows
    ]
    session = imported(made)
    advice = ADVISOR.advise(session)
    decision = advice.decisions[0]
    card = decision_card(decision, Vocabulary(SHIPPED))
    assert decision.kind is DecisionKind.LEAVE
    assert re.search(r"\(\+4\d\u00a0% to \+5\d\u00a0%; not confirmed yet\)$", card.headline)
    assert "30.1 s instead of 20 s. 50 % more run time (95 % interval " in card.lead.replace("\u00a0", " ")
    assert "not confirmed by fresh trials" in card.lead
    assert decision.finding.recommendation in card.lead
    assert card.effect.endswith("+50\u00a0%"), card.effect


@pytest.mark.parametrize(("equal", "kind"), [(True, DecisionKind.LEAVE), (False, DecisionKind.CHANGE)])
def test_a_value_in_effect_that_is_as_good_is_left(
    monkeypatch: pytest.MonkeyPatch, equal: bool, kind: DecisionKind
) -> None:
    """4 streams against 1, with 8 in effect: where exploring trials show 8 and 4 equal nothing is to be changed."""
    monkeypatch.setattr(InEffect, "other_than_baseline", _in_effect("8"))
    time = {1: 500.0, 4: 300.0, 8: 301.0 if equal else 400.0}
    explored = {level: [mean * (1 + 0.004 * n) for n in range(3)] for level, mean in time.items()}
    confirmed = {level: [time[level] * (1 + 0.004 * n) for n in range(3)] for level in (1, 4)}
    session = measured(STREAMS, explored, confirmed)
    advice = ADVISOR.advise(session)
    assert_one_reference(session, advice, SHIPPED)
    decision = advice.decisions[0]
    assert (decision.parameter, decision.kind) == ("SubscriptionStreams", kind)
    text = headline(decision, Vocabulary(SHIPPED))
    assert text.startswith("Leave SubscriptionStreams at 8: in exploring trials 4 did about as well") is equal, text
