"""How long reports are: of every family, of all the program can do, and of the five published studies."""

from pathlib import Path

import pypdf
import pytest

from app.foundation.paths import resource_path
from app.services.hand_over.past_sessions import summarise_session
from tests.contract.families.lab_runs import FAMILIES
from tests.e2e.formats import decisions_in_every_format
from tests.e2e.program import run_alone
from tests.report.test_pdf import depths

PUBLISHED = sorted(resource_path("published").glob("*.csv"))
MOST_OF_ONE = 6  # pages of one experiment
MOST_OF_TEN = 25  # pages of the ten experiments of the demonstration


def pages_of(report: Path) -> int:
    """Return how many pages a report has; each but the last is at least half full."""
    pages = pypdf.PdfReader(report).pages
    assert all(max(depths(page)) > 0.5 for page in pages[:-1])
    return len(pages)


def letter_of(folder: Path) -> Path:
    """Write the report of a session once more, for the other paper."""
    report = folder / "letter.pdf"
    assert run_alone("report", folder / "session.replitune", "--paper", "us-letter", "--out", report).code == 0
    assert {float(page.mediabox.width) for page in pypdf.PdfReader(report).pages} == {612.0}
    return report


@pytest.mark.prove
@pytest.mark.parametrize("family_id", FAMILIES)
def test_the_report_of_a_family_is_short(family_id: str, tmp_path: Path) -> None:
    """One experiment takes six pages, a second one adds one or two, on either paper."""
    ended = run_alone("demo", "--family", family_id, "--out", tmp_path, "--json", "--journal", tmp_path / "j")
    experiments = len({trial.split("-")[0] for c in ended.json()["comparisons"] for trial in c["trials"]["from"]})
    most = MOST_OF_ONE + 2 * (experiments - 1)
    assert pages_of(tmp_path / "report.pdf") <= most
    assert pages_of(letter_of(tmp_path)) <= most


@pytest.mark.minutes
@pytest.mark.prove
def test_the_report_of_the_demonstration_is_a_quarter_of_what_it_was(tmp_path: Path) -> None:
    """Ten experiments, on either paper; every decision has the same numbers in each format and in the window."""
    assert run_alone("demo", "--out", tmp_path, "--journal", tmp_path / "j").code == 0
    assert pages_of(tmp_path / "report.pdf") <= MOST_OF_TEN
    assert pages_of(letter_of(tmp_path)) <= MOST_OF_TEN
    session = summarise_session(tmp_path / "session.replitune")
    decisions_in_every_format(session.path, session.session_id, tmp_path)


@pytest.mark.prove
@pytest.mark.parametrize("study", PUBLISHED, ids=lambda path: path.stem)
def test_the_report_of_a_published_study_is_short(study: Path, tmp_path: Path) -> None:
    """What was measured elsewhere takes six pages, too."""
    assert run_alone("advise", study, "--out", tmp_path).code == 0
    assert pages_of(tmp_path / "report.pdf") <= MOST_OF_ONE
    assert pages_of(letter_of(tmp_path)) <= MOST_OF_ONE
