"""The effect of a change on the client's mix of transactions, by hand."""

from dataclasses import replace

import pytest

from app.domain.comparison import Comparison
from app.domain.errors import BadInput
from app.domain.mix import Part, mix_of, mixed
from app.domain.own_words import own_words
from tests.unit.services.test_result_json import COMPARISON


def test_a_mix_is_shares_by_rows_per_statement() -> None:
    """They need not sum to 100."""
    assert mix_of("1: 60, 1000: 20%") == {1.0: 0.75, 1000.0: 0.25}
    assert mix_of(" ") == {}


@pytest.mark.parametrize("text", ["1", "1: 80, 1: 20", "many: 80", "1: 0", "1: -5", "1: 80;", "0: 100"])
def test_anything_else_is_refused(text: str) -> None:
    """With a sentence that quotes it and shows how it is written; a file that holds it tells of no mix."""
    with pytest.raises(BadInput, match=f'^"{text}": give rows per statement'):
        mix_of(text)
    assert own_words({"mix": text}).shares == {}


def compared(ratio: float, low: float, high: float) -> Comparison:
    """Return a comparison with this ratio and interval."""
    return replace(COMPARISON, ratio=ratio, low=low, high=high)


def part(size: float, time_ms: float, ratio: float) -> Part:
    """Return a shape whose interval is 0.1 to either side."""
    return Part(compared(ratio, ratio - 0.1, ratio + 0.1), size, time_ms)


def test_each_shape_counts_by_its_share_of_the_time() -> None:
    """80 of 100 statements take 2 ms, 20 take 48 ms: 160 and 960 ms, so 1/7 and 6/7 of the time.

    Without any gain on the first and 40 % on the others: 1/7 + 0.6 * 6/7.
    """
    found = mixed([part(1000, 48, 0.6), part(1, 2, 1.0), part(50, 5, 0.2)], {1: 0.8, 1000: 0.2})
    assert isinstance(found, Comparison)
    assert found.ratio == pytest.approx(1 / 7 + 0.6 * 6 / 7)
    assert (found.low, found.high) == pytest.approx((found.ratio - 0.1, found.ratio + 0.1))


def test_a_shape_that_was_not_measured_leaves_the_range() -> None:
    """Also one without an interval, and a size that two comparisons have."""
    one = part(1, 2, 1.0)
    assert mixed([one], {1: 0.8, 10: 0.2}) is None
    assert mixed([one], {}) is None
    assert mixed([one, one], {1: 1.0}) is None
    assert mixed([Part(compared(0.9, 0.0, float("inf")), 1, 2)], {1: 1.0}) is None
