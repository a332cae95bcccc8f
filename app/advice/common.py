"""Sentences and outcomes that packs share, from `<root>/common/*.yaml`; merged into a pack before its shape is checked.

A rule is `like` an outcome: it takes every key from it that it does not write itself. A text `<name>` stands for the
sentences of that name, `<like>` for those of the outcome.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from app.advice.model import CommonShape, OutcomeShape, SentencesShape
from app.advice.yaml_lines import KeyPath, Lines, closest
from app.foundation.texts import _

_TEXTS: Final = ("recommendation", "because", "trade_offs", "risk", "undo")
_NAMED: Final = re.compile(r"<([^<>]+)>")

_Raw = dict[str, Any]


@dataclass(frozen=True)
class Common:
    """The shared sentences and outcomes of all folders, by name.

    Attributes:
        places: file and line of each outcome's keys, for errors.
    """

    sentences: Mapping[str, SentencesShape] = field(default_factory=dict)
    outcomes: Mapping[str, _Raw] = field(default_factory=dict)
    places: Mapping[str, Mapping[str, tuple[str, int]]] = field(default_factory=dict)

    def with_file(self, shape: CommonShape, lines: Lines) -> "Common":
        """Return these with those of one more file; of two with one name the later one counts."""
        outcomes = {name: _raw(outcome) for name, outcome in shape.outcomes.items()}
        places = {
            name: {key: (lines.file, lines.line(("outcomes", name, key))) for key in outcome}
            for name, outcome in outcomes.items()
        }
        return Common({**self.sentences, **shape.sentences}, {**self.outcomes, **outcomes}, {**self.places, **places})


def _raw(outcome: OutcomeShape) -> _Raw:
    """Return the keys an outcome writes, as a pack would write them."""
    return outcome.model_dump(by_alias=True, exclude_unset=True)


def completed(content: _Raw, common: Common, lines: Lines) -> tuple[_Raw, Lines]:
    """Return a pack's content whose rules say everything themselves, and where its values stand.

    What is not shaped as expected is left as it is, to be refused with the rest of the pack.

    Raises:
        BadInput: a rule names an outcome or sentences that do not exist.
    """
    rules = content.get("rules")
    if not isinstance(rules, list):
        return content, lines
    renamed = _renames(content.get("outcome_facts"))
    elsewhere: dict[KeyPath, tuple[str, int]] = {}
    made: list[object] = []
    for index, rule in enumerate(rules):
        path: KeyPath = ("rules", index)
        if isinstance(rule, dict):
            if "like" in rule:
                like = str(rule["like"])
                outcome = _named(
                    like, common.outcomes, lines, (*path, "like"), _('there is no outcome "{name}" in common/{hint}')
                )
                elsewhere |= {(*path, key): at for key, at in common.places[like].items() if key not in rule}
                rule = _like(rule, _with_facts(outcome, renamed))
            rule = _with_sentences(rule, common, lines, path)
        made.append(rule)
    return {**content, "rules": made}, replace(lines, elsewhere=elsewhere)


def _renames(told: object) -> dict[str, str]:
    return {str(name): str(other) for name, other in told.items()} if isinstance(told, dict) else {}


def _named(name: str, known: Mapping[str, Any], lines: Lines, path: KeyPath, why: str) -> Any:
    if name in known:
        return known[name]
    raise lines.error(path, why.format(name=name, hint=closest(name, known)))


def _with_facts(value: Any, renamed: Mapping[str, str]) -> Any:
    """Return a part of an outcome that asks for a pack's facts in place of its own."""
    if not renamed:
        return value
    if isinstance(value, str):
        return re.sub(r"\w+", lambda word: renamed.get(word[0], word[0]), value)
    if isinstance(value, list):
        return [_with_facts(one, renamed) for one in value]
    if isinstance(value, dict):
        return {renamed.get(key, key): _with_facts(one, renamed) for key, one in value.items()}
    return value


def _like(rule: _Raw, outcome: _Raw) -> _Raw:
    """Return a rule completed by an outcome: its cases' facts one by one, and the outcome's wants and cases after its
    own."""
    made = {**outcome, **rule}
    for key in _TEXTS:
        if isinstance(rule.get(key), list):
            made[key] = [one for text in rule[key] for one in (outcome[key] if text == "<like>" else [text])]
    for key in ("wants", "cases"):
        if isinstance(rule.get(key, []), list):
            made[key] = _joined(rule.get(key, []), outcome.get(key, []))
    if isinstance(rule.get("case_facts", {}), dict):
        made["case_facts"] = {**outcome.get("case_facts", {}), **rule.get("case_facts", {})}
    return made


def _joined(own: list[Any], more: Iterable[Any]) -> list[Any]:
    """Return a list with the missing items of another behind it; cases are told apart by name."""
    known = {_key(one) for one in own}
    return [*own, *(one for one in more if _key(one) not in known)]


def _key(one: Any) -> str:
    return str(one.get("name") if isinstance(one, dict) else one)


def _with_sentences(rule: _Raw, common: Common, lines: Lines, path: KeyPath) -> _Raw:
    """Return a rule with the sentences it names, and their wants and cases."""
    made = dict(rule)
    for key in _TEXTS:
        texts = rule.get(key)
        if isinstance(texts, str):
            texts = [texts]
        if not isinstance(texts, list):
            continue
        told: list[object] = []
        for text in texts:
            named = _NAMED.fullmatch(text) if isinstance(text, str) else None
            if named is None:
                told.append(text)
                continue
            shape = _named(
                named[1], common.sentences, lines, (*path, key), _('there is no sentence "{name}" in common/{hint}')
            )
            told += shape.says
            made = _wanting(made, shape)
        made[key] = told
    return made


def _wanting(rule: _Raw, shape: SentencesShape) -> _Raw:
    needs, wants, cases = (rule.get(key, []) for key in ("needs", "wants", "cases"))
    if not (isinstance(needs, list) and isinstance(wants, list) and isinstance(cases, list)):
        return rule
    more = [name for name in shape.wants if name not in needs]
    return {
        **rule,
        **({"wants": _joined(wants, more)} if more else {}),
        **({"cases": _joined(cases, [case.model_dump() for case in shape.cases])} if shape.cases else {}),
    }
