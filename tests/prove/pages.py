"""The pages of a report, on either paper."""

from pathlib import Path

import pypdf

from tests.e2e.program import call
from tests.report.test_pdf import depths


def pages_of(report: Path) -> int:
    """Return how many pages a report has; each but the last is at least half full."""
    pages = pypdf.PdfReader(report).pages
    assert all(max(depths(page)) > 0.5 for page in pages[:-1])
    return len(pages)


def letter_of(results: Path, folder: Path) -> Path:
    """Write the report of a session once more, into another folder and for the other paper."""
    report = folder / "letter.pdf"
    assert call("report", results / "session.replitune", "--paper", "us-letter", "--out", report).code == 0
    assert {float(page.mediabox.width) for page in pypdf.PdfReader(report).pages} == {612.0}
    return report
