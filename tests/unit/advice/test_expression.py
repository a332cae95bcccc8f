"""Conditions of rules: typed before use, and honest about what is not known."""

from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.advice.expression import ExpressionError, parse_condition, parse_number
from app.domain.facts import FactType, FactValue
from tests.kinds import KINDS

TYPES = {
    "gain_percent": FactType.NUMBER,
    "rtt_ms": FactType.NUMBER,
    "verdict": FactType.TEXT,
    "scenario": FactType.TEXT,
    "factor": FactType.TEXT,
    "confirmed": FactType.FLAG,
}


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("gain_percent", "must be a condition"),
        ("gain_percent + 1", "must be a condition"),
        ("true", "looks at no fact"),
        ("verdict == 5", "must be a text"),
        ("confirmed == 1", "must be a flag"),
        ("confirmed > 1", "mixes numbers, texts and flags"),
        ("verdict > 'a'", "must be a number"),
        ("gain_percent and confirmed", "must be a flag"),
        ("not gain_percent", "must be a flag"),
        ("gain_percent in [1, 'x']", "must be a number"),
        ("verdict in ['improvement', 'best']", 'never "best"'),
        ("scenario != 'continous'", 'never "continous"'),
        ("'a' in verdict", "may only compare facts"),
        ("verdict =~ 'im.*'", "may only compare facts"),
        ("gain_percent == null", "may only compare facts"),
        ("gain_percent > 1 ? confirmed : confirmed", "may only compare facts"),
        ("$abs(gain_percent) > 1", "may only compare facts"),
        ("$now == $now", "may not be used"),
        ("gain_percent ** 2 > 1", "add, subtract, multiply and divide"),
        ("9 ** 9 ** 9 ** 9 > gain_percent", "add, subtract, multiply and divide"),
        ("1 << 10000000000 > gain_percent", "add, subtract, multiply and divide"),
        ("'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab' =~ '(a+)+$' and confirmed", "may only compare facts"),
        ("'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab' !~ \"(a+)+$\" # ' ", "may only compare facts"),
        ("$range(10000000000) == 1", "may only compare facts"),
        ("[[b for b in [1, 2]] for a in [1, 2]] == 1", "may only compare facts"),
        ("gain_percent > " + "1 + " * 10_000 + "1", "longer than 20,000 characters"),
        ("gain_percent % 2 == 0", "add, subtract, multiply and divide"),
        ("gain_percent > nan", "must lie within"),
        ("gain_percent > inf", "must lie within"),
        ("gain_percent > 1e999999", "must lie within"),
        ("verdict.length > 1", "may only compare facts"),
        ("not " * 3000 + "confirmed", "nested too deeply"),
        ("", "ends too early"),
    ],
)
def test_what_cannot_be_decided_from_facts_alone_is_refused(text: str, why: str) -> None:
    """Mixed types, functions, the clock and odd numbers are refused when the rule is read."""
    with pytest.raises(ExpressionError, match=why):
        parse_condition(text, TYPES, KINDS)


@pytest.mark.parametrize(
    ("text", "facts", "expected"),
    [
        ("gain_percent > 5 and confirmed", {"gain_percent": 6, "confirmed": True}, True),
        ("gain_percent > 5 and confirmed", {"gain_percent": 5, "confirmed": True}, False),
        ("gain_percent > 5 and confirmed", {"gain_percent": 5}, False),
        ("gain_percent > 5 and confirmed", {"confirmed": False}, False),
        ("gain_percent > 5 and confirmed", {"gain_percent": 6}, None),
        ("gain_percent > 5 or confirmed", {"confirmed": True}, True),
        ("gain_percent > 5 or confirmed", {"gain_percent": 4}, None),
        ("not confirmed", {"confirmed": False}, True),
        ("not confirmed", {}, None),
        ("verdict in ['improvement', 'worse']", {"verdict": "worse"}, True),
        ("gain_percent in [1, 2]", {"gain_percent": 3}, False),
        ("gain_percent / rtt_ms > 1", {"gain_percent": 1, "rtt_ms": 0}, None),
        ("gain_percent - rtt_ms > 1", {"gain_percent": float("inf"), "rtt_ms": float("inf")}, None),
        ("gain_percent > 1", {"gain_percent": float("inf")}, True),
        ("gain_percent * 3 == 0.3", {"gain_percent": 0.1}, True),
        ("-gain_percent < 5", {"gain_percent": -6}, False),
    ],
)
def test_a_condition_is_true_false_or_not_known(
    text: str, facts: Mapping[str, FactValue], expected: bool | None
) -> None:
    """Missing facts and sums without result make a condition unknown only where they decide it."""
    assert parse_condition(text, TYPES, KINDS).truth(facts) is expected


@settings(deadline=None)
@given(gain=st.floats(-1e6, 1e6) | st.none(), rtt=st.floats(-1e6, 1e6) | st.none(), confirmed=st.booleans() | st.none())
def test_learning_more_never_turns_an_answer_round(
    gain: float | None, rtt: float | None, confirmed: bool | None
) -> None:
    """Whatever is concluded from some facts still holds when the rest becomes known."""
    condition = parse_condition("not (gain_percent > 5 and confirmed) or rtt_ms < gain_percent", TYPES, KINDS)
    everything = {"gain_percent": gain or 0.0, "rtt_ms": rtt or 0.0, "confirmed": bool(confirmed)}
    given_facts = {"gain_percent": gain, "rtt_ms": rtt, "confirmed": confirmed}
    known: dict[str, FactValue] = {name: value for name, value in given_facts.items() if value is not None}
    now = condition.truth(known)
    assert now is None or now is condition.truth({**everything, **known})


def test_comparisons_are_listed_as_written() -> None:
    """The comparisons a case must pin down are told in the words of the rule."""
    condition = parse_condition("gain_percent * 2 >= rtt_ms and (rtt_ms > -3.5 or verdict == 'worse')", TYPES, KINDS)
    assert condition.comparisons() == ("gain_percent * 2 >= rtt_ms", "rtt_ms > -3.5")


def test_a_boundary_counts_only_where_the_outcome_hangs_on_it() -> None:
    """A case on the boundary says nothing when another part of the condition decides."""
    condition = parse_condition("gain_percent > 5 and confirmed", TYPES, KINDS)
    assert condition.pins_boundary(0, {"gain_percent": 5, "confirmed": True})
    assert not condition.pins_boundary(0, {"gain_percent": 5, "confirmed": False})
    assert not condition.pins_boundary(0, {"gain_percent": 6, "confirmed": True})
    assert not condition.pins_boundary(0, {"confirmed": True})


def test_a_sum_gives_a_number_or_nothing() -> None:
    """A sum with a missing fact, a division by zero or an infinite result has no value."""
    ratio = parse_number("gain_percent / rtt_ms", TYPES, KINDS)
    assert ratio.number({"gain_percent": 1000, "rtt_ms": 2.5}) == 400
    assert ratio.number({"gain_percent": 1000, "rtt_ms": 0}) is None
    assert ratio.number({"gain_percent": float("inf"), "rtt_ms": 2}) is None
    assert ratio.number({"gain_percent": 1000}) is None
    with pytest.raises(ExpressionError, match="must give a number"):
        parse_number("gain_percent > 1", TYPES, KINDS)
