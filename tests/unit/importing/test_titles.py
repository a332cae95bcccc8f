"""Tables below each other under equal headings are conditions or settings by their titles, and asked about without."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

import pytest

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
    with pytest.raises(
        Asked, match=r"2 tables stand below each other under the same headings.*--say tables_are=repeats"
    ):
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
