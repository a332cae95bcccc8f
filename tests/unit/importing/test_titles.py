"""Tables below each other under equal headings are conditions or settings by their titles, and asked about without."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

import pytest
from xlsxwriter import Workbook

from app.bootstrap import build_program
from app.flows.explain.import_view import look_at, understand, with_common_value
from app.services.explain.imported_session import accepted_columns
from app.services.explain.importing import NO_RULE, Asked, ImportedFile, read_measurements
from tests.labs import FAMILIES

COLUMNS: Final = accepted_columns(FAMILIES)
BEFORE: Final = (("1", "199.1"), ("4", "64.2"))
AFTER: Final = (("1", "150.3"), ("4", "50.1"))


def _csv(title: str, rows: tuple[tuple[str, str], ...], delimiter: str = ",") -> str:
    heads = ("SubscriptionStreams", "Duration (s)")
    above = f"{title}{delimiter if delimiter == ';' else ''}\n" if title else ""
    return above + "".join(delimiter.join(cells) + "\n" for cells in (heads, *rows)) + "\n"


def _markdown(title: str, rows: tuple[tuple[str, str], ...]) -> str:
    above = f"## {title}\n\n" if title else ""
    body = "".join(f"| {streams} | {value} |\n" for streams, value in rows)
    return f"{above}| SubscriptionStreams | Duration (s) |\n|---:|---|\n{body}\n"


def _result_set(title: str, rows: tuple[tuple[str, str], ...]) -> str:
    above = f"{title}\n" if title else ""
    body = "".join(f"{streams:>19} {value:>10}\n" for streams, value in rows)
    ruler = "SubscriptionStreams duration_s\n------------------- ----------\n"
    return f"{above}{ruler}{body}\n(2 rows affected)\n\n"


def _html(title: str, rows: tuple[tuple[str, str], ...]) -> str:
    body = "".join(f"<tr><td>{streams}</td><td>{value}</td></tr>" for streams, value in rows)
    above = f"<h2>{title}</h2>" if title else ""
    return f"{above}<table><tr><th>SubscriptionStreams</th><th>Duration (s)</th></tr>{body}</table>\n"


def _wiki(title: str, rows: tuple[tuple[str, str], ...]) -> str:
    body = "".join(f"|-\n| {streams} || {value}\n" for streams, value in rows)
    above = f"== {title} ==\n" if title else ""
    return f"{above}{{|\n! SubscriptionStreams !! Duration (s)\n{body}|}}\n"


SHAPES: Final[Mapping[str, Callable[[str, tuple[tuple[str, str], ...]], str]]] = {
    "commas": _csv,
    "semicolons as a spreadsheet saves them": lambda title, rows: _csv(title, rows, ";"),
    "tabs": lambda title, rows: _csv(title, rows, "\t"),
    "markdown": _markdown,
    "result sets": _result_set,
    "a page": _html,
    "a wiki": _wiki,
}


def _read(folder: Path, text: str, **answers: str) -> ImportedFile:
    path = folder / "site.txt"
    path.write_text(text, encoding="utf-8")
    return read_measurements(path, COLUMNS, answers=answers)


def _points(imported: ImportedFile) -> list[tuple[str, str, float]]:
    return [(m.setting.label(), m.conditions.text() if m.conditions else "", m.value) for m in imported.measurements]


def _both(first: str, second: str) -> list[tuple[str, str, float]]:
    return [
        ("SubscriptionStreams 1", first, 199.1),
        ("SubscriptionStreams 4", first, 64.2),
        ("SubscriptionStreams 1", second, 150.3),
        ("SubscriptionStreams 4", second, 50.1),
    ]


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
@pytest.mark.parametrize("titles", [("Before", "After the change"), ("LAN 1 ms", "WAN 40 ms"), ("", "After")])
def test_titles_are_conditions(
    tmp_path: Path, shape: Callable[[str, tuple[tuple[str, str], ...]], str], titles: tuple[str, str]
) -> None:
    """Values of one setting under two titles are neither averaged nor repeats of each other."""
    imported = _read(tmp_path, shape(titles[0], BEFORE) + shape(titles[1], AFTER))
    assert _points(imported) == _both(*(f"Table {title}" if title else "" for title in titles))
    assert any('"Table" was taken for a condition' in note for note in imported.notes)


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
@pytest.mark.parametrize("title", ["", "Results"])
def test_tables_that_nothing_tells_apart_are_asked_about(
    tmp_path: Path, shape: Callable[[str, tuple[tuple[str, str], ...]], str], title: str
) -> None:
    """Further runs, or other conditions: what was answered is kept to, and the window offers both."""
    text = shape(title, BEFORE) + shape(title, AFTER)
    with pytest.raises(Asked, match=r"2 tables have the same headings.*--say tables_are=repeats"):
        _read(tmp_path, text)
    assert _points(_read(tmp_path, text, tables_are="repeats")) == _both("", "")
    assert _points(_read(tmp_path, text, tables_are="conditions")) == _both("Table 1", "Table 2")
    program, path = build_program(), tmp_path / "site.txt"
    looked = look_at(str(path), program)
    choices = next(one.choices for one in looked.common if one.name == "tables_are")
    for answer, _words in choices:
        answered = with_common_value(looked.mapping, "tables_are", answer)
        assert understand(path, looked.raw, answered, program).problems == ()


@pytest.mark.parametrize(
    "between", ["Page 1 of 2\n", "- 1 of 2 -\n", "Drained backlog, Seite 2\n", "", "Drained backlog\nPage 2\n"]
)
def test_headings_on_the_next_page_go_on_with_the_table(tmp_path: Path, between: str) -> None:
    """Where the next page has other settings, or a page number stands between."""
    rows = "SubscriptionStreams,Duration (s)\n{0}\n{1}\n"
    text = "Drained backlog\n" + rows.format("1,199.1", "4,64.2") + between + rows.format("2,110.5", "8,50.1")
    imported = _read(tmp_path, text)
    assert [point[:2] for point in _points(imported)] == [(f"SubscriptionStreams {n}", "") for n in (1, 4, 2, 8)]


@pytest.mark.parametrize(
    "titles", [("1 stream", "8 streams"), ("Streams 1", "Streams 8"), ("SubscriptionStreams = 1", "8 streams")]
)
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_titles_are_settings_where_they_name_them(tmp_path: Path, titles: tuple[str, str], delimiter: str) -> None:
    """Runs below each are runs of that setting."""
    table = "{}\nRun{mark}Duration (s)\n1{mark}{}\n2{mark}{}\n\n"
    text = table.format(titles[0], 199.1, 201.3, mark=delimiter) + table.format(titles[1], 64.2, 66.0, mark=delimiter)
    imported = _read(tmp_path, text)
    assert _points(imported) == [
        ("SubscriptionStreams 1", "", 199.1),
        ("SubscriptionStreams 1", "", 201.3),
        ("SubscriptionStreams 8", "", 64.2),
        ("SubscriptionStreams 8", "", 66.0),
    ]


def test_titles_without_a_parameter_are_compared_without_a_rule(tmp_path: Path) -> None:
    """Before and after what, no family knows."""
    table = "{}\nRun,Duration (s)\n1,{}\n2,{}\n\n"
    imported = _read(tmp_path, table.format("Before", 199.1, 201.3) + table.format("After", 64.2, 66))
    assert {m.family for m in imported.measurements} == {NO_RULE}
    assert [m.setting.label() for m in imported.measurements] == ["Table Before"] * 2 + ["Table After"] * 2


@pytest.mark.parametrize("rest", [";", ";;"])
def test_a_row_that_holds_a_title_only_begins_a_table(tmp_path: Path, rest: str) -> None:
    """As grouped tables and merged cells of a spreadsheet have it, without headings again."""
    more = ";" * (len(rest) - 1)
    rows = [f"{streams};{value}{more}\n" for streams, value in (*BEFORE, *AFTER)]
    text = f"SubscriptionStreams;Duration (s){more}\nLAN{rest}\n{''.join(rows[:2])}WAN{rest}\n{''.join(rows[2:])}"
    assert _points(_read(tmp_path, text.replace("Duration (s);", "Duration (s);Remark"))) == _both(
        "Table LAN", "Table WAN"
    )


def test_titles_that_are_measures_say_what_was_measured(tmp_path: Path) -> None:
    """One table of rates, one of times."""
    text = (
        "Throughput (commands/s)\nSubscriptionStreams,Run 1,Run 2\n1,5023,5100\n4,15583,15600\n\n"
        "Latency (ms)\nSubscriptionStreams,Run 1,Run 2\n1,50,52\n4,25,26\n"
    )
    assert [m.metric for m in _read(tmp_path, text).measurements] == ["throughput"] * 4 + ["latency"] * 4


# Side by side


def _beside(folder: Path, suffix: str, above: tuple[str, ...], gap: int) -> Path:
    """Write two tables side by side, as a spreadsheet or as CSV, with a line of titles above them."""
    heads, space = ("SubscriptionStreams", "Duration (s)"), ("",) * gap
    rows: list[tuple[str, ...]] = [(*heads, *space, *heads)]
    rows += [(*one, *space, *other) for one, other in zip(BEFORE, AFTER, strict=True)]
    if above:
        rows.insert(0, (above[0], "", *space, above[1], ""))
    path = folder / f"site.{suffix}"
    if suffix == "csv":
        path.write_text("\n".join(";".join(row) for row in rows), encoding="utf-8")
        return path
    with Workbook(str(path), {"strings_to_numbers": True}) as book:
        sheet = book.add_worksheet()
        for at, row in enumerate(rows):
            sheet.write_row(at, 0, row)
    return path


@pytest.mark.parametrize("suffix", ["csv", "xlsx"])
@pytest.mark.parametrize("gap", [0, 1, 2])
def test_tables_side_by_side_are_tables_below_each_other(tmp_path: Path, suffix: str, gap: int) -> None:
    """Their titles are conditions; without any it is asked; what they hold is never averaged."""
    imported = read_measurements(_beside(tmp_path, suffix, ("Before", "After"), gap), COLUMNS)
    assert sorted(_points(imported)) == sorted(_both("Table Before", "Table After"))
    with pytest.raises(Asked, match="2 tables have the same headings"):
        read_measurements(_beside(tmp_path, suffix, (), gap), COLUMNS)


@pytest.mark.parametrize("heading", ["Run {} (s)", "Lauf {} (s)", "Duration (s)"])
def test_groups_of_columns_are_conditions_by_the_heading_above_them(tmp_path: Path, heading: str) -> None:
    """LAN and WAN stand above the same runs, as merged cells of a spreadsheet have it."""
    lower = [heading.format(1), heading.format(2)] if "{" in heading else [heading]
    each, path = len(lower), tmp_path / "site.csv"
    lines = [
        ["", "LAN", *[""] * (each - 1), "WAN", *[""] * (each - 1)],
        ["SubscriptionStreams", *lower, *lower],
        ["1", *["199.1", "201.3"][:each], *["399.1", "401.3"][:each]],
        ["4", *["64.2", "66.1"][:each], *["164.2", "166.1"][:each]],
    ]
    path.write_text("\n".join(",".join(line) for line in lines), encoding="utf-8")
    found: dict[tuple[str, str], list[float]] = {}
    for setting, conditions, value in _points(read_measurements(path, COLUMNS)):
        found.setdefault((setting, conditions), []).append(value)
    assert found == {
        ("SubscriptionStreams 1", "Table LAN"): [199.1, 201.3][:each],
        ("SubscriptionStreams 1", "Table WAN"): [399.1, 401.3][:each],
        ("SubscriptionStreams 4", "Table LAN"): [64.2, 66.1][:each],
        ("SubscriptionStreams 4", "Table WAN"): [164.2, 166.1][:each],
    }


@pytest.mark.parametrize(
    ("headings", "titles"),
    [
        (("LAN Laufzeit (s)", "WAN Laufzeit (s)"), ("LAN Laufzeit", "WAN Laufzeit")),
        (("SRV1 (s)", "SRV2 (s)"), ("SRV1", "SRV2")),
        (("cold (s)", "warm (s)"), ("cold", "warm")),
    ],
)
@pytest.mark.parametrize("run", ["", "1;"])
def test_columns_of_unknown_names_are_conditions_once_their_measure_is_said(
    tmp_path: Path, headings: tuple[str, str], titles: tuple[str, str], run: str
) -> None:
    """What was measured is asked; two columns of it are not averaged."""
    path = tmp_path / "site.csv"
    rows = f"1;{run}199,1;150,3\n4;{run}64,2;50,1\n"
    path.write_text(f"Streams;{'Run;' if run else ''}{';'.join(headings)}\n{rows}", encoding="utf-8")
    with pytest.raises(Asked, match="what they are is not said"):
        read_measurements(path, COLUMNS)
    imported = read_measurements(path, COLUMNS, answers={"metric": "run_time"})
    assert sorted(_points(imported)) == sorted(_both(*(f"Table {title}" for title in titles)))


# Sums between the rows


@pytest.mark.parametrize(
    "sums",
    [
        ("1 Average", "4 Average", "Grand Average"),
        ("1 Mittelwert", "4 Mittelwert", "Gesamtmittelwert"),
        ("1 Ergebnis", "4 Ergebnis", "Gesamtergebnis"),
        ("1 Total", "4 Total", "Grand Total"),
        ("Mittelwert", "Mittelwert", "Gesamt"),
    ],
)
def test_subtotals_of_a_spreadsheet_are_left_out(tmp_path: Path, sums: tuple[str, str, str]) -> None:
    """As it writes them below each group of rows."""
    path = tmp_path / "site.csv"
    rows = f"1,199.1\n1,201.3\n{sums[0]},200.2\n4,64.2\n4,66\n{sums[1]},65.1\n{sums[2]},132.65\n"
    path.write_text(f"SubscriptionStreams,Duration (s)\n{rows}", encoding="utf-8")
    imported = read_measurements(path, COLUMNS)
    assert [m.value for m in imported.measurements] == [199.1, 201.3, 64.2, 66.0]
    assert any("rows that are worked out from others are left out: 3" in note for note in imported.notes)


@pytest.mark.parametrize(("delimiter", "thousand"), [(";", "1.000"), (";", "1,000"), ("\t", "1.000"), ("\t", "1,000")])
def test_a_thousand_of_a_parameter_is_no_decimal(tmp_path: Path, delimiter: str, thousand: str) -> None:
    """A parameter is a whole number, which nobody writes with three decimals."""
    path = tmp_path / "site.csv"
    rows = (("CommitBatchSize", "Duration (s)"), ("100", "751"), (thousand, "331"))
    path.write_text("\n".join(delimiter.join(row) for row in rows), encoding="utf-8")
    measured = read_measurements(path, COLUMNS).measurements
    assert [m.setting.label() for m in measured] == ["CommitBatchSize 100", "CommitBatchSize 1000"]
