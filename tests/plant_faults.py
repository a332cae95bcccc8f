"""`make plant-faults`: whether the tests find a fault, and which of them: `N=12 SEED=1`, one JSON line for each.

A fault is one operator, one constant or one left-out line of a module of the rooms that measure, decide and restore;
room, module, kind and place are drawn by a seed. They stand in a copy of the checkout, never in the checkout. The tests
of `make quick` for its module look at each fault alone, nearest first, up to the first that fails: in forks of one
process that has all tests loaded, where only functions are changed (`tests/loaded_pytest.py`). `THROUGH=test` then has
`make test` look at all faults that were not found, planted at once; what fails looks at each of them alone, and once
more at those still not found, up to a run that finds none of them. `THROUGH=prove` goes on likewise with the proofs.
What fails without the fault, too, has not found it. A fault nobody finds may be none: what it changes may make no
difference to anybody. Lines are added to a file with `KEEP=file`: a fault whose line stands in it is not tried again by
the tests near it, and what became of it later stands in a further line.

mutmut and Cosmic Ray draw their own places, but run the same tests for each module: mutmut forks one process that has
them all loaded, which the programs that tests start do not see; Cosmic Ray knows one command for all modules.
"""

import argparse
import ast
import contextlib
import copy
import json
import os
import random
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final

from tests.loaded_pytest import LoadedPytest, Told, is_in_functions
from tests.quick import COSTS, EVERYDAY, ROOT, Choice, Costs, Imports, choose, module_of

ROOMS: Final = {
    "runner": ("app/runner/**/*.py",),
    "store": ("app/store/**/*.py",),
    "analysis": ("app/analysis/**/*.py",),
    "server": ("app/systems/*/server/**/*.py", "app/systems/*/*_server/**/*.py", "app/systems/*/server.py"),
    "rig": ("app/systems/*/rig/**/*.py", *(f"app/systems/*/*{part}.py" for part in ("steps", "trial", "kind"))),
}
"""Where faults are planted: by room the files, where each system has a room of its own. `lab_server` simulates."""
TIERS: Final = ("quick", "test", "prove")
UNTRIED: Final = "untried"
OPERATOR, CONSTANT, LEFT_OUT = KINDS = ("operator", "constant", "line left out")

_SWAPPED: Final[dict[type[ast.AST], type[ast.AST]]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.And: ast.Or,
    ast.Or: ast.And,
}
_LEFT_OUT: Final = (ast.Expr, ast.Assign, ast.AugAssign, ast.Raise, ast.Delete)
_TYPES: Final = {"annotation", "returns"}
_FAILED: Final = re.compile(r"^(?:FAILED|ERROR) (.+?)(?: - .*)?$", re.MULTILINE)
_FIRST, _TIMES = 3, 4
"""How many test files are run first, and how many times as many after each that found nothing: each few are loaded
before their first test, and most faults are found by the nearest."""
_UP_TO_FIRST: Final = ("-q", "-x", "-rfE", "--tb=no", "--timeout=60")
"""A fault may wait for ever; what fails as a machine is slow, fails without a fault as well."""
_ALL: Final = ("-q", "-rfE", "--tb=no", "--timeout=300", "-n", "3", "--dist", "worksteal")
_MARKS: Final = {"test": EVERYDAY, "prove": "prove"}
_MOST_FAILING: Final = 60
"""Failing tests after which a run of faults planted at once ends: a fault that waits for ever fails them all."""


@dataclass(frozen=True)
class Fault:
    """One place of a module that is changed.

    Attributes:
        kind: one of `KINDS`.
        start, end: the place, in bytes of the file.
    """

    path: str
    line: int
    kind: str
    before: str
    after: str
    start: int
    end: int

    def planted_in(self, content: bytes) -> bytes:
        """Return the module with the fault."""
        return content[: self.start] + self.after.encode() + content[self.end :]


@dataclass(frozen=True)
class Found:
    """What became of a fault.

    Attributes:
        tier: the tests that found it, None where none did.
        test: the first of them.
        processor_s: what all its runs cost, in seconds.
    """

    tier: str | None
    test: str | None
    processor_s: float


