"""Tables as plain data: order, filter, clipboard text and layouts."""

import pytest

from app.domain.view import NO_VALUE, Column, Emphasis, Row, TableContent, number_cell, text_cell
from app.flows.table_view import (
    Sort,
    TableLayout,
    arrange,
    copy_text,
    layout_as_text,
    layout_from_text,
    matches,
    without_constants,
)

_COLUMNS = (Column("name", "Agent"), Column("rate", "Rate", unit="commands/s", is_number=True))


def _content(*rows: tuple[str, float | None]) -> TableContent:
    cells = (Row(name, (text_cell(name), number_cell(value, 1))) for name, value in rows)
    return TableContent(_COLUMNS, tuple(cells))


def _names(content: TableContent, sort: Sort | None, wanted: str = "") -> list[str]:
    return [content.rows[index].key for index in arrange(content, sort, wanted)]


def test_numbers_are_sorted_by_value_and_not_by_spelling() -> None:
    """1,000 comes after 9 although its text would come first."""
    content = _content(("a", 1_000.0), ("b", 9.0), ("c", -2.0))
    assert _names(content, Sort("rate")) == ["c", "b", "a"]
    assert _names(content, Sort("rate", descending=True)) == ["a", "b", "c"]


@pytest.mark.parametrize("descending", [False, True])
def test_rows_without_a_value_come_last_either_way(descending: bool) -> None:
    """What is not known never pushes itself to the top."""
    content = _content(("none", None), ("one", 1.0), ("two", 2.0))
    assert _names(content, Sort("rate", descending))[-1] == "none"


def test_names_are_sorted_as_people_count() -> None:
    """Sales2 comes before Sales10, whatever the case of the letters."""
    content = _content(("sales10", 1.0), ("Sales2", 1.0), ("Archive", 1.0))
    assert _names(content, Sort("name")) == ["Archive", "Sales2", "sales10"]


def test_numbers_come_before_words_in_a_mixed_column() -> None:
    """A column may hold numbers and words; both keep an order of their own."""
    rows = (Row("w", (text_cell("auto"),)), Row("n", (number_cell(5),)), Row("m", (number_cell(3),)))
    content = TableContent((Column("value", "Value"),), rows)
    assert _names(content, Sort("value")) == ["m", "n", "w"]


def test_equal_values_keep_the_order_of_the_content() -> None:
    """Sorting by one column does not shuffle rows that are equal in it."""
    content = _content(("z", 1.0), ("a", 1.0), ("m", 1.0))
    assert _names(content, Sort("rate")) == ["z", "a", "m"]


def test_an_unknown_column_leaves_the_order_alone() -> None:
    """A layout kept for a column that no longer exists does no harm."""
    content = _content(("z", 2.0), ("a", 1.0))
    assert _names(content, Sort("gone")) == ["z", "a"]
    assert _names(content, None) == ["z", "a"]


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ("", True),
        ("  ", True),
        ("SALES", True),
        ("1,000", True),
        ("1000", True),
        ("sales 1000", True),
        ("sales 7", False),
    ],
)
def test_a_filter_needs_every_word_somewhere_in_the_row(wanted: str, found: bool) -> None:
    """Numbers are found with and without grouping, words in any case."""
    row = Row("x", (text_cell("Sales"), number_cell(1_000.0)))
    assert matches(row, wanted) is found


def test_filtered_rows_are_sorted_too() -> None:
    """Filter and sort work together."""
    content = _content(("Sales2", 2.0), ("Archive", 5.0), ("Sales1", 1.0))
    assert _names(content, Sort("rate"), "sales") == ["Sales1", "Sales2"]


def test_copied_text_has_headings_units_and_plain_numbers() -> None:
    """A spreadsheet takes the lines apart at the tabs and reads the numbers as numbers."""
    content = _content(("Sales 1\nnew", 1_234.5), ("b", None))
    assert copy_text(content, (1, 0), (1, 0)) == "Rate (commands/s)\tAgent\n\tb\n1234.5\tSales 1 new\n"


def test_no_rows_copy_nothing() -> None:
    """Headings alone are not worth replacing what is on the clipboard."""
    assert copy_text(_content(), (), (0, 1)) == ""


def test_a_missing_number_is_shown_as_missing() -> None:
    """An unknown number is neither 0 nor blank."""
    assert number_cell(None).text == NO_VALUE
    assert number_cell(1234567.891, 2).text == "1,234,567.89"


def test_a_layout_survives_being_kept() -> None:
    """Widths, order and sort come back as they were."""
    layout = TableLayout((("rate", 120), ("näme", 80)), Sort("rate", descending=True))
    assert layout_from_text(layout_as_text(layout)) == layout
    assert layout_from_text(layout_as_text(TableLayout())) == TableLayout()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "3",
        '{"widths": 5, "sort": 1}',
        '{"widths": [["a"], ["a", "b"], [1, 2], ["a", 0]], "sort": ["a", 1]}',
    ],
)
def test_a_damaged_layout_gives_the_default(text: str) -> None:
    """A preferences file edited by hand cannot break a table."""
    assert layout_from_text(text) == TableLayout()


def test_what_is_the_same_in_every_row_stands_above_the_table() -> None:
    """Columns of words that never change go to the heading; numbers, the first column and what stands out stay."""
    columns = (
        Column("who", "Agent"),
        Column("phase", "Phase"),
        Column("of", "Trials", is_number=True),
        Column("v", "V"),
    )

    def row(name: str, phase: str, verdict: Emphasis = Emphasis.STRONG) -> Row:
        cells = (text_cell(name), text_cell(phase), number_cell(3.0, 0), text_cell("better", emphasis=verdict))
        return Row(name, cells)

    varying, said = without_constants(TableContent(columns, (row("a", "exploring"), row("b", "exploring"))))
    assert said == "Phase: exploring"
    assert [column.key for column in varying.columns] == ["who", "of", "v"]
    assert [len(each.cells) for each in varying.rows] == [3, 3]
    for rows in (
        (row("a", "exploring"),),
        (row("a", "exploring"), row("b", "confirming")),
        (row("a", ""), row("b", "")),
    ):
        content = TableContent(columns, rows)
        assert without_constants(content) == (content, "")
