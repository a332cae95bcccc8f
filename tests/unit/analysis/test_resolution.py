"""How finely values were written down."""

import pytest

from app.analysis.resolution import step_of


@pytest.mark.parametrize(
    ("values", "step"),
    [
        ((7.0, 8.0), 1.0),
        ((199.08, 186.15, 163.8), 0.01),
        ((1_000.0, 25_000.0), 1_000.0),
        ((1_000.0, 0.0), 1_000.0),
        ((), 0.0),
        ((1e308,), 1e308),
    ],
)
def test_the_last_digit_counts(values: tuple[float, ...], step: float) -> None:
    """The finest digit of all values is the step."""
    assert step_of(values) == pytest.approx(step)


def test_a_computed_number_has_no_step() -> None:
    """A third is written with all its digits, far finer than any noise."""
    assert step_of([100 / 3]) < 1e-12
