"""What holds of the decisions of any session of one parameter or two, beside any values in effect."""

import json
import math
import re
from collections.abc import Mapping

import pytest

from app.analysis.compared_facts import gain_percent
from app.analysis.settings_order import lowest_or_default
from app.domain.decision import Decision, DecisionKind
from app.domain.plan import Phase
from app.domain.session import Advice, SessionRecord
from app.domain.setting import Setting, typed_text, value_text
from app.domain.table import TableCell
from app.reporting.blocks import Table
from app.reporting.change_words import own_effect
from app.reporting.decision_card import decision_card
from app.reporting.decision_words import amount_interval, effect_text, headline, task_text
from app.reporting.document.run_sheet import run_sheet_section
from app.reporting.document.scripts import Scripts
from app.reporting.export.json_export import advice_json
from app.reporting.wording import Vocabulary
from tests.shipped_rules import ADVISOR

_SAME = 1e-6


def assert_holds_at_the_site(
    session: SessionRecord, advice: Advice, words: Vocabulary, in_effect: Mapping[str, str]
) -> None:
    """Assert that each decision is one for this site, and that all texts tell its comparison alone.

    Args:
        in_effect: the values in effect as typed, by parameter; those of the baseline of what it does not name.
    """
    scripts = Scripts(session, words, advice.decisions)
    joint = [one.gain.comparison for one in advice.decisions if one.gain is not None and one.gain.changes_several]
    assert len(joint) == len({id(one) for one in joint})
    for decision in advice.decisions:
        if decision.gain is None:
            continue
        if decision.kind is DecisionKind.CHANGE:
            _assert_reaches_what_was_measured(decision, words, in_effect)
            _assert_names_its_reference(decision, words, in_effect)
            _assert_reasons_tell_its_gain(decision, words)
            _assert_one_step(decision, scripts)
        if decision.gain.from_in_effect:
            _assert_is_in_effect(decision, in_effect)
    for decision in advice.decisions:
        _assert_own_effects_are_listed(decision, advice)
    _assert_one_change_of_each_agent(session, advice)
    _assert_json(advice, words)
    _assert_tables(advice)


def _stands(setting: Setting, in_effect: Mapping[str, str]) -> dict[str, str]:
    return {name: in_effect.get(name, typed_text(value)) for name, value in setting.items()}


def _assert_reaches_what_was_measured(decision: Decision, words: Vocabulary, in_effect: Mapping[str, str]) -> None:
    """Assert that a change leads from what is in effect to the setting compared, or names where that differs."""
    assert decision.gain is not None
    compared = decision.gain.comparison
    reached = _stands(compared.reference, in_effect)
    reached.update({part.parameter: typed_text(part.to_value) for part in decision.parts if part.to_value is not None})
    wanted = {name: typed_text(value) for name, value in compared.candidate.items()}
    own = {name for name in wanted if wanted[name] != typed_text(compared.reference[name])} - set(decision.parameters)
    named = {one.parameter for one in decision.beside}
    assert {name for name in wanted if reached[name] != wanted[name]} <= named | own, decision
    if own:
        assert "together" in headline(decision, words)


def _assert_names_its_reference(decision: Decision, words: Vocabulary, in_effect: Mapping[str, str]) -> None:
    assert decision.gain is not None
    compared, said = decision.gain.comparison, headline(decision, words)
    stands = _stands(compared.reference, in_effect)
    other = {name for name, value in stands.items() if value != typed_text(compared.reference[name])}
    assert bool(other) == ("(in effect: " in said), (said, stands)
    for name in other:
        assert value_text(int(stands[name]) if stands[name].isdigit() else stands[name]) in said, said
        assert value_text(compared.reference[name]) in said, said
    effect = effect_text(compared, words)
    of_itself = [own_effect(part.gain, part.gain.own, words) for part in decision.parts if part.gain and part.gain.own]
    assert said.count(effect) - sum(own in said and effect in own for own in of_itself) == 1, said
    card = decision_card(decision, words)
    if decision.gain.tried is not None and other:
        tried = decision.gain.tried
        assert {name: typed_text(value) for name, value in tried.stands.items()} == stands
        reached = {**stands, **{part.parameter: typed_text(part.to_value) for part in decision.parts if part.to_value}}
        assert {name: typed_text(value) for name, value in tried.wanted.items()} == reached
        assert "in exploring trials" in card.lead


def _assert_reasons_tell_its_gain(decision: Decision, words: Vocabulary) -> None:
    """Assert that the reasons and facts of a change give the effect of its own comparison."""
    assert decision.gain is not None
    compared = decision.gain.comparison
    for part in decision.parts:
        because = part.finding.because
        if "Compared with" in because:
            effect = effect_text(compared, words)
            of_speed = effect.replace(" as fast", " the speed")
            assert effect in because or of_speed in because, (effect, because)
            if interval := amount_interval(compared, words):
                assert interval in because, (interval, because)
        facts = {name: value for name, value, _unit in part.finding.facts}
        told = facts.get("gain_percent")
        if part.finding.from_value is not None and isinstance(told, int | float):
            better = words.better(compared.family, compared.metric)
            assert told == pytest.approx(gain_percent(compared.ratio, better), abs=1e-6)


