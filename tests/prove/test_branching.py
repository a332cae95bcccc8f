"""Cases that branch off one session come out as they do one after the other, and a branch that fails is told."""

import os
from pathlib import Path

import pytest

from tests.abilities import forks
from tests.prove.branching import Branches, Failed
from tests.prove.group_faults import cases_of, run_case, run_cases, run_in_branches
from tests.prove.group_session import Kind
from tests.prove.happenings import Count

pytestmark = forks

_KINDS = (Kind.LOST_BEFORE, Kind.DENIED, Kind.STAYS_LOST)


def test_branches_come_out_as_sessions_of_their_own(tmp_path: Path) -> None:
    """Early, in the middle and late, with more than one branch at a place."""
    cases = cases_of("commit_mode", _KINDS, tmp_path)
    last = {case.call.name: case.number for case in cases}
    numbers = {last[name] for name in ("server_rights", "set_availability_mode", "test_tables")}
    chosen = [case for case in cases if case.number in numbers]
    in_branches = run_in_branches(chosen, tmp_path)
    assert in_branches == run_cases(chosen, tmp_path, run_case)
    assert in_branches.cases == 3 * len(_KINDS)
    assert 0 < in_branches.succeeded < in_branches.cases
    assert in_branches.left_open > 0


def test_each_branch_has_the_files_as_they_were_where_it_began(tmp_path: Path) -> None:
    """What a branch writes, removes or replaces, the trunk and the next branch find as it was."""
    folder = tmp_path / "session"
    folder.mkdir()
    held, other = folder / "held", folder / "other"
    other.write_text("other")
    branches: Branches[str, str] = Branches(folder, [(2, "a"), (2, "b"), (4, "c")])

    def live() -> str:
        with held.open("a", encoding="utf-8") as stream:
            for number in range(1, 5):
                stream.write(f"{number}")
                stream.flush()
                if branches.reach(number):
                    found = f"{held.read_text()} {sorted(path.name for path in folder.iterdir())}"
                    stream.write(f"{branches.mine}, much longer than it was")
                    other.unlink()
                    (folder / "new").mkdir()
                    (folder / "new" / "file").write_text("new")
                    return found
        return held.read_text()

    trunk, outcomes = branches.grow(live)
    assert trunk == "1234"
    names = "['held', 'other']"
    assert outcomes == [("a", f"12 {names}"), ("b", f"12 {names}"), ("c", f"1234 {names}")]
    assert (held.read_text(), other.read_text()) == ("1234", "other")


def test_a_branch_that_fails_is_told(tmp_path: Path) -> None:
    """By an assertion, by anything else, or with the death of its process; the rest goes on."""
    branches: Branches[str, Count] = Branches(tmp_path / "session", [(1, "assertion"), (2, "error"), (3, "death")])

    def live() -> Count:
        for number in range(1, 4):
            if branches.reach(number):
                if branches.mine == "death":
                    os._exit(3)
                if branches.mine == "error":
                    raise KeyError("planted")
                pytest.fail("left changed")
        return Count(marked=False, went_on=True, told=False)

    trunk, outcomes = branches.grow(live)
    assert trunk.went_on
    (_, assertion), (_, error), (_, death) = outcomes
    assert isinstance(assertion, Failed)
    assert assertion.why == "left changed"
    assert isinstance(error, Failed)
    assert "KeyError: 'planted'" in error.why
    assert isinstance(death, Failed)
    assert "ended with status 768" in death.why


def test_a_session_that_ends_before_its_branches_is_told(tmp_path: Path) -> None:
    """A place that is never reached proves nothing."""
    branches: Branches[str, bool] = Branches(tmp_path / "session", [(2, "never")])
    with pytest.raises(AssertionError, match="before all of its branches"):
        branches.grow(lambda: branches.reach(1))