@dataclass(frozen=True)
class Run:
    """What one run of pytest looks at.

    Attributes:
        files: test files or single tests, in their order.
        left_out: tests of theirs that are not run.
        mark: which of them, as pytest is told.
    """

    files: Sequence[str]
    left_out: Sequence[str] = ()
    mark: str = EVERYDAY

    def without(self, tests: Iterable[str]) -> "Run":
        """Return what is left once these tests are not run, either."""
        return replace(self, left_out=[*self.left_out, *tests])


def faults_of(path: str, content: bytes) -> list[Fault]:
    """Return all faults that can be planted in a module, by their places."""
    lines = content.splitlines(keepends=True)
    begins = [0]
    for line in lines:
        begins.append(begins[-1] + len(line))
    faults = []
    for node, kind, after in _changes(ast.parse(content)):
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        start, end = begins[node.lineno - 1] + node.col_offset, begins[node.end_lineno - 1] + node.end_col_offset
        faults.append(Fault(path, node.lineno, kind, content[start:end].decode(), after, start, end))
    return sorted(faults, key=lambda fault: (fault.start, fault.end, fault.after))


def _changes(node: ast.AST) -> Iterator[tuple[ast.expr | ast.stmt, str, str]]:
    """Yield what can be changed below a node, with its kind and what then stands there.

    Types are left as they are, and what stands inside a text with gaps, whose parts have no places of their own; only
    lines of functions are left out, as nothing would load without the others.
    """
    for name, value in ast.iter_fields(node):
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and name not in _TYPES and not isinstance(child, ast.JoinedStr):
                is_in_function = not isinstance(node, ast.Module | ast.ClassDef)
                yield from (change for change in _changes_of(child) if is_in_function or change[1] != LEFT_OUT)
                yield from _changes(child)


def _changes_of(node: ast.AST) -> Iterator[tuple[ast.expr | ast.stmt, str, str]]:
    match node:
        case ast.Compare(ops=operators):
            for number, operator in enumerate(operators):
                swapped = copy.deepcopy(node)
                swapped.ops[number] = _SWAPPED[type(operator)]()  # type: ignore[call-overload]  # of its own kind
                yield node, OPERATOR, f"({ast.unparse(swapped)})"
        case ast.BinOp(op=operator) | ast.BoolOp(op=operator) if type(operator) in _SWAPPED:
            swapped_whole = copy.copy(node)
            swapped_whole.op = _SWAPPED[type(operator)]()  # type: ignore[assignment]  # of its own kind
            yield node, OPERATOR, f"({ast.unparse(swapped_whole)})"
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield node, OPERATOR, f"({ast.unparse(operand)})"
        case ast.Constant(value=bool(value)):
            yield node, CONSTANT, str(not value)
        case ast.Constant(value=(int() | float()) as value):
            yield node, CONSTANT, repr(value + 1)
        case ast.stmt() if isinstance(node, _LEFT_OUT) and not _is_text(node):
            yield node, LEFT_OUT, "pass"


