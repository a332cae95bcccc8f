"""Tables of records: a column for each field that declares what it is called."""

from dataclasses import dataclass
from typing import Annotated

from app.domain.view import NO_VALUE, Column, text_cell
from app.model.shown import Shown, table_of, with_column


@dataclass(frozen=True)
class Gate:
    """One gate of a turnstile."""

    name: Annotated[str, Shown("Gate", width=1.5)]
    secret: str
    waiting_kb: Annotated[float | None, Shown("Waiting")]
    used_share: Annotated[float | None, Shown("Used", "%", decimals=1, before="waiting_kb")]
    is_open: Annotated[bool, Shown("Open")]
    mode: Annotated[str, Shown("Mode", text=str.upper)]


GATES = (Gate("A", "x", 1_234.0, 0.125, is_open=True, mode="slow"), Gate("B", "x", None, None, is_open=False, mode=""))


def test_a_declared_field_is_a_column_with_its_unit() -> None:
    """In order but for one that stands before another; numbers by their units, other values in words."""
    table = table_of(Gate, GATES, lambda gate: gate.name)
    assert [column.heading for column in table.columns] == ["Gate", "Used (%)", "Waiting (KiB)", "Open", "Mode"]
    assert [column.is_number for column in table.columns] == [False, True, True, False, False]
    assert table.columns[0].width == 1.5
    assert [[cell.text for cell in row.cells] for row in table.rows] == [
        ["A", "12.5", "1,234", "yes", "SLOW"],
        ["B", NO_VALUE, NO_VALUE, "no", ""],
    ]
    assert [row.key for row in table.rows] == ["A", "B"]


def test_a_column_that_is_worked_out_stands_where_it_is_wanted() -> None:
    """First, or at the end."""
    table = table_of(Gate, GATES, lambda gate: gate.name)
    more = with_column(table, Column("site", "Site"), [text_cell("north"), text_cell("south")], place=0)
    assert [column.key for column in more.columns][:2] == ["site", "name"]
    assert [row.cells[0].text for row in more.rows] == ["north", "south"]
    assert with_column(table, Column("site", "Site"), [text_cell("")] * 2).columns[-1].key == "site"
