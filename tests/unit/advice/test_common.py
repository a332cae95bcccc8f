"""What packs share: outcomes a rule is like, and sentences it says by name."""

from pathlib import Path

import pytest

from app.advice import load_packs
from app.advice.rule import Rule
from app.domain.errors import BadInput
from tests.kinds import KINDS
from tests.unit.advice.packs import FAMILIES, write_pack

COMMON = """\
sentences:
  nothing: {says: It changes nothing.}
  together:
    says: ["{factors_varied} were varied.", "It was {own_gain_percent}."]
    wants: [factors_varied, own_gain_percent]
    cases:
      - {name: together, expect: fires, facts: {factors_varied: 2, own_gain_percent: 6}}
outcomes:
  worse:
    version: 2
    priority: 3
    title: Leave it at {baseline_value}
    needs: [verdict, baseline_value]
    when: verdict == 'worse'
    recommendation: Keep {baseline_value}.
    because: ["It was worse than {baseline_value}.", <together>]
    trade_offs: None.
    risk: None.
    undo: <nothing>
    case_facts: {verdict: worse, baseline_value: 5}
    cases:
      - {name: a loss, expect: fires}
      - {name: a gain, expect: does_not_fire, facts: {verdict: improvement}}
"""
LIKE = """\
title: A pack
sources:
  page: {title: A page, url: https://example.org/page}
rules:
  - id: worse-here
    like: worse
    applies_to: {engine: sqlserver}
    sources: [page]
"""


def _loaded(root: Path, pack: str = LIKE, common: str = COMMON, **more: tuple[Path, ...]) -> Rule:
    write_pack(root, common, "common", "outcomes.yaml")
    write_pack(root, pack)
    ((rule,),) = (pack.rules for pack in load_packs((root,), FAMILIES, KINDS, **more))
    return rule


def _told(rule: Rule) -> list[str]:
    return [sentence.text for sentence in rule.because.sentences]


def test_a_rule_takes_from_an_outcome_what_it_does_not_say(tmp_path: Path) -> None:
    """Texts, condition and cases are those of the outcome; id, place and sources its own."""
    rule = _loaded(tmp_path)
    assert (rule.rule_id, rule.version, rule.priority, rule.line) == ("worse-here", 2, 3, 5)
    assert _told(rule) == [
        "It was worse than {baseline_value}.",
        "{factors_varied} were varied.",
        "It was {own_gain_percent}.",
    ]
    assert [sentence.text for sentence in rule.undo.sentences] == ["It changes nothing."]
    assert rule.wants == ("factors_varied", "own_gain_percent")
    assert [case.name for case in rule.cases] == ["a loss", "a gain", "together"]


def test_what_a_rule_says_itself_counts(tmp_path: Path) -> None:
    """Its own keys stand, `<like>` keeps the outcome's sentences beside them, cases of one name are its own."""
    own = (
        LIKE
        + """\
    version: 7
    because: [<like>, "It took {measure}."]
    wants: [measure]
    case_facts: {baseline_value: 9}
    cases: [{name: a loss, expect: fires, facts: {measure: run time}}]
"""
    )
    rule = _loaded(tmp_path, own)
    assert rule.version == 7
    assert _told(rule)[0] == "It was worse than {baseline_value}."
    assert _told(rule)[-1] == "It took {measure}."
    assert rule.wants == ("measure", "factors_varied", "own_gain_percent")
    assert [case.name for case in rule.cases] == ["a loss", "a gain", "together"]
    assert dict(rule.cases[0].facts) == {"verdict": "worse", "baseline_value": 9, "measure": "run time"}


def test_a_pack_may_tell_its_settings_by_other_facts(tmp_path: Path) -> None:
    """Texts, needs and cases of an outcome then ask for these."""
    rule = _loaded(tmp_path, LIKE.replace("rules:", "outcome_facts: {baseline_value: fewest_trials}\nrules:"))
    assert rule.needs == ("verdict", "fewest_trials")
    assert _told(rule)[0] == "It was worse than {fewest_trials}."
    assert dict(rule.cases[0].facts)["fewest_trials"] == 5


def test_of_two_folders_the_later_one_words_an_outcome(tmp_path: Path) -> None:
    """A folder of one's own may do without `common/`, or word an outcome anew."""
    shared, own = tmp_path / "shared", tmp_path / "own"
    write_pack(shared, COMMON, "common")
    write_pack(own, LIKE)
    assert load_packs((own,), FAMILIES, KINDS, shared=(shared,))[0].rules[0].version == 2
    assert _loaded(own, common=COMMON.replace("version: 2", "version: 3"), shared=(shared,)).version == 3


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        ("pack.yaml", "like: worse", "like: worst", 'pack.yaml, line 6: there is no outcome "worst" in common/; did'),
        (
            "pack.yaml",
            "like: worse",
            "like: [worse]",
            "pack.yaml, line 6: there is no outcome \"['worse']\" in common/",
        ),
        (
            "pack.yaml",
            "sources: [page]",
            "sources: [page]\n    undo: <nothin>",
            'line 9: there is no sentence "nothin"',
        ),
        ("pack.yaml", "rules:", "outcome_facts: 3\nrules:", 'line 4: "outcome_facts" must be'),
        ("outcomes.yaml", "title: Leave", "title: {best_valu} Leave", "outcomes.yaml, line 12: this is not valid YAML"),
        ("outcomes.yaml", "Leave it at", "Leave {best_valu} at", 'outcomes.yaml, line 12: rule "worse-here": title'),
        ("outcomes.yaml", "priority: 3", "priority: high", 'outcomes.yaml, line 11: "priority" must be'),
        ("outcomes.yaml", "    when: verdict == 'worse'\n", "", 'outcomes.yaml, line 9: the key "when" is missing'),
        ("outcomes.yaml", "sentences:", "sentence:", 'outcomes.yaml, line 1: "sentence" is no key'),
    ],
)
def test_a_mistake_is_told_where_it_stands(tmp_path: Path, file: str, old: str, new: str, said: str) -> None:
    """In the pack or in what it shares, with the line."""
    texts = {"pack.yaml": LIKE, "outcomes.yaml": COMMON}
    texts[file] = texts[file].replace(old, new, 1)
    with pytest.raises(BadInput) as caught:
        _loaded(tmp_path, texts["pack.yaml"], texts["outcomes.yaml"])
    assert said in str(caught.value)
