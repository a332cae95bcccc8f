"""`make quick`: what a change concerns, looked at within a minute; it says what it left out.

The tests of a change are those that import what changed, directly or through other modules (grimp's import graph),
nearest first, up to a budget of processor time by what each cost when that was last noted (`tests/test_costs.json`,
written by `make test-costs`). Ways through the composition root, which loads systems, drivers and pages by their names,
count for nothing: by them everything concerns everything. Only tests that name a system or a command are near to it by
such a way: they run it. A file that is no module (a statement, a scenario, a catalogue) concerns what names it; a rule
pack the tests of rules and those of its family.
"""

import argparse
import json
import re
import subprocess
import sys
from collections import deque
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Final

import grimp

ROOT: Final = Path(__file__).parents[1]
COSTS: Final = ROOT / "tests" / "test_costs.json"
DEAR_S: Final = 2.0
"""Processor seconds from which a single test is left to `make test`."""
BUDGET_S: Final = 16.0
"""Processor seconds of the tests that are run: with types checked beside them, under a minute of two processors."""
UNKNOWN_S: Final = 1.0
"""What a test file counts as that no kept cost is known of."""
EVERYDAY: Final = "not prove and not bench and not tsql and not plsql"

_LIKE: Final = re.compile(r"^like: (\w+)$", re.MULTILINE)
_LONG: Final = re.compile(r"^pytestmark = \[?pytest\.mark\.(?:prove|bench|tsql|plsql)\b", re.MULTILINE)
_ROOTS: Final = frozenset({"app.bootstrap", "app.__main__", "app.cli.main", "app.ui.page_factories"})
_BY_NAME: Final = {
    "app.bootstrap": re.compile(
        r"app\.(?:systems\.\w+\.(?:system|families\.\w+(?:\.family)?)|drivers\.\w+(?:\.(?:declared|undo_tool))?)"
    ),
    "app.ui.page_factories": re.compile(r"app\.ui\.pages\.\w+"),
    "app.cli.main": re.compile(r"app\.cli\.commands\.\w+"),
}
"""What roots load by name, which no import tells."""
_TOY: Final = "tests.toy"
_NAMES_TOY: Final = re.compile(r'"toy"\)? / "app"')
_FROM: Final = re.compile(r"^from (app[\w.]+) import (\w+)", re.MULTILINE)
_SYSTEM: Final = re.compile(r"app\.systems\.\w+\.")
_COMMAND: Final = re.compile(r"app\.cli\.commands\.([a-z]+)")
_PROGRAM: Final = "tests.e2e.program"
_RUNS_IT: Final = 2
"""How near a test is that names a system or a command and reaches the change by starting the program."""
_PACKAGES: Final = ("app", "tests")
_PARTS: Final = frozenset({"declared", "hand_over", "kind", "lab_server", "views"})


@dataclass(frozen=True)
class Costs:
    """What the everyday tests cost, in processor seconds.

    Attributes:
        files: by test file, without its dear tests.
        dear: by test, those of `DEAR_S` and more.
    """

    files: Mapping[str, float] = field(default_factory=dict)
    dear: Mapping[str, float] = field(default_factory=dict)

    @classmethod
    def read(cls, file: Path) -> "Costs":
        """Return the kept costs; none where nothing is kept."""
        return cls(**json.loads(file.read_text(encoding="utf-8"))) if file.exists() else cls()

    @classmethod
    def of_run(cls, lines: Iterable[str]) -> "Costs":
        """Return the costs of a run from its `--processor-times`, JSON lines."""
        files: dict[str, float] = {}
        dear: dict[str, float] = {}
        for line in lines:
            noted = json.loads(line)
            file = noted["test"].split("::")[0]
            is_dear = noted["processor_s"] >= DEAR_S
            files[file] = files.get(file, 0.0) + (0.0 if is_dear else noted["processor_s"])
            if is_dear:
                dear[noted["test"]] = round(noted["processor_s"], 1)
        return cls({file: round(files[file], 1) for file in sorted(files)}, dict(sorted(dear.items())))

    def of(self, file: str) -> float:
        """Return what a test file costs, in processor seconds."""
        return self.files.get(file, UNKNOWN_S)


@dataclass(frozen=True)
class Choice:
    """What is run of a change, and what is not.

    Attributes:
        files: the test files that are run, nearest first.
        dear: their tests that are left out as each takes long.
        farther: test files left out as the budget is spent, or as only ways through many modules lead to them.
        far_off: how many more test files reach the change through the composition root only.
    """

    files: tuple[str, ...]
    dear: tuple[str, ...]
    farther: tuple[str, ...]
    far_off: int


