"""One session in every format: what a person reads of its decisions, held against its JSON."""

import csv
import io
import json
import re
from pathlib import Path
from typing import Any

from docx import Document
from pypdf import PdfReader

from app.flows.explain.findings_view import findings
from app.reporting.decision_card import card_lines, decision_card
from app.reporting.wording import Vocabulary
from app.services.explain.explaining import explain_session
from tests.e2e.program import call
from tests.shipped_rules import ADVISOR


def decisions_in_every_format(file: Path, session_id: str, folder: Path) -> dict[str, str]:
    """Write the report of a session in each format and return their texts, and those of terminal and window.

    Each decision of the JSON has its value, effect, interval and trials in every one, and its exact numbers in the CSV.
    """
    texts: dict[str, str] = {}
    for end in ("pdf", "html", "md", "docx", "csv"):
        out = folder / f"report.{end}"
        ended = call("report", file, "--session", session_id, "--out", out)
        assert ended.code == 0, ended
        if end == "pdf":
            texts[end] = " ".join(page.extract_text() for page in PdfReader(out).pages)
        elif end == "docx":
            texts[end] = word_text(out)
        else:
            texts[end] = out.read_text(encoding="utf-8")
    decisions = json.loads(PdfReader(out.with_suffix(".pdf")).attachments["session.json"][0])["decisions"]
    rows = list(csv.DictReader(io.StringIO(texts.pop("csv"))))
    explained = explain_session(file, session_id, ADVISOR)
    words = Vocabulary(ADVISOR.families.values())
    cards = tuple(shown.card for shown in findings(explained, words).decisions)
    each = (card_lines([decision_card(decision, words)]) for decision in explained.advice.decisions)  # it tells but ten
    lines = [line for of_one in each for line in of_one]
    assert [card.number for card in cards] == [decision["number"] for decision in decisions]
    texts |= {"terminal": "\n".join(lines), "window": "".join(f"{card}" for card in cards)}
    assert [one for one in decisions if one["gain"] and one["kind"] == "change"]
    effects = [[row[name] for name in ("Effect", "Low", "High", "n from", "n to")] for row in rows]
    changes = [[row[name] for name in ("Parameter", "From", "To")] for row in rows]
    for decision in decisions:
        for end, text in texts.items():
            missing = [word for word in _numbers(decision) if re.search(word, plain(text)) is None]
            assert not missing, (end, decision["number"])
        if decision["gain"]:
            gain = decision["gain"]
            told = (gain["ratio"], *gain["ci95"], gain["runs"]["from"], gain["runs"]["to"])
            assert [str(number) for number in told] in effects
        if decision["kind"] == "change":
            assert [str(decision[name]) for name in ("parameter", "from", "to")] in changes
    return texts


def word_text(path: Path) -> str:
    """Return the text of a Word document, tables included."""
    document = Document(str(path))
    cells = (cell.text for table in document.tables for row in table.rows for cell in row.cells)
    return "\n".join((*(paragraph.text for paragraph in document.paragraphs), *cells))


def plain(text: str) -> str:
    """Return a text with single spaces, without places to break and the escapes of Markdown."""
    return re.sub(r"\s+", " ", re.sub(r"[\\\u200b]", "", text.replace("\\xa0", " ")))


def _numbers(decision: dict[str, Any]) -> list[str]:
    """Return patterns of what a person must read of a decision, made from the JSON alone."""
    is_number = isinstance(decision["to"], int)  # a switch has a headline in words
    wanted = [rf"{decision['parameter']} {decision['to']:,}\b"] if decision["kind"] == "change" and is_number else []
    if decision["gain"] is None:
        return wanted
    gain = decision["gain"]
    amount, low, high = (_amount(end, times=gain["ratio"] >= 2) for end in (gain["ratio"], *gain["ci95"]))
    wanted.append(rf"(?<![\d.]){re.escape(amount)}(?!\d)")
    low, high = (re.escape(end) for end in (low, high))
    wanted.append(rf"(?<![\d.])({low}\D{{1,9}}{high}|{high}\D{{1,9}}{low})(?!\d)")
    return [*wanted, rf"{gain['runs']['to']} (\+|against) {gain['runs']['from']} trials"]


def _amount(ratio: float, *, times: bool) -> str:
    if times:
        return f"{ratio:.1f}"
    share = abs(1 - ratio) * 100
    return f"{share:.1f}".removesuffix(".0") if share < 9.95 else f"{share:.0f}"
