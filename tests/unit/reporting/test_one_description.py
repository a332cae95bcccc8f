"""One thing has one name, wherever it is shown."""

import csv
import io

from app.domain.comparison import Comparison
from app.domain.view import TableContent
from app.flows.explain.findings_view import findings
from app.reporting.blocks import Cell, Table
from app.reporting.document.attachments import build_attachments
from app.reporting.document.whole import build_document
from app.reporting.wording import Vocabulary
from app.services.explain.explaining import ExplainedSession
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
