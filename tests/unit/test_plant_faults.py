"""The faults that `make plant-faults` plants: each changes one place, in one way, and what it changes can still run."""

import ast
from collections import Counter
from pathlib import Path

import pytest

from tests.plant_faults import CONSTANT, KINDS, LEFT_OUT, OPERATOR, Copy, Fault, drawn, faults_of
from tests.quick import ROOT, Choice

MODULE = '''"""A module."""
STEPS = 3

def rate(commands: int = 0, *, is_known: bool = True) -> "float | None":
    """Return a rate in 1/s — of commands."""
    if commands >= STEPS and not is_known:
        note(f"größer: {commands + 1}")
        return commands / (STEPS + 1.5)
'''


def _planted(kind: str) -> set[tuple[str, str]]:
    return {(fault.before, fault.after) for fault in faults_of("app/x.py", MODULE.encode()) if fault.kind == kind}


@pytest.mark.parametrize(
    ("kind", "changes"),
    [
        (
            OPERATOR,
            {
                ("commands >= STEPS and not is_known", "(commands >= STEPS or not is_known)"),
                ("commands >= STEPS", "(commands > STEPS)"),
                ("not is_known", "(is_known)"),
                ("commands / (STEPS + 1.5)", "(commands * (STEPS + 1.5))"),
                ("STEPS + 1.5", "(STEPS - 1.5)"),
            },
        ),
        (CONSTANT, {("3", "4"), ("0", "1"), ("True", "False"), ("1.5", "2.5")}),
        (LEFT_OUT, {('note(f"größer: {commands + 1}")', "pass")}),
    ],
)
def test_what_can_be_changed_is_found(kind: str, changes: set[tuple[str, str]]) -> None:
    """Operators, numbers and lines of functions; no text, no type, and nothing that keeps a module from loading."""
    assert _planted(kind) == changes


def test_a_chain_is_changed_at_one_of_its_comparisons() -> None:
    """Each operator is a fault of its own."""
    found = faults_of("app/x.py", b"ok = 0 < a <= b")
    assert {fault.after for fault in found if fault.kind == OPERATOR} == {"(0 <= a <= b)", "(0 < a < b)"}


def test_each_fault_changes_its_place_alone_and_compiles() -> None:
    """Over modules of all rooms: before and behind the place stands what stood there, and the program is another."""
    faults = drawn(30, 7, ROOT)
    assert {fault.kind for fault in faults} == set(KINDS)
    for fault in faults:
        sound = (ROOT / fault.path).read_bytes()
        planted = fault.planted_in(sound)
        assert planted.startswith(sound[: fault.start]), fault
        assert planted.endswith(sound[fault.end :]), fault
        assert ast.dump(ast.parse(planted)) != ast.dump(ast.parse(sound)), fault
        compile(planted, fault.path, "exec")


def test_a_seed_draws_the_same_faults_again_and_every_room_in_turn() -> None:
    """Another seed draws others."""
    first = drawn(10, 1, ROOT)
    assert first == drawn(10, 1, ROOT)
    assert first != drawn(10, 2, ROOT)
    rooms = Counter(fault.path.split("/")[1 if not fault.path.startswith("app/systems") else 3] for fault in first)
    assert rooms == {"runner": 2, "store": 2, "analysis": 2, "server": 2, "rig": 2}


class _Tests(Copy):
    """A copy in which it is known which tests fail, with a fault and without one."""

    def __init__(self, folder: Path, *, with_fault: tuple[str, ...], anyway: tuple[str, ...] = ()) -> None:
        self.root = folder
        self.root.joinpath("x.py").write_bytes(b"a = 1")
        self._with_fault, self._anyway = with_fault, anyway

    def write(self, path: str, content: bytes) -> None:
        (self.root / path).write_bytes(content)

    def failing(self, words: list[str]) -> str | None:  # type: ignore[override]  # lists are all it is given
        is_planted = (self.root / "x.py").read_bytes() != b"a = 1"
        failing = [*self._anyway, *(self._with_fault if is_planted else ())]
        left = [test for test in failing if f"--deselect={test}" not in words and (len(words) > 1 or test in words)]
        return left[0] if left else None


NEAR = Choice(files=("tests/test_x.py",), dear=(), farther=(), far_off=0)


@pytest.mark.parametrize(
    ("with_fault", "anyway", "tier", "test"),
    [
        ((), (), None, None),
        (("t.py::a",), (), "quick", "t.py::a"),
        (("t.py::a",), ("t.py::broken",), "quick", "t.py::a"),
        ((), ("t.py::broken",), None, None),
    ],
)
def test_what_fails_without_the_fault_has_not_found_it(
    tmp_path: Path, with_fault: tuple[str, ...], anyway: tuple[str, ...], tier: str | None, test: str | None
) -> None:
    """The next test that fails is looked at, and the module stands as it was behind it."""
    place = _Tests(tmp_path, with_fault=with_fault, anyway=anyway)
    (fault,) = faults_of("x.py", b"a = 1")
    assert isinstance(fault, Fault)
    found = place.tier_that_finds(fault, NEAR, "test")
    assert (found.tier, found.test) == (tier, test)
    assert (tmp_path / "x.py").read_bytes() == b"a = 1"
