"""The facts a rule looked at, in words: title, value and unit of each."""

import re
from typing import Final

from app.domain.comparison import Verdict
from app.domain.finding import Finding
from app.domain.setting import Value
from app.foundation.texts import _, local_number
from app.reporting.numbers import percent, quantity
from app.reporting.wording import Vocabulary, verdict_word

_UNIT_SUFFIX: Final = re.compile(r"_(percent|share|ms|kbps|s|h)$")
# Facts that the page shows by themselves, or that only tell the rule whether it may speak.
_HIDDEN: Final = frozenset({"factor", "verdict", "best_differs"})

_GAINS: Final = frozenset({"gain_percent", "gain_low_percent", "gain_high_percent"})
_TIMES_FROM_PERCENT: Final = 100  # as in the texts of rules


def shown_facts(finding: Finding, is_judged: bool) -> tuple[tuple[str, Value | bool, str], ...]:
    """Return the facts of a finding that a reader should see: name, value, unit.

    The gain is left out where a verdict with its interval stands above (`is_judged`).
    """
    hidden = _HIDDEN | _GAINS if is_judged else _HIDDEN
    return tuple(fact for fact in finding.facts if fact[0] not in hidden and fact[:2] != ("factors_varied", 1))


def fact_title(name: str, words: Vocabulary) -> str:
    """Return what a fact is, in words; of one that has none its name. Its unit stands beside its value."""
    return words.fact_title(name) or _UNIT_SUFFIX.sub("", name).replace("_", " ")


def fact_value(name: str, value: Value | bool, unit: str) -> str:
    """Return a fact's value with its unit; a percentage with as many digits as everywhere in the report."""
    if name.endswith("verdict") and value in set(Verdict):
        return verdict_word(Verdict(str(value)))
    if isinstance(value, bool) or not isinstance(value, int | float):
        return quantity(value, unit)
    if name in _GAINS and value >= _TIMES_FROM_PERCENT:
        return _("{times} times as good").format(times=local_number(f"{1 + value / 100:.1f}"))
    if unit == "%":
        shown = percent(value / 100)
        return f"−{shown}" if value < 0 and shown != percent(0) else shown
    if unit == "h":
        return quantity(round(float(value), 1), unit)
    return f"{value:.10g}" if unit == "" else quantity(value, unit)  # a parameter's value stands as it is typed
