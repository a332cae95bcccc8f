"""How long reports are: of every family and of the five published studies; `test_recomputed` counts all in one."""

from pathlib import Path

import pytest

from app.foundation.paths import resource_path
from tests.contract.families.lab_runs import FAMILIES
from tests.e2e.program import call
from tests.prove.pages import letter_of, pages_of

PUBLISHED = sorted(resource_path("published").glob("*.csv"))
MOST_OF_ONE = 6  # pages of one experiment


@pytest.mark.prove
@pytest.mark.parametrize("family_id", FAMILIES)
def test_the_report_of_a_family_is_short(family_id: str, tmp_path: Path) -> None:
    """One experiment takes six pages, a second one adds one or two, on either paper."""
    ended = call("demo", "--family", family_id, "--out", tmp_path, "--json", "--journal", tmp_path / "j")
    experiments = len({trial.split("-")[0] for c in ended.json()["comparisons"] for trial in c["trials"]["from"]})
    most = MOST_OF_ONE + 2 * (experiments - 1)
    assert pages_of(tmp_path / "report.pdf") <= most
    assert pages_of(letter_of(tmp_path, tmp_path)) <= most


@pytest.mark.prove
@pytest.mark.parametrize("study", PUBLISHED, ids=lambda path: path.stem)
def test_the_report_of_a_published_study_is_short(study: Path, tmp_path: Path) -> None:
    """What was measured elsewhere takes six pages, too."""
    assert call("advise", study, "--out", tmp_path).code == 0
    assert pages_of(tmp_path / "report.pdf") <= MOST_OF_ONE
    assert pages_of(letter_of(tmp_path, tmp_path)) <= MOST_OF_ONE
