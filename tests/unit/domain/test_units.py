"""Units: conversion, and what is told about wrong ones."""

import pytest

from app.domain.errors import BadInput
from app.domain.units import Quantity, convert, known_units, unit_word


@pytest.mark.parametrize(
    ("value", "unit", "wanted", "expected"),
    [
        (1.5, "min", "s", 90.0),
        (250.0, "ms", "s", 0.25),
        (120.0, "commands/min", "commands/s", 2.0),
        (0.5, "Mbps", "kbps", 500.0),
        (1.0, "MB/s", "kbps", 8_000.0),
        (12.0, "%", "share", 0.12),
    ],
)
def test_convert_follows_the_units(value: float, unit: str, wanted: str, expected: float) -> None:
    """A value keeps its meaning in another unit of the same kind."""
    assert convert(value, unit, wanted) == pytest.approx(expected)


def test_convert_returns_the_same_number_for_the_same_unit() -> None:
    """No arithmetic is done where none is needed: 199.08 s stays exactly 199.08 s."""
    assert convert(199.08, "s", "s") == 199.08


def test_unknown_unit_names_the_known_ones() -> None:
    """A unit that does not exist is told with those that do."""
    with pytest.raises(BadInput, match=r'unit "sek" does not exist; known units are .*ms'):
        convert(1.0, "sek", "s")


def test_a_unit_only_a_system_has_is_taken_as_it_is() -> None:
    """It converts to itself, and a person reads it as it is written."""
    assert convert(3.0, "people", "people") == 3.0
    assert unit_word("people") == "people"
    with pytest.raises(BadInput, match='unit "people" does not exist'):
        convert(3.0, "people", "s")


def test_units_of_different_kinds_cannot_be_compared() -> None:
    """Seconds are not commands per second, and the sentence says so."""
    with pytest.raises(BadInput, match=r'"s" \(time\) and "commands/s" \(command rate\) cannot be compared'):
        Quantity(1.0, "s").to("commands/s")


@pytest.mark.parametrize("unit", known_units())
def test_every_unit_converts_to_itself(unit: str) -> None:
    """Every unit the program knows is usable."""
    assert convert(2.0, unit, unit) == 2.0