class Imports:
    """Who imports whom, in the program and its tests."""

    def __init__(self) -> None:
        self._graph = grimp.build_graph(*_PACKAGES)
        for module in sorted(self._graph.modules):  # `System.part` loads these by their names
            system, _dot, part = module.rpartition(".")
            if part in _PARTS and f"{system}.system" in self._graph.modules:
                self._graph.add_import(importer=f"{system}.system", imported=module)
            for root, names in _BY_NAME.items():
                if names.fullmatch(module):
                    self._graph.add_import(importer=root, imported=module)
        self._add_toy()

    def _add_toy(self) -> None:
        """Add the modules of the system that tests drop in, which stand in no package of this checkout."""
        files = {module_of(str(file.relative_to(ROOT))): file for file in (ROOT / "tests/toy").rglob("*.py")}
        users = [test for test in self.tests if _NAMES_TOY.search((ROOT / file_of(test)).read_text("utf-8"))]
        for module in files:
            self._graph.add_module(module)
            for test in users:
                self._graph.add_import(importer=test, imported=module)
        for module, file in files.items():
            for of, name in _FROM.findall(file.read_text(encoding="utf-8")):
                imported = {of, f"{of}.{name}", f"{_TOY}.{of}", f"{_TOY}.{of}.{name}"} & self._graph.modules
                for other in sorted(imported):
                    self._graph.add_import(importer=module, imported=other)

    @cached_property
    def tests(self) -> frozenset[str]:
        """The modules that hold everyday tests."""
        modules = (module for module in self._graph.modules if module.rpartition(".")[2].startswith("test_"))
        return frozenset(module for module in modules if not _LONG.search((ROOT / file_of(module)).read_text("utf-8")))

    @property
    def modules(self) -> frozenset[str]:
        """All modules, packages included."""
        return frozenset(self._graph.modules)

    def distances(self, changed: Iterable[str], *, is_through_root: bool = False) -> dict[str, int]:
        """Return how many imports lead from each module to the nearest changed one; what none lead from is left out.

        Args:
            is_through_root: whether ways through the composition root count.
        """
        found = {module: 0 for module in changed if module in self._graph.modules}
        waiting = deque(found)
        while waiting:
            module = waiting.popleft()
            for importer in sorted(self._graph.find_modules_that_directly_import(module)):
                if importer not in found and (is_through_root or importer not in _ROOTS):
                    found[importer] = found[module] + 1
                    waiting.append(importer)
        return found

    def running(self, changed: Iterable[str]) -> set[str]:
        """Return the modules of tests that run what changed by starting the program.

        Of a system those that import something of it; of a command those that name it, of the command line all.
        """
        changed = set(changed)
        own = tuple({match[0] for module in changed if (match := _SYSTEM.match(module))})
        imported = {test: self._graph.find_modules_directly_imported_by(test) for test in self.tests}
        running = {test for test, modules in imported.items() if any(module.startswith(own) for module in modules)}
        commands = {match[1] for module in changed if (match := _COMMAND.match(module))}
        if any(module.startswith("app.cli.") for module in changed):
            texts = {test: (ROOT / file_of(test)).read_text("utf-8") for test in imported if _PROGRAM in imported[test]}
            naming = {test for test, text in texts.items() if any(f'"{command}"' in text for command in commands)}
            running |= naming or texts.keys()
        return running


def module_of(path: str) -> str:
    """Return the module a Python file of the checkout is."""
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def file_of(module: str) -> str:
    """Return the file of a module that holds tests."""
    return module.replace(".", "/") + ".py"


def changed_modules(paths: Iterable[str], imports: Imports) -> set[str]:
    """Return the modules that changed files are, or that name them."""
    modules: set[str] = set()
    for path in paths:
        if path.startswith("advisor_rules/"):
            family = path.split("/")[1]
            modules |= {module for module in imports.modules if module.startswith("tests.contract.rules.test_")}
            named = r"\w+" if family == "common" else family
            modules |= {module for module in imports.modules if re.search(rf"\.families\.{named}$", module)}
        elif path.endswith(".py"):
            modules.add(module_of(path))
        else:
            modules |= {module_of(user) for user in _users_of(path)}
    return modules


def edited_modules(paths: Iterable[str]) -> set[str]:
    """Return the modules that changed files are themselves."""
    return {module_of(path) for path in paths if path.endswith(".py")}


def _users_of(path: str) -> list[str]:
    """Return the Python files in which the name of another file stands, for a statement also those that check all.

    A statement is sent by its name as a whole text; as a word of a sentence it is but the field's. One that differs
    from another by names only is sent by what sends the other one.
    """
    named = path.rsplit("/", 1)[-1].split(".")[0]
    if not path.endswith(".sql"):
        return _git("grep", "-lwF", "--untracked", named, "--", "app/*.py", "tests/*.py")
    users = _git("grep", "-lE", "--untracked", f'["/]{re.escape(named)}[".]', "--", "app/*.py", "tests/*.py")
    file = ROOT / path
    if file.is_file() and (like := _LIKE.search(file.read_text(encoding="utf-8"))):
        users += _users_of(str(Path(path).with_name(f"{like[1]}.sql")))
    checks = (ROOT / "tests/contract/statements").glob("test_*.py")
    return [*users, *(str(file.relative_to(ROOT)) for file in checks)]