def _is_text(node: ast.stmt) -> bool:
    """Tell whether a statement is a docstring, or an ellipsis in place of a body."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def drawn(count: int, seed: int, root: Path) -> list[Fault]:
    """Return so many different faults of a checkout: rooms and, in a room, systems take turns; all else is drawn."""
    draw = random.Random(seed)
    rooms = [list(_by_system(root, patterns).values()) for patterns in ROOMS.values()]
    faults: list[Fault] = []
    while len(faults) < count:
        turn, place = divmod(len(faults), len(rooms))
        file = draw.choice(rooms[place][turn % len(rooms[place])])
        possible = faults_of(file.relative_to(root).as_posix(), file.read_bytes())
        kinds = sorted({fault.kind for fault in possible})
        if kinds:
            kind = draw.choice(kinds)
            fault = draw.choice([fault for fault in possible if fault.kind == kind])
            faults += [fault] if fault not in faults else []
    return faults


def _by_system(root: Path, patterns: Iterable[str]) -> dict[str, list[Path]]:
    """Return the modules of a room by the system they are of, "" for those of none."""
    modules = defaultdict[str, list[Path]](list)
    for file in sorted({file for pattern in patterns for file in root.glob(pattern)}):
        of = file.relative_to(root).parts
        if "lab_server" not in of:
            modules[of[2] if of[1] == "systems" else ""].append(file)
    return modules


class Copy:
    """A copy of the checkout, with changes that are not committed, in which one fault at a time is planted."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "checkout"
        self._stamp = int(time.time())
        asked = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        names = subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\0")
        for name in filter(None, names):
            if (ROOT / name).is_file():
                (self.root / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / name, self.root / name)
        for compiled in (found for package in ("app", "tests") for found in (ROOT / package).rglob("__pycache__")):
            shutil.copytree(compiled, self.root / compiled.relative_to(ROOT), dirs_exist_ok=True)
        self._loaded = LoadedPytest(self.root, [*_UP_TO_FIRST, "-n", "0", "-m", EVERYDAY, "tests"])
        self.spent_s = 0.0
        self._sound = set[str]()

    def close(self) -> None:
        """End what runs its tests."""
        self._loaded.close()

    def write(self, path: str, content: bytes) -> None:
        """Write a module, at a time of its own: Python takes what is compiled for new by time and length."""
        self._stamp += 1
        (self.root / path).write_bytes(content)
        os.utime(self.root / path, (self._stamp, self._stamp))

    def failing(self, asked: Run, fault: Fault | None) -> str | None:
        """Run tests up to the first that fails; return its name, None if all pass or none is there."""
        changed, is_loaded = None, asked.mark == EVERYDAY
        if fault is not None:
            sound = (self.root / fault.path).read_bytes()
            changed = (fault.path, sound.decode(), fault.planted_in(sound).decode())
            is_loaded = is_loaded and is_in_functions(*changed)
        with self._planted([] if fault is None else [fault]):
            if is_loaded:
                told = self._loaded.run(asked.files, asked.left_out, changed)
            else:
                left_out = [f"--deselect={test}" for test in asked.left_out]
                told = self._run([*_UP_TO_FIRST, "-n", "0", "-m", asked.mark, *left_out, *asked.files])[0]
        self.spent_s += told.processor_s
        if told.code in {0, 5}:
            return None
        return told.failed or f"pytest ends with {told.code}"

    def failing_with_all(self, faults: Sequence[Fault], tier: str) -> list[str]:
        """Run all tests of a tier with several faults planted at once; return those that fail."""
        with self._planted(faults):
            told, failed = self._run([*_ALL, f"--maxfail={_MOST_FAILING}", "-m", _MARKS[tier], "tests"])
        self.spent_s += told.processor_s
        return failed

    @contextlib.contextmanager
    def _planted(self, faults: Iterable[Fault]) -> Iterator[None]:
        """Have faults stand in their modules for a while; of one module, no two may overlap."""
        sound = {fault.path: (self.root / fault.path).read_bytes() for fault in faults}
        contents = dict(sound)
        for fault in sorted(faults, key=lambda fault: -fault.start):
            contents[fault.path] = fault.planted_in(contents[fault.path])
        for path, content in contents.items():
            self.write(path, content)
        try:
            yield
        finally:
            for path, content in sound.items():
                self.write(path, content)

    def _run(self, words: Sequence[str]) -> tuple[Told, list[str]]:
        """Run tests that are loaded anew; return how that ended, and which failed."""
        command, before_s = [sys.executable, "-m", "pytest", *words], _children_s()
        done = subprocess.run(command, cwd=self.root, capture_output=True, text=True, check=False)
        failed = [*dict.fromkeys(_FAILED.findall(done.stdout))]
        return Told(done.returncode, failed[0] if failed else "", _children_s() - before_s), failed

    def first_finding(self, fault: Fault, asked: Run) -> str | None:
        """Return the first of some tests that fails with a fault and passes without it."""
        while True:
            test = self.failing(asked, fault)
            if test is None or test in self._sound:
                return test
            is_named = ".py" in test  # a process that ended names none
            if self.failing(replace(asked, files=[test]) if is_named else asked, None) is None:
                self._sound |= {test} if is_named else set()
                return test
            if not is_named:
                return None
            asked = asked.without([test])

    def found_near(self, fault: Fault, choice: Choice) -> Found:
        """Run the tests of `make quick` for a module, nearest first, with a fault planted; return what it came to."""
        self.spent_s, begin, count = 0.0, 0, _FIRST
        while files := choice.files[begin : begin + count]:
            if (test := self.first_finding(fault, Run(files, choice.dear))) is not None:
                return Found("quick", test, self.spent_s)
            begin, count = begin + count, count * _TIMES
        return Found(None, None, self.spent_s)

    def found_by_all(self, faults: Iterable[Fault], tier: str) -> Iterator[tuple[Fault, Found]]:
        """Run all tests of a tier with all these faults planted; yield those found, which cost the first what all do.

        What fails looks at each fault alone. A fault may hide another: those not found are looked at again, up to a run
        that finds none of them.
        """
        left = list(faults)
        while planted := apart(left):
            self.spent_s = 0.0
            asked = Run(self.failing_with_all(planted, tier), mark=_MARKS[tier])
            missed = []
            for fault in planted:
                test = self.first_finding(fault, asked) if asked.files else None
                if test is None:
                    missed.append(fault)
                    continue
                yield fault, Found(tier, test, self.spent_s)
                self.spent_s = 0.0
            left = [fault for fault in left if fault in missed or fault not in planted]
            if len(missed) == len(planted):
                left = [fault for fault in left if fault not in missed]


