"""The faults that `make plant-faults` plants: each changes one place, in one way, and what it changes can still run."""

import ast
import shutil
import signal
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path

import pytest

from tests.loaded_pytest import LoadedPytest, is_in_functions
from tests.plant_faults import (
    CONSTANT,
    KINDS,
    LEFT_OUT,
    OPERATOR,
    ROOMS,
    UNTRIED,
    Copy,
    Fault,
    Found,
    Kept,
    Run,
    drawn,
    faults_of,
)
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
    """Another seed draws others; each system has its turn, where its steps stand beside its rooms as well."""
    first = drawn(40, 1, ROOT)
    assert first == drawn(40, 1, ROOT)
    assert first != drawn(40, 2, ROOT)
    files = {room: {file for pattern in patterns for file in ROOT.glob(pattern)} for room, patterns in ROOMS.items()}
    rooms = Counter(
        (room, fault.path.split("/")[2] if fault.path.startswith("app/systems/") else "")
        for fault in first
        for room in ROOMS
        if ROOT / fault.path in files[room]
    )
    systems = sorted(file.parent.name for file in (ROOT / "app/systems").glob("*/system.py"))
    whole = {(room, ""): 8 for room in ("runner", "store", "analysis")}
    assert rooms == whole | {(room, system): 2 for room in ("server", "rig") for system in systems}


class _Tests(Copy):
    """A copy in which it is known which tests fail: without a fault, and as what a fault plants stands in `x.py`."""

    def __init__(self, folder: Path, finding: Mapping[str, str] | None = None, *, anyway: tuple[str, ...] = ()) -> None:
        self.root = folder
        self.root.joinpath("x.py").write_bytes(MODULE_OF_THREE)
        self._finding, self._anyway = finding or {}, anyway
        self.asked = list[str]()
        self.looked_at_once = list[bytes]()
        self.spent_s, self._sound = 0.0, set()

    def write(self, path: str, content: bytes) -> None:
        self.root.joinpath(path).write_bytes(content)

    def _failing(self) -> list[str]:
        content = self.root.joinpath("x.py").read_text(encoding="utf-8")
        return [*self._anyway, *(test for planted, test in self._finding.items() if planted in content)]

    def failing(self, asked: Run, fault: Fault | None) -> str | None:
        self.asked += asked.files if fault is not None else ()
        with self._planted([] if fault is None else [fault]):
            failing = self._failing()
        wanted = [test for test in failing if test.split("::")[0] in asked.files or test in asked.files]
        return next((test for test in wanted if test not in asked.left_out), None)

    def failing_with_all(self, faults: Sequence[Fault], tier: str) -> list[str]:
        with self._planted(faults):
            self.looked_at_once.append(self.root.joinpath("x.py").read_bytes())
            return self._failing()


MODULE_OF_THREE = b"a = 1\nb = 2\nc = d + 3"
PLAIN = [word for name in ("faulthandler", "xdist", "pytest-qt", "hypothesispytest") for word in ("-p", f"no:{name}")]
NEAR = Choice(files=("t.py",), dear=(), farther=(), far_off=0)


@pytest.mark.parametrize(
    ("finding", "anyway", "tier", "test"),
    [
        ({}, (), None, None),
        ({"a = 2": "t.py::a"}, (), "quick", "t.py::a"),
        ({"a = 2": "t.py::a"}, ("t.py::broken",), "quick", "t.py::a"),
        ({}, ("t.py::broken",), None, None),
        ({"a = 2": "far.py::a"}, (), None, None),
    ],
)
def test_what_fails_without_the_fault_has_not_found_it(
    tmp_path: Path, finding: dict[str, str], anyway: tuple[str, ...], tier: str | None, test: str | None
) -> None:
    """The next test that fails is looked at, and the module stands as it was behind it."""
    place = _Tests(tmp_path, finding, anyway=anyway)
    fault, *_ = faults_of("x.py", MODULE_OF_THREE)
    found = place.found_near(fault, NEAR)
    assert (found.tier, found.test) == (tier, test)
    assert (tmp_path / "x.py").read_bytes() == MODULE_OF_THREE


def test_faults_planted_at_once_are_each_found_by_what_fails(tmp_path: Path) -> None:
    """Also one that another hides, and one that overlaps another; what fails anyway has found none."""
    faults = {fault.after: fault for fault in faults_of("x.py", MODULE_OF_THREE)}
    assert set(faults) == {"2", "3", "(d - 3)", "4"}
    hidden = {"a = 2\nb = 2": "t.py::only_alone", "b = 3": "t.py::b", "d - 3": "t.py::minus"}
    place = _Tests(tmp_path, hidden, anyway=("t.py::broken",))
    found = {fault.after: told.test for fault, told in place.found_by_all(faults.values(), "test")}
    assert found == {"2": "t.py::only_alone", "3": "t.py::b", "(d - 3)": "t.py::minus"}
    assert [place.looked_at_once[0], place.looked_at_once[-1]] == [
        b"a = 2\nb = 3\nc = (d - 3)",
        b"a = 1\nb = 2\nc = d + 4",
    ]
    assert (tmp_path / "x.py").read_bytes() == MODULE_OF_THREE


