"""Texts of rules: numbers a person can read, with their units."""

import pytest

from app.advice.text import Text, TextError, format_fact, parse_sentence
from app.domain.facts import FactValue

NO_BREAK = "\u00a0"


@pytest.mark.parametrize(
    ("value", "unit", "decimals", "shown"),
    [
        (18.4, "%", 1, "18.4 %"),
        (18.37, "%", None, "18.4 %"),
        (1_000_000, "commands", None, "1,000,000 commands"),
        (1_000_000.0, "commands", None, "1,000,000 commands"),
        (2.5, "commands", None, "2.5 commands"),
        (1, "commands", None, "1 command"),
        (8, "count", None, "8"),
        (5000.0, "", None, "5,000"),
        (0.421, "share", None, "42.1 %"),
        (0.05, "share", 0, "5 %"),
        (300, "ms", None, "300 ms"),
        (354.6, "s", None, "5 min 55 s"),
        (59.4, "s", 0, "59 s"),
        (75.2, "s", 0, "1 min 15 s"),
        (0.034, "s", None, "0.034 s"),
        (0.0, "%", None, "0 %"),
        (-3.14, "%", 1, "−3.1 %"),
        (-0.04, "%", 1, "0.0 %"),
        (9.7222, "h", 1, "9 h 43 min"),
        (0.5, "h", 1, "30 min"),
        (13_273.0, "ms", None, "13.3 s"),
        (float("inf"), "h", 1, "∞"),
        (float("-inf"), "%", None, "−∞ %"),
        (True, "", None, "yes"),
        (False, "", None, "no"),
        ("ReadBatchSize", "", None, "ReadBatchSize"),
    ],
)
def test_facts_read_like_a_person_writes_them(value: FactValue, unit: str, decimals: int | None, shown: str) -> None:
    """Numbers have their unit, thousands are grouped, whole numbers have no decimals, shares are percentages.

    A length of time is told in its parts, and no line ends between a number and its unit.
    """
    assert format_fact(value, unit, decimals) == shown.replace(" ", NO_BREAK)


@pytest.mark.parametrize(
    ("percent", "better", "gain"),
    [
        (672.4, "7.7 times as good", "7.7 times"),
        (100.0, "2.0 times as good", "2.0 times"),
        (43.28, "43 % better", "43 %"),
        (9.96, "10 % better", "10 %"),
        (5.04, "5 % better", "5 %"),
        (2.14, "2.1 % better", "2.1 %"),
        (-0.5988, "0.6 % worse", "−0.6 %"),
        (0.0, "no different", "0 %"),
        (-0.01, "no different", "0 %"),
    ],
)
def test_improvements_are_said_as_people_say_them(percent: float, better: str, gain: str) -> None:
    """From twice as much on an improvement is a multiple, and a negative one is a loss."""
    text = Text((parse_sentence("{g:better} | {g:gain}"),))
    assert text.fill({"g": percent}, {"g": "%"}).replace(NO_BREAK, " ") == f"{better} | {gain}"


def test_nan_is_never_shown() -> None:
    """A value that is no number is a mistake of the program, not a text."""
    with pytest.raises(ValueError, match="NaN is no fact"):
        format_fact(float("nan"), "s")


def test_sentences_about_unknown_facts_are_left_out() -> None:
    """A text tells what is known and is silent about the rest."""
    text = Text((parse_sentence("It took {rtt_ms}."), parse_sentence("Use was {use:.0f}."), parse_sentence("Done.")))
    units = {"rtt_ms": "ms", "use": "%"}
    assert text.names == {"rtt_ms", "use"}
    assert text.fill({"rtt_ms": 300, "use": 4.9}, units) == f"It took 300{NO_BREAK}ms. Use was 5{NO_BREAK}%. Done."
    assert text.fill({"rtt_ms": 300}, units) == f"It took 300{NO_BREAK}ms. Done."


def test_a_percentage_written_into_a_text_keeps_its_sign_beside_it() -> None:
    """A rule may say "95 % interval" with a plain blank; no line of a report ends within it."""
    assert Text((parse_sentence("the 95 % interval"),)).fill({}, {}) == f"the 95{NO_BREAK}% interval"


def test_line_breaks_of_the_file_are_not_part_of_the_text() -> None:
    """How a text is wrapped in the file does not show in the report."""
    assert parse_sentence("one\n  two  three\n").text == "one two three"


def test_doubled_braces_are_braces() -> None:
    """A text may contain braces of its own."""
    assert Text((parse_sentence("{{x}} {a}"),)).fill({"a": 1}, {"a": ""}) == "{x} 1"


@pytest.mark.parametrize(
    "text", ["", "  ", "{", "}", "{}", "{0}", "{A}", "{a.b}", "{a[0]}", "{a!r}", "{a:.4f}", "{a:{b}}", "{a:worse}"]
)
def test_what_is_no_placeholder_is_refused(text: str) -> None:
    """Only a fact, or a fact with up to three decimals, can stand in braces."""
    with pytest.raises(TextError):
        parse_sentence(text)
