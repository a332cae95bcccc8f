"""`make plant-faults`: whether the tests find a fault, and which of them: `N=12 SEED=1`, one JSON line for each.

A fault is one operator, one constant or one left-out line of a module of the rooms that measure, decide and restore;
room, module, kind and place are drawn by a seed. Each stands alone in a copy of the checkout, never in the checkout.
The tests of `make quick` for its module look first, nearest first, up to the first that fails; `THROUGH=test` goes on
with all of `make test` where they find nothing, and `THROUGH=prove` with the proofs. What fails without the fault, too,
has not found it. A fault nobody finds may be none: what it changes may make no difference to anybody.

mutmut and Cosmic Ray draw their own places, but run the same tests for each module: mutmut forks one process that has
them all loaded, which the programs that tests start do not see; Cosmic Ray knows one command for all modules.
"""

import argparse
import ast
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
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Final

from tests.quick import COSTS, EVERYDAY, ROOT, Choice, Costs, Imports, choose, module_of

ROOMS: Final = ("app/runner", "app/store", "app/analysis", "app/systems/*/server", "app/systems/*/rig")
TIERS: Final = ("quick", "test", "prove")
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
_STUCK: Final = ("--timeout=120",)  # a fault may wait for ever; a machine that is slow fails without it as well


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
    """Return so many different faults of a checkout: the rooms take turns, module, kind and place are drawn."""
    draw = random.Random(seed)
    rooms = {room: sorted(file for folder in root.glob(room) for file in folder.rglob("*.py")) for room in ROOMS}
    faults: list[Fault] = []
    while len(faults) < count:
        file = draw.choice(rooms[ROOMS[len(faults) % len(ROOMS)]])
        possible = faults_of(file.relative_to(root).as_posix(), file.read_bytes())
        kinds = sorted({fault.kind for fault in possible})
        if kinds:
            kind = draw.choice(kinds)
            fault = draw.choice([fault for fault in possible if fault.kind == kind])
            faults += [fault] if fault not in faults else []
    return faults


class Copy:
    """A copy of the checkout, with changes that are not committed, in which one fault at a time is planted."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "checkout"
        self._stamp = int((ROOT / "pyproject.toml").stat().st_mtime)
        asked = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        names = subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\0")
        for name in filter(None, names):
            if (ROOT / name).is_file():
                (self.root / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / name, self.root / name)

    def write(self, path: str, content: bytes) -> None:
        """Write a module, at a time of its own: Python takes what is compiled for new by time and length."""
        self._stamp += 1
        (self.root / path).write_bytes(content)
        os.utime(self.root / path, (self._stamp, self._stamp))

    def failing(self, words: Sequence[str]) -> str | None:
        """Run tests up to the first that fails; return its name, None if all pass or none is there."""
        command = [sys.executable, "-m", "pytest", "-q", "-x", "-rfE", "--tb=no", *_STUCK, *words]
        done = subprocess.run(command, cwd=self.root, capture_output=True, text=True, check=False)
        if done.returncode in {0, 5}:
            return None
        failed = _FAILED.search(done.stdout)
        return failed[1] if failed else f"pytest ends with {done.returncode}"

    def tier_that_finds(self, fault: Fault, choice: Choice, through: str) -> Found:
        """Run the tests, nearest first, with a fault planted; return which of them find it."""
        sound, begun_s, known = (self.root / fault.path).read_bytes(), _spent_s(), list[str]()
        for tier in TIERS[: TIERS.index(through) + 1]:
            words = _tests_of(tier, choice)
            while words:
                self.write(fault.path, fault.planted_in(sound))
                test = self.failing(
                    [*words, *(f"--{'deselect' if '::' in name else 'ignore'}={name}" for name in known)]
                )
                self.write(fault.path, sound)
                if test is None:
                    break
                alone = [test] if ".py" in test else words  # a process that ended names no test
                if self.failing(alone) is None:
                    return Found(tier, test, _spent_s() - begun_s)
                if alone is words:
                    break
                known.append(test)
        return Found(None, None, _spent_s() - begun_s)


def _tests_of(tier: str, choice: Choice) -> list[str]:
    """Return what a tier runs, as words for pytest; none where it has nothing for a module."""
    if tier == "quick":
        dear = (f"--deselect={test}" for test in choice.dear)
        return ["-n", "0", "-m", EVERYDAY, *dear, *choice.files] if choice.files else []
    return ["-n", "2", "--dist", "worksteal", "-m", EVERYDAY if tier == "test" else "prove", "tests"]


def _spent_s() -> float:
    """Return the processor time, in seconds, of what this process started and waited for."""
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime


def main() -> int:
    """Plant faults one by one and say what finds them."""
    parser = argparse.ArgumentParser(prog="make plant-faults", description=__doc__)
    parser.add_argument("--count", type=int, default=12, help="how many faults")
    parser.add_argument("--seed", type=int, default=1, help="draws them")
    parser.add_argument("--through", choices=TIERS, default="quick", help="the last tier that looks for each")
    asked = parser.parse_args()
    imports, costs, found = Imports(), Costs.read(COSTS), dict[str | None, int]()
    with tempfile.TemporaryDirectory() as folder:
        place = Copy(Path(folder))
        for fault in drawn(asked.count, asked.seed, place.root):
            choice = choose({module_of(fault.path)}, imports, costs)
            told = place.tier_that_finds(fault, choice, asked.through)
            found[told.tier] = found.get(told.tier, 0) + 1
            rounded = replace(told, processor_s=round(told.processor_s, 1))
            print(json.dumps(asdict(fault) | asdict(rounded), ensure_ascii=False), flush=True)
    by_tier = ", ".join(f"{tier or 'none'} {number}" for tier, number in found.items())
    print(f"seed {asked.seed}, {asked.count} faults, found by: {by_tier}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
