"""Counting what sessions showed: as the findings say, once for each state of a file."""

import os
from pathlib import Path

import pytest

from app.bootstrap import build_program
from app.domain.comparison import Verdict
from app.domain.errors import StoreError
from app.domain.plan import Phase
from app.services.explain.advising import Advisor
from app.services.explain.explaining import explain_session
from app.services.explain.verdict_counts import VerdictCounter
from app.services.program import Program
from tests.ui.sessions import run_on_lab


class CountingProgram(Program):
    """A program that knows how often its advisor was needed."""

    needed = 0

    @property
    def advisor(self) -> Advisor:
        """Count, and return the advisor."""
        self.needed += 1
        return self.parts.load_advisor(self.families)


@pytest.fixture(scope="module")
def session_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A measured session."""
    place = run_on_lab(tmp_path_factory.mktemp("session")).place
    assert place is not None
    return place.session_file


@pytest.fixture
def program() -> CountingProgram:
    """The program's parts, watched."""
    return CountingProgram(build_program().parts)


def test_the_counts_are_those_of_the_findings(session_file: Path, program: CountingProgram, tmp_path: Path) -> None:
    """Every claim is counted once, without reading the time series; what exploring alone hints at is none."""
    counts = VerdictCounter(program, tmp_path / "verdicts.json").count(session_file)
    comparisons = explain_session(session_file, None, program.advisor).advice.comparisons
    leads = [c for c in comparisons if c.phase is Phase.EXPLORE and c.verdict in (Verdict.IMPROVEMENT, Verdict.WORSE)]
    claims = [c for c in comparisons if c not in leads]
    assert leads
    assert sum(counts.values()) == len(claims) > 0
    for verdict, count in counts.items():
        assert count == sum(c.verdict is verdict for c in claims)


def test_every_session_on_a_target_is_told(session_file: Path, program: CountingProgram, tmp_path: Path) -> None:
    """Those of the client's file that ran there; each as by itself, and none of another target."""
    counter = VerdictCounter(program, tmp_path / "verdicts.json")
    (run,) = explain_session(session_file, None, program.advisor).session.runs
    assert counter.showed_on(session_file, run.target) == (counter.showed(session_file),)
    assert counter.showed_on(session_file, "another") == ()


def test_a_file_is_computed_again_only_when_it_changed(
    session_file: Path, program: CountingProgram, tmp_path: Path
) -> None:
    """Not by the same counter, and not by one of a later start of the program."""
    kept = tmp_path / "data" / "verdicts.json"
    counter = VerdictCounter(program, kept)
    counts = counter.count(session_file)
    assert counter.count(session_file) == counts
    assert program.needed == 1
    later = VerdictCounter(program, kept)
    assert later.count(session_file) == counts
    assert program.needed == 1
    status = session_file.stat()
    os.utime(session_file, ns=(status.st_atime_ns, status.st_mtime_ns + 1_000_000_000))
    assert later.count(session_file) == counts
    assert program.needed == 2


@pytest.mark.parametrize("content", ["", "[]", '{"version": "0.0.1", "files": {}}', '{"version": "0.1.0", "files": 3}'])
def test_what_was_kept_and_cannot_be_used_is_computed_again(
    session_file: Path, program: CountingProgram, tmp_path: Path, content: str
) -> None:
    """A damaged file, or one of another version, costs time only and is replaced."""
    kept = tmp_path / "verdicts.json"
    kept.write_text(content)
    assert VerdictCounter(program, kept).count(session_file)
    assert VerdictCounter(program, kept).count(session_file)
    assert program.needed == 1


def test_counts_that_cannot_be_kept_are_told_all_the_same(
    session_file: Path, program: CountingProgram, tmp_path: Path
) -> None:
    """Where the user's data folder cannot be written the list works; a file that is no session is told."""
    blocked = tmp_path / "a file"
    blocked.write_text("")
    counter = VerdictCounter(program, blocked / "verdicts.json")
    assert counter.count(session_file)
    with pytest.raises(StoreError, match="missing"):
        counter.count(tmp_path / "missing.replitune")