def choose(
    changed: Iterable[str],
    imports: Imports,
    costs: Costs,
    budget_s: float = BUDGET_S,
    edited: Set[str] = frozenset(),
) -> Choice:
    """Return which test files are run for changed modules.

    Test files that were edited themselves are run whatever they cost; one that only names what changed is not. Those
    named after a changed module are as near, even where they reach it only by starting the program. Others follow by
    their distance and, where that is equal, by what they cost; one that the rest of the budget is too small for is
    left out.
    """
    changed = set(changed)
    named = {f"test_{module.rpartition('.')[2]}" for module in changed}
    distances = imports.distances(changed)
    through_root = imports.distances(changed, is_through_root=True)
    near = dict.fromkeys(imports.running(changed) & through_root.keys(), _RUNS_IT)
    near |= {test: distances[test] for test in imports.tests if test in distances}
    near |= {test: 0 for test in imports.tests & through_root.keys() if test.rpartition(".")[2] in named}
    files: list[str] = []
    farther: list[str] = []
    left_s = budget_s
    for test in sorted(near, key=lambda test: (near[test], costs.of(file_of(test)), test)):
        file = file_of(test)
        if test in edited or costs.of(file) <= left_s:
            files.append(file)
            left_s -= costs.of(file)
        else:
            farther.append(file)
    return Choice(
        files=tuple(files),
        dear=tuple(test for test in costs.dear if test.split("::")[0] in files),
        farther=tuple(farther),
        far_off=len((imports.tests & through_root.keys()) - near.keys()),
    )


def changed_paths(since: str) -> list[str]:
    """Return the files that differ from a commit, those git does not know yet included."""
    return sorted({*_git("diff", "--name-only", since), *_git("ls-files", "--others", "--exclude-standard")})


def _git(*words: str) -> list[str]:
    """Return the lines git answers; none where it finds nothing."""
    done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.splitlines()


def told(choice: Choice) -> str:
    """Say what is run and what is not, as its reader needs it."""
    lines = [f"tests: {len(choice.files)} files that this change concerns"]
    if choice.dear:
        lines.append(f"left out: {len(choice.dear)} of their tests that take {DEAR_S:.0f} s and more each")
    if choice.farther:
        lines.append(f"left out: {len(choice.farther)} files farther off or dearer, such as {choice.farther[0]}")
    if choice.far_off:
        lines.append(f"left out: {choice.far_off} files that reach it only by starting the whole program")
    return "\n".join(
        [*lines, "left out: proofs, benches, texts in the servers' parsers; make check test prove run all"]
    )


def _run(paths: list[str], choice: Choice) -> int:
    """Check style and types beside the tests; return 0 if all is well."""
    sources = [path for path in paths if path.endswith(".py") and (ROOT / path).exists()]
    beside = []
    if sources:
        beside += [
            ("ruff format", ["ruff", "format", "--check", "--quiet", *sources]),
            ("ruff", ["ruff", "check", "--quiet", *sources]),
            ("mypy", ["mypy", "--no-error-summary"]),
        ]
    if any(path.startswith("app/") for path in sources):
        beside.append(("imports", ["lint-imports", "--no-cache"]))
    started = [(name, _begun(words)) for name, words in beside]
    failed = []
    if choice.files:
        dear = [f"--deselect={test}" for test in choice.dear]
        words = ["-q", "-n", "2", "--dist", "worksteal", "-m", EVERYDAY, *dear, *choice.files]
        tests = subprocess.run([sys.executable, "-m", "pytest", *words], cwd=ROOT, check=False)
        failed += ["tests"] if tests.returncode not in {0, 5} else []  # 5: each of them is a proof
    for name, process in started:
        output, _ = process.communicate()
        if process.returncode:
            print(output.rstrip())
            failed.append(name)
    print(f"not well: {', '.join(failed)}" if failed else "well, as far as this looks")
    return 1 if failed else 0


def _begun(words: list[str]) -> subprocess.Popen[str]:
    """Start a tool that stands beside this Python."""
    command = [str(Path(sys.executable).with_name(words[0])), *words[1:]]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def main() -> int:
    """Look at what changed since a commit, or note what the tests cost."""
    parser = argparse.ArgumentParser(prog="make quick", description=__doc__)
    parser.add_argument("--since", default="HEAD", metavar="COMMIT", help="the commit a change is told from")
    parser.add_argument("--list", action="store_true", help="name the test files, and run nothing")
    parser.add_argument("--keep-costs", type=Path, metavar="FILE", help="keep the --processor-times of a whole run")
    asked = parser.parse_args()
    if asked.keep_costs:
        costs = Costs.of_run(asked.keep_costs.read_text(encoding="utf-8").splitlines())
        COSTS.write_text(json.dumps({"files": costs.files, "dear": costs.dear}, indent=1) + "\n", encoding="utf-8")
        return 0
    paths = changed_paths(asked.since)
    if not paths:
        print(f"nothing changed since {asked.since}; make quick SINCE=HEAD~1 looks at the last commit")
        return 0
    imports = Imports()
    choice = choose(changed_modules(paths, imports), imports, Costs.read(COSTS), edited=edited_modules(paths))
    print(told(choice), flush=True)
    if asked.list:
        print("\n".join(choice.files))
        return 0
    return _run(paths, choice)


if __name__ == "__main__":
    sys.exit(main())
