"""A table is one test; each of its rows is looked at, and each that fails is named."""

import pytest

from tests.rows import every_row

PAIRS = ((1, 1), (2, 3), (4, 4), (5, 6))


def test_all_rows_that_fail_are_named_and_the_first_is_shown() -> None:
    """One that fails hides none behind it; what it failed by is told."""

    @every_row("left, right", PAIRS)
    def equal(left: int, right: int) -> None:
        assert left == right

    with pytest.raises(AssertionError) as caught:
        equal()
    lines = str(caught.value).splitlines()
    assert lines[0] == "2 of 4 rows fail:"
    assert [line for line in lines if line.startswith("[")] == [
        "[2, 3] AssertionError: assert 2 == 3",
        "[5, 6] AssertionError: assert 5 == 6",
    ]
    assert isinstance(caught.value.__cause__, AssertionError)


@pytest.mark.parametrize("ids", [lambda number: f"number {number}", ["number 1", "number 2"]])
def test_what_raises_nothing_or_something_else_and_what_is_skipped_fails(ids: object) -> None:
    """Whatever ends a row before its end: an error, a missing error, a skip that would hide the other rows."""

    @every_row("number", [1, 2], ids=ids)  # type: ignore[arg-type]  # either kind
    def ended(number: int) -> None:
        if number == 1:
            pytest.skip("not here")
        with pytest.raises(ValueError, match="never"):
            pass

    with pytest.raises(AssertionError, match=r"2 of 2 rows") as caught:
        ended()
    assert "[number 1] Skipped: not here" in str(caught.value)
    assert "[number 2] Failed: DID NOT RAISE" in str(caught.value)


SEEN: list[tuple[str, int]] = []


@pytest.mark.parametrize("word", ["a", "b"])
@every_row("number", range(3))
def test_it_stands_beside_parameters_and_fixtures(number: int, word: str, capsys: pytest.CaptureFixture[str]) -> None:
    """What is no column of the table, pytest hands over as ever."""
    assert isinstance(capsys, pytest.CaptureFixture)
    SEEN.append((word, number))
    assert [(one, each) for one in ("a", "b") for each in range(3)][: len(SEEN)] == SEEN


def test_tables_may_be_crossed() -> None:
    """Each row of one with each of the other; the failing one is named by both."""

    @every_row("left", [1, 2])
    @every_row("right", [2, 3])
    def less(left: int, right: int) -> None:
        assert left < right

    with pytest.raises(AssertionError, match=r"1 of 2 rows") as caught:
        less()
    assert "[2] AssertionError: 1 of 2 rows fail:\n[2] AssertionError: assert 2 < 2" in str(caught.value)


def test_a_table_without_rows_is_no_table() -> None:
    """Nothing would be looked at."""
    with pytest.raises(AssertionError, match="no row of word"):
        every_row("word", [])