def apart(faults: Iterable[Fault]) -> list[Fault]:
    """Return those faults that can stand beside each other, the first of any that overlap."""
    chosen: list[Fault] = []
    for fault in faults:
        others = [other for other in chosen if other.path == fault.path]
        if all(fault.end <= other.start or other.end <= fault.start for other in others):
            chosen.append(fault)
    return chosen


def _children_s() -> float:
    """Return the processor time, in seconds, of what this process started and waited for."""
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime


@dataclass(frozen=True)
class Kept:
    """The lines of earlier runs and of this one, in a file where one is named."""

    file: Path | None
    lines: list[dict[str, Any]]

    @classmethod
    def of(cls, file: Path | None) -> "Kept":
        """Return what stands in a file; nothing where there is none."""
        text = file.read_text(encoding="utf-8") if file is not None and file.exists() else ""
        return cls(file, [json.loads(line) for line in text.splitlines()])

    def add(self, fault: Fault, found: Found) -> None:
        """Print and keep what became of a fault."""
        rounded = replace(found, processor_s=round(found.processor_s, 1))
        self.lines.append(asdict(fault) | asdict(rounded))
        line = json.dumps(self.lines[-1], ensure_ascii=False)
        print(line, flush=True)
        if self.file is not None:
            with self.file.open("a", encoding="utf-8") as kept:
                kept.write(f"{line}\n")

    def tier_of(self, fault: Fault) -> str | None:
        """Return what found a fault by its last line: `UNTRIED` where none is about it."""
        told = [line["tier"] for line in self.lines if _place(line) == _place(asdict(fault))]
        return told[-1] if told else UNTRIED


def _place(line: Mapping[str, Any]) -> tuple[object, ...]:
    return line["path"], line["start"], line["after"]


def main() -> int:
    """Plant faults and say what finds them."""
    parser = argparse.ArgumentParser(prog="make plant-faults", description=__doc__)
    parser.add_argument("--count", type=int, default=12, help="how many faults")
    parser.add_argument("--seed", type=int, default=1, help="draws them")
    parser.add_argument("--through", choices=TIERS, default="quick", help="the last tier that looks for each")
    parser.add_argument("--keep", type=Path, metavar="FILE", help="add the lines to a file; what stands in it is done")
    asked = parser.parse_args()
    imports, costs, kept = Imports(), Costs.read(COSTS), Kept.of(asked.keep)
    with tempfile.TemporaryDirectory() as folder, contextlib.closing(Copy(Path(folder))) as place:
        faults = drawn(asked.count, asked.seed, place.root)
        for fault in faults:
            if kept.tier_of(fault) == UNTRIED:
                kept.add(fault, place.found_near(fault, choose({module_of(fault.path)}, imports, costs)))
        for tier in TIERS[1 : TIERS.index(asked.through) + 1]:
            for fault, found in place.found_by_all([f for f in faults if kept.tier_of(f) is None], tier):
                kept.add(fault, found)
    counted = Counter(kept.tier_of(fault) or "none" for fault in faults)
    by_tier = ", ".join(f"{tier} {number}" for tier, number in counted.items())
    print(f"seed {asked.seed}, {asked.count} faults, found by: {by_tier}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
