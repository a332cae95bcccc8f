"""Numbers as a person types them."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.errors import BadInput
from app.flows.plan.number_entry import (
    Bounds,
    decimal_text,
    levels_text,
    number_text,
    read_decimal,
    read_levels,
    read_whole,
)


@pytest.mark.parametrize(
    "text", ["1000000", "1,000,000", "1.000.000", "1 000 000", "1'000'000", " 1\u202f000\u202f000 "]
)
def test_whole_numbers_may_be_grouped(text: str) -> None:
    """Thousands may be separated as people do in any country."""
    assert read_whole(text) == 1_000_000


@pytest.mark.parametrize("text", ["", "  ", "many", "1.5", "1,0", "1,00,000", "1e3", "0x10", "٣", "9" * 16, "1_000"])
def test_what_is_no_whole_number_is_refused(text: str) -> None:
    """Nothing is guessed: half a number, other digits and other spellings are refused."""
    with pytest.raises(BadInput):
        read_whole(text)


@pytest.mark.parametrize(
    ("text", "number"),
    [("2.5", "2.5"), ("2,5", "2.5"), ("0,125", "0.125"), ("1000", "1000"), (".5", "0.5"), ("5.", "5")],
)
def test_decimals_take_point_or_comma(text: str, number: str) -> None:
    """Both decimal marks are accepted."""
    assert read_decimal(text) == Decimal(number)


def test_a_comma_before_three_digits_is_refused() -> None:
    """1,125 may be read in two ways; the sentence names both."""
    with pytest.raises(BadInput, match=r"1125 or 1\.125"):
        read_decimal("1,125")


@pytest.mark.parametrize("text", ["", "x", "1..2", "inf", "nan", "1e5", "1,2,3"])
def test_what_is_no_decimal_is_refused(text: str) -> None:
    """Words and other notations are refused."""
    with pytest.raises(BadInput):
        read_decimal(text)


@pytest.mark.parametrize(
    "text",
    [
        "500, 1000, 2500",
        "500 1000 2500",
        "500;1000;2500",
        "500,1000,2500",
        " 500,\t1000 2500 ,",
        "500; 1,000; 2,500",
        "500;1 000;2.500",
    ],
)
def test_levels_are_separated_as_one_likes(text: str) -> None:
    """Commas, semicolons and spaces separate levels."""
    assert [int(level) for level in read_levels(text)] == [500, 1000, 2500]


@pytest.mark.parametrize("text", ["1,500", "500, 1,500", "1,000,000", "500,100"])
def test_levels_that_may_be_thousands_are_refused(text: str) -> None:
    """1,500 in a list may be one level or two, so it is refused and not tried as 1 and 500."""
    with pytest.raises(BadInput, match="two ways"):
        read_levels(text)


@pytest.mark.parametrize("text", ["1 000", "a, 2", "1.5, 2", "500, 00", "500; 00", "a; 2", "500; 1,0"])
def test_levels_that_are_no_whole_numbers_are_refused(text: str) -> None:
    """Every level is a whole number without a leading zero, whatever separates them."""
    with pytest.raises(BadInput):
        read_levels(text)


@given(st.lists(st.integers(0, 10**12), max_size=8))
def test_levels_shown_are_read_back(levels: list[int]) -> None:
    """What a field shows is what it reads."""
    assert read_levels(levels_text(tuple(levels))) == tuple(levels)


@given(st.integers(-(10**14), 10**14))
def test_whole_numbers_shown_are_read_back(number: int) -> None:
    """Grouped numbers are read back as they were."""
    assert read_whole(number_text(number)) == number


@given(st.decimals(0, 10**9, places=6))
def test_decimals_shown_are_read_back(number: Decimal) -> None:
    """Decimals are shown without groups, so that they are read back."""
    assert read_decimal(decimal_text(number)) == number


@pytest.mark.parametrize(
    ("bounds", "text"),
    [
        (Bounds(1, 10_000), "1 to 10,000"),
        (Bounds(0, 100, open_low=True, open_high=True), "more than 0, less than 100"),
        (Bounds(0, 100, open_low=True), "more than 0, at most 100"),
        (Bounds(0), "at least 0"),
        (Bounds(), ""),
    ],
)
def test_bounds_are_told_in_words(bounds: Bounds, text: str) -> None:
    """Bounds read as a person says them."""
    assert bounds.text() == text


def test_open_bounds_do_not_hold_themselves() -> None:
    """An open bound is not among what it allows; a closed one is."""
    assert not Bounds(0, 100, open_low=True, open_high=True).hold(Decimal(0))
    assert not Bounds(0, 100, open_low=True, open_high=True).hold(Decimal(100))
    assert Bounds(0, 100).hold(Decimal(0))
    assert Bounds(0, 100).hold(Decimal(100))
    assert not Bounds(0, 100).hold(Decimal("100.01"))
    assert not Bounds(1).hold(Decimal("0.99"))