def _assert_one_step(decision: Decision, scripts: Scripts) -> None:
    """Assert that one script at each server makes all of a change, under its headline, in one row of the run sheet."""
    files = scripts.files_of(decision)
    assert len({one.server for one in files}) == len(files)
    title = headline(decision, scripts.words, typed_text).replace("\u00a0", " ")
    for one in files:
        text = re.sub(r"\s*\n-- +", " ", scripts.apply(one)).replace("\u00a0", " ")
        assert title in text, (title, text[:1500])
    sheet = run_sheet_section([decision], scripts, is_redacted=False)
    rows = [row for block in sheet.blocks if isinstance(block, Table) for row in block.rows]
    steps = [row for row in rows if task_text(decision) in str(row[2]) and "Undo" not in str(row[2])]
    steps = [row for row in steps if "day" not in str(row[1]) and "+" not in str(row[1])]  # nor a look at it later
    assert len(steps) == max(1, len(files)), rows


def _assert_is_in_effect(decision: Decision, in_effect: Mapping[str, str]) -> None:
    assert decision.gain is not None
    compared = decision.gain.comparison
    assert decision.kind is DecisionKind.MEASURE_AGAIN
    assert {n: typed_text(v) for n, v in compared.reference.items()} == _stands(compared.candidate, in_effect)


def _assert_own_effects_are_listed(decision: Decision, advice: Advice) -> None:
    """Assert that the effect of one parameter beside the others has the interval of its row among the comparisons."""
    for part in decision.parts:
        own = None if part.gain is None else part.gain.own
        if part.gain is None or own is None or not own.beside:
            continue
        compared, name = part.gain.comparison, part.parameter
        without = Setting.from_mapping({**compared.candidate, name: compared.reference[name]})
        for row in advice.comparisons:
            pair = (row.reference, row.candidate, row.metric, row.phase)
            if pair == (without, compared.candidate, compared.metric, Phase.EXPLORE) and row.low > 0:
                assert (own.ratio, own.low, own.high) == pytest.approx((row.ratio, row.low, row.high), rel=1e-6)


def _assert_one_change_of_each_agent(session: SessionRecord, advice: Advice) -> None:
    """Assert that of a file's settings of one thing, under one load, one change is made, against one reference."""
    names = {name for m in session.imported for name in m.setting}
    made: dict[tuple[str, Setting], list[Setting]] = {}
    for decision in advice.decisions:
        if decision.gain is None or decision.kind is not DecisionKind.CHANGE or session.runs_behind(decision.finding):
            continue
        compared = decision.gain.comparison
        held = {name: value for name, value in compared.conditions.items() if name in names}
        key = (decision.family, compared.conditions.without(names))
        made.setdefault(key, []).append(Setting.from_mapping({**held, **compared.reference}))
    for (family, conditions), (reference, *more) in made.items():
        assert not more, (reference, more)
        settings = [
            Setting.from_mapping({**{n: v for n, v in c.conditions.items() if n in names}, **side})
            for c in advice.comparisons
            if (c.family, c.conditions.without(names)) == (family, conditions)
            for side in (c.reference, c.candidate)
        ]
        assert reference == lowest_or_default(settings, ADVISOR.families[family].parameters)


def _assert_json(advice: Advice, words: Vocabulary) -> None:
    document = json.loads(json.dumps(advice_json(advice, words)))
    for decision, told in zip(advice.decisions, document["decisions"], strict=True):
        if decision.gain is not None:
            assert told["gain"]["ratio"] == pytest.approx(decision.gain.comparison.ratio, rel=_SAME)
            before, after = told["gain"]["before"], told["gain"]["after"]
            if before is not None:
                assert after / before == pytest.approx(told["gain"]["ratio"], rel=1e-3)
            assert f"{decision.gain.before}" in {f"{before}", "None"}
        assert [one["parameter"] for one in told["together"]] == [one.parameter for one in decision.together]


def _assert_tables(advice: Advice) -> None:
    """Assert that two rows of a table of settings make the ratio of their comparison."""
    for table in advice.tables:
        if not table.table_id.endswith("by-setting-table"):
            continue
        keys = [column.key for column in table.columns]
        for compared in advice.comparisons:
            if compared.metric not in keys:
                continue
            at = keys.index(compared.metric)
            phase = {Phase.EXPLORE: "explored", Phase.CONFIRM: "confirmed"}[compared.phase]
            values = [
                cell.value
                for side in (compared.reference, compared.candidate)
                for row in table.rows
                if row[0] == side.label() and ("phase" not in keys or row[1] == phase)
                if isinstance(cell := row[at], TableCell)
            ]
            if len(values) == 2 and math.isfinite(compared.ratio):
                assert values[1] / values[0] == pytest.approx(compared.ratio, rel=1e-6)
