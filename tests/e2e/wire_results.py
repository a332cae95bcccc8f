"""Runs a plan over TDS and in process, and compares everything that was found."""

from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest

from app.store import open_for_reading
from tests.e2e.posed_lab import Pose, PosedLab, posed_lab
from tests.e2e.program import Ended, run_alone, write
from tests.made_once import folder_of_all, made_once


class Expected(NamedTuple):
    """A plan, what its run in process said, and the folder with its files."""

    plan: Path
    ended: Ended
    kept: Path


def expected_of(plan: Path, target: str) -> Expected:
    """Run a plan on a lab in process; its files stand beside it."""
    kept = plan.with_suffix("")
    return Expected(plan, run_plan(plan, target, kept), kept)


def expected_once(folders: pytest.TempPathFactory, family: str, plan: str, target: str) -> Expected:
    """Run a plan on a lab in process, once for all drivers."""
    place = folder_of_all(folders)
    return made_once(
        place, f"{family}-in-process", lambda folder: expected_of(write(folder / "plan.toml", plan), target)
    )


def run_plan(plan: Path, target: str, folder: Path) -> Ended:
    """Run a plan by command, its journal and results in one folder.

    In a process of its own, as a person's is: a driver brings its own libraries for TLS, and no program loads two of
    them. Where one ends the process, its stacks stand in what it said.
    """
    arguments = ("--out", folder, "--journal", folder / "undo.journal", "--json")
    stacks = {"PYTHONFAULTHANDLER": "1"}
    return run_alone("run", plan, "--target", target, *arguments, environment=stacks)


ENCRYPTION: Final = "encrypted, server certificate not verified, by choice"
ENCRYPTION_OF_FREETDS: Final = (
    "asked for, but not assured: FreeTDS verifies nobody, and goes on in clear text where it is told to"
)


def encryption_by(driver: str) -> str:
    """Return what a session through a driver says of its encryption."""
    return ENCRYPTION_OF_FREETDS if driver == "freetds" else ENCRYPTION


def assert_same_over_the_wire(expected: Expected, driver: str, out: Path, scenario: Path | None = None) -> None:
    """Run a plan through a driver, encrypted, and compare with its run in process."""
    with posed_lab(Pose(scenario=scenario)) as lab:
        before = lab.ask(PosedLab.truth)
        ended = run_plan(expected.plan, lab.key(driver), out)
        assert lab.ask(PosedLab.truth) == before
    assert_same(expected, ended, out)
    facts = facts_of(out / "session.replitune")
    costs = [value for name, value in facts if name == "What reading cost each server"]
    assert [cost.partition(":")[0] for cost in costs][:3] == ["DIST1", "PUB1", "SUB1"]
    assert not any(": 0 ms" in cost or ", 0 pages" in cost for cost in costs[:3])
    assert ("Encryption", encryption_by(driver)) in facts
    assert dict(facts)["Driver"]


def assert_same(expected: Expected, ended: Ended, out: Path) -> None:
    """Compare everything found over the wire, and left in a folder, with what was found in process."""
    assert ended.code == expected.ended.code == 0, ended
    assert found_in(ended) == found_in(expected.ended)
    assert ended.json()["comparisons"]
    assert (out / "measurements.csv").read_bytes() == (expected.kept / "measurements.csv").read_bytes()


def found_in(ended: Ended) -> dict[str, Any]:
    """Return everything found, servers without the target they were reached by."""
    found: dict[str, Any] = ended.json()
    for decision in found["decisions"]:
        decision["places"] = [place.partition(" (")[0] for place in decision["places"]]
    return found


def connection_of(session_file: Path) -> dict[str, str]:
    """Return what a session says of its connection."""
    return dict(facts_of(session_file))


def facts_of(session_file: Path) -> tuple[tuple[str, str], ...]:
    """Return what a session says of where it measured, name and value."""
    with open_for_reading(session_file) as reader:
        (environment,) = reader.read_session(with_samples=False).environments
    return tuple((name, value) for name, value, _unit in environment.facts)
