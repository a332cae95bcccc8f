"""One thing has one name, wherever it is shown."""

import csv
import io

from app.domain.comparison import Comparison
from app.domain.view import Column, Row, TableContent, View, data_cell, file_column, number_cell, text_cell
from app.flows.explain.findings_view import findings
from app.reporting.blocks import Cell, Table
from app.reporting.document.attachments import build_attachments
from app.reporting.document.whole import build_document
from app.reporting.render.terminal import table_lines
from app.reporting.wording import Vocabulary
from app.services.explain.explaining import ExplainedSession
from app.systems.transactional_replication.tables import agent_parameters_table
from tests.report.kept import replication_of
from tests.report.sample import FAMILIES, full_request

REQUEST = full_request()
SHOWN = findings(ExplainedSession(REQUEST.session, REQUEST.advice, "9c1f"), Vocabulary(FAMILIES))


def _column(content: TableContent, key: str) -> list[str]:
    place = [column.key for column in content.columns].index(key)
    return [row.cells[place].text for row in content.rows]


def _printed(title: str) -> list[Table]:
    """Return the tables of the report that have a column of this title."""
    blocks = [block for section in build_document(REQUEST, ()).sections for block in section.blocks]
    return [b for b in blocks if isinstance(b, Table) and title in [column.title for column in b.columns]]


def _texts(table: Table, title: str) -> list[str]:
    place = [column.title for column in table.columns].index(title)
    return [cell.text if isinstance(cell, Cell) else cell for cell in (row[place] for row in table.rows)]


def _attached(name: str) -> list[dict[str, str]]:
    content = next(a.content for a in build_attachments(REQUEST) if a.name == name)
    return list(csv.DictReader(io.StringIO(content.decode())))


def test_a_comparison_is_judged_in_the_same_words_on_screen_and_on_paper() -> None:
    """A lead is a lead in the window, too, and a phase has one name."""
    for title, key in (("Verdict", "verdict"), ("Phase", "phase"), ("95 % interval", "interval")):
        on_paper = {text for table in _printed("Phase") for text in _texts(table, title)}
        assert on_paper
        assert on_paper <= set(_column(SHOWN.comparisons, key))


def test_the_list_of_comparisons_keeps_every_number_exactly() -> None:
    """What is rounded for people is whole for programs, one row for each comparison, in the same order."""
    rows = _attached("comparisons.csv")

    def numbers(c: Comparison) -> tuple[float, float, int]:
        return c.ratio, c.p_adjusted, c.trials_needed

    told = [(float(row["ratio"]), float(row["p_adjusted"]), int(row["trials_needed"])) for row in rows]
    assert told == [numbers(c) for c in REQUEST.advice.comparisons]
    assert [row["verdict"] for row in rows] == [c.verdict.value for c in REQUEST.advice.comparisons]


def test_parameters_have_the_same_columns_on_screen_on_paper_and_on_a_terminal() -> None:
    """Limits are two numbers everywhere, and an origin has one name."""
    agent = replication_of(REQUEST.session.environments[0]).agents[0]
    content = agent_parameters_table(agent.parameters)
    titles = [column.heading for column in content.in_view(View.WINDOW).columns]
    on_paper = next(table for table in _printed("Smallest"))
    assert [column.title for column in on_paper.columns] == titles
    head, *rows = table_lines(content)
    assert head.split() == " ".join(titles).split()
    printed_row = [cell.text if isinstance(cell, Cell) else cell for cell in on_paper.rows[0]]
    assert " ".join(printed_row) in [" ".join(row.split()) for row in rows]


def test_a_terminal_sets_numbers_to_the_right_and_leaves_out_what_is_not_for_it() -> None:
    """Columns are as wide as what stands in them; an empty table is no line at all."""
    columns = (
        Column("name", "Name"),
        Column("size", "Size", "MB", is_number=True),
        file_column("raw"),
        Column("state", "State"),
    )
    rows = (
        Row("a", (text_cell("Orders"), number_cell(12_000), data_cell(12e3), text_cell("read\nonly"))),
        Row("b", (text_cell("A"), number_cell(None), data_cell(None), text_cell(""))),
    )
    assert table_lines(TableContent(columns, rows)) == [
        "  Name    Size (MB)  State",
        "  Orders     12,000  read only",
        "  A               –",
    ]
    assert table_lines(TableContent(columns)) == []
