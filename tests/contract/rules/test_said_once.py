"""What several rules say stands once, in `advisor_rules/common/`."""

import re
from collections import defaultdict
from typing import Final

import yaml

from app.foundation.paths import rules_root

_TEXTS: Final = ("title", "recommendation", "because", "trade_offs", "risk", "undo")
# "None while it stays as it is." is as short as a name for it.
_SHORT: Final = 30
_MEDIAN: Final = re.compile(r"\b[Mm]edian\b")
_MEASURED: Final = re.compile(r"\{(\w+?)_s\}")
_END: Final = re.compile(r"_(low|high)$")
_MOST: Final = 3
OUTCOMES: Final = {"no difference", "cannot tell", "already best", "too small", "worse"}


def test_a_sentence_of_the_rules_stands_in_few_places() -> None:
    """One that more rules say has a name in `common/`."""
    places: dict[str, list[str]] = defaultdict(list)
    for path in sorted(rules_root().glob("*/*.yaml")):
        for rule in yaml.safe_load(path.read_text(encoding="utf-8")).get("rules", []):
            for said in (rule.get(key, []) for key in _TEXTS):
                for sentence in [said] if isinstance(said, str) else said:
                    places[" ".join(sentence.split())].append(rule["id"])
    often = {text: ids for text, ids in places.items() if len(ids) > _MOST and len(text) > _SHORT}
    assert {text: ids for text, ids in often.items() if not text.startswith("<")} == {}


def test_a_median_stands_with_its_spread() -> None:
    """Wherever a rule tells the median of something, the lowest and the highest trial stand beside it."""
    alone: list[str] = []
    for path in sorted(rules_root().glob("*/*.yaml")):
        for rule in yaml.safe_load(path.read_text(encoding="utf-8")).get("rules", []):
            for said in (rule.get(key, []) for key in _TEXTS):
                for sentence in [said] if isinstance(said, str) else said:
                    told = set(_MEASURED.findall(sentence)) if _MEDIAN.search(sentence) else set()
                    middle = {name for name in told if not _END.search(name)}
                    alone += [f"{rule['id']}: {name}" for name in middle if not {f"{name}_low", f"{name}_high"} <= told]
    assert alone == []


def test_the_five_outcomes_are_worded_once() -> None:
    """Several families are like each of them, and what is common is used."""
    files = {path: yaml.safe_load(path.read_text(encoding="utf-8")) for path in rules_root().glob("*/*.yaml")}
    worded = [name for content in files.values() for name in content.get("outcomes", {})]
    assert sorted(worded) == sorted(OUTCOMES)
    for outcome in OUTCOMES:
        families = {
            path.parent.name
            for path, content in files.items()
            for rule in content.get("rules", [])
            if rule.get("like") == outcome
        }
        assert len(families) > 1, outcome
    everything = "\n".join(path.read_text(encoding="utf-8") for path in files)
    assert [
        name for content in files.values() for name in content.get("sentences", {}) if f"<{name}>" not in everything
    ] == []