def test_what_stands_in_the_file_of_a_run_is_not_tried_again(tmp_path: Path) -> None:
    """A run that was broken off goes on behind its last line; the last line about a fault holds."""
    (first, second, third), file = drawn(3, 1, ROOT), tmp_path / "kept.jsonl"
    for fault, tier in ((first, None), (second, "quick"), (first, "test")):
        Kept.of(file).add(fault, Found(tier, None, 1.0))
    kept = Kept.of(file)
    assert [kept.tier_of(fault) for fault in (first, second, third)] == ["test", "quick", UNTRIED]
    assert Kept.of(None).tier_of(first) == UNTRIED


MODULE_OF_TWO = """
from functools import cache
STEPS = [step + 1 for step in range(2)]

@cache
def first(of=STEPS):
    def inside():
        listed = [step for step in range(of[0])] + [step * 2 for step in STEPS]
        listed.sort(key=lambda one: one), listed.sort(key=lambda one: 0)
        return of[0] + 1
    def long():
        return len(of)
    return inside()

class Of:
    MOST = 3

    def second(self):
        %s
        return self.MOST
"""


@pytest.mark.parametrize(
    ("before", "after", "is_inside"),
    [
        ("of[0] + 1", "of[0] - 1", True),
        ("return self.MOST", "return not self.MOST", True),
        ("%s", "del self", True),
        ("MOST = 3", "MOST = 4", False),
        ("step + 1", "step - 1", False),
        ("of=STEPS", "of=STEPS[1:]", False),
        ("return inside()", "return of", True),
        ("return len(of)", "return 2", False),
        ("range(of[0])", "range(of[0] + 1)", True),
        ("step * 2", "step * 3", True),
        ("key=lambda one: one", "key=lambda one: -one", False),
    ],
)
def test_what_runs_while_a_module_loads_is_told_apart(before: str, after: str, *, is_inside: bool) -> None:
    """Only functions whose code can be exchanged are changed in tests that are loaded."""
    module = MODULE_OF_TWO.replace("%s", "pass") if before != "%s" else MODULE_OF_TWO.replace("%s", "self.seen = 1")
    changed = module.replace("self.seen = 1" if before == "%s" else before, after)
    assert is_in_functions("app/x.py", module, changed) is is_inside


def test_a_fork_runs_tests_with_a_changed_function_wherever_it_is_referred_to(tmp_path: Path) -> None:
    """Also behind a decorator, imported by name, and inside another function; the next fork has none of it."""
    for package in ("app", "tests"):
        (tmp_path / package).mkdir()
        (tmp_path / package / "__init__.py").touch()
    for name in ("loaded_pytest", "forked", "own_folders"):
        shutil.copy2(ROOT / "tests" / f"{name}.py", tmp_path / "tests")
    shutil.copytree(ROOT / "app" / "foundation", tmp_path / "app" / "foundation")
    module = MODULE_OF_TWO.replace("%s", "pass")
    (tmp_path / "app" / "of_two.py").write_text(module, encoding="utf-8")
    (tmp_path / "tests" / "test_of_two.py").write_text(
        "from app.of_two import Of, first\n\n"
        "def test_first():\n    assert first() == 2\n\n"
        "def test_second():\n    assert Of().second() == 3\n",
        encoding="utf-8",
    )
    faults = [
        ("STEPS =", "STEPS ="),
        ("of[0] + 1", "of[0] - 1"),
        ("return self.MOST", "return self.MOST + 1"),
        ("return self.MOST", "import os; os.abort()"),
        ("STEPS =", "STEPS ="),
    ]
    file, told = "tests/test_of_two.py", []
    with closing(LoadedPytest(tmp_path, ["-q", "-x", *PLAIN, "tests"])) as loaded:
        (tmp_path / "app" / "of_two.py").write_text(module.replace(*faults[1]), encoding="utf-8")
        for fault in faults:
            told.append(loaded.run([file], [], ("app/of_two.py", module, module.replace(*fault))))
        alone = loaded.run([f"{file}::test_second"], [f"{file}::test_first"], None)
    assert [run.failed for run in told] == ["", f"{file}::test_first", f"{file}::test_second", "", ""]
    assert [run.code for run in told] == [0, 1, 1, 128 + signal.SIGABRT, 0]
    assert alone.code == 0
    assert all(run.processor_s > 0 for run in told)
