"""No test's verdict depends on how fast the machine is: a wait ends with what is awaited, or with patience."""

import ast
from collections.abc import Collection, Iterator
from pathlib import Path

import pytest

from tests.patience import PATIENCE_S

ROOT = Path(__file__).resolve().parents[2]
# The home of the waiting times; the benches measure, as ratios.
APART = ("tests/patience.py", "tests/benchmarks/")
# What waits, and at which of its arguments it is told how long; its keyword is `timeout`.
WAITS = {"join": 0, "wait": 0, "settimeout": 0, "result": 0, "acquire": 1, "wait_for": 1, "tryAcquire": 1, "timeout": 0}
CLOCKS = {"perf_counter", "monotonic", "process_time", "perf_counter_ns", "monotonic_ns"}
LIMIT_NAMES = ("PATIENCE", "TIMEOUT")


def limits_of(tree: ast.Module) -> Iterator[str]:
    """Return each place at which a test could fail because the machine is slow."""
    own, timed = _own_numbers(tree), _own_times(tree)
    for name in sorted(own):
        if any(word in name.upper() for word in LIMIT_NAMES):
            yield f"line {own[name]}: {name} is a time of its own"
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            limit = limit_of(node)
            if limit is not None and _is_number(limit, own):
                yield f"line {node.lineno}: waits for {ast.unparse(limit)}, not for a time of tests/patience.py"
            yield from _hypothesis_limits(node)
        elif isinstance(node, ast.Assert) and _is_timed(node.test, timed):
            yield f"line {node.lineno}: asserts how long something took"


def limit_of(call: ast.Call) -> ast.expr | None:
    """Return how long a call waits at most; None where it does not say, or does not wait."""
    for keyword in call.keywords:
        if keyword.arg == "timeout":
            return keyword.value
    place = WAITS.get(call.func.attr) if isinstance(call.func, ast.Attribute) else None
    return call.args[place] if place is not None and place < len(call.args) else None


def _is_number(node: ast.expr, own: Collection[str]) -> bool:
    """Tell whether this is a number of its own making, calculated or named; 0 waits for nothing."""
    match node:
        case ast.Constant(value=int() | float()):
            return node.value != 0
        case ast.Name():
            return node.id in own
        case ast.BinOp():
            is_repeated = isinstance(node.left, ast.List | ast.Constant) and not _is_number(node.left, own)
            return not is_repeated and (_is_number(node.left, own) or _is_number(node.right, own))
    return False


def _assigned(tree: ast.Module) -> Iterator[tuple[ast.Name, ast.expr]]:
    """Return each name that is given a value, with it."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            yield from (
                (part, node.value) for target in targets for part in ast.walk(target) if isinstance(part, ast.Name)
            )


def _own_numbers(tree: ast.Module) -> dict[str, int]:
    """Return the names a file gives numbers to, and where; those of tests/patience.py are not among them."""
    return {name.id: name.lineno for name, value in _assigned(tree) if _is_number(value, ())}


def _own_times(tree: ast.Module) -> set[str]:
    """Return the names a file gives a time of the machine's clock to."""
    return {name.id for name, value in _assigned(tree) if _is_timed(value, ())}


def _is_timed(node: ast.expr, timed: Collection[str]) -> bool:
    return any(_asks_a_clock(part) or (isinstance(part, ast.Name) and part.id in timed) for part in ast.walk(node))


def _hypothesis_limits(call: ast.Call) -> Iterator[str]:
    """A deadline of examples, and the check of data that is drawn too slowly, are limits as well."""
    for keyword in call.keywords:
        if keyword.arg == "deadline" and not (isinstance(keyword.value, ast.Constant) and keyword.value.value is None):
            yield f"line {call.lineno}: a deadline of examples"
        is_list = keyword.arg == "suppress_health_check" and isinstance(keyword.value, ast.List)
        if is_list and "too_slow" not in ast.unparse(keyword.value):
            yield f"line {call.lineno}: a health check that fails on a slow machine"


def _asks_a_clock(node: ast.AST) -> bool:
    """Tell whether this is a look at a clock of the machine."""
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
        return False
    is_machine = node.func.attr == "monotonic_s" and "SystemClock" in ast.unparse(node.func)
    return node.func.attr in CLOCKS or is_machine or ast.unparse(node.func) == "time.time"


def test_no_test_has_a_time_limit_of_its_own() -> None:
    """Waits have the one patience, and how fast something is, is asserted in the benches only."""
    found = {}
    for path in sorted((ROOT / "tests").rglob("*.py")):
        name = path.relative_to(ROOT).as_posix()
        limits = [] if name.startswith(APART) else list(limits_of(ast.parse(path.read_text(encoding="utf-8"))))
        if limits:
            found[name] = limits
    assert found == {}


@pytest.mark.parametrize(
    "line",
    [
        "child.communicate(timeout=30)",
        "subprocess.run(['x'], timeout=60)",
        "qtbot.waitUntil(ready, timeout=20_000)",
        "pytestmark = pytest.mark.timeout(180)",
        "worker.join(10)",
        "worker.join(timeout=2.5)",
        "assert told.wait(60)",
        "peer.settimeout(5)",
        "future.result(timeout=10)",
        "lock.acquire(True, 5)",
        "process.wait(2 * 60)",
        "_PATIENCE_S: Final = 60.0",
        "WIRE_TIMEOUT_S = 20",
        "SHORT = 20\nworker.join(SHORT / 2)",
        "took = time.monotonic() - began\nassert took < 1",
        "assert time.perf_counter() - began < 5.0",
        "assert SystemClock().monotonic_s() - began < 60",
        "settings(deadline=200)",
        "settings(suppress_health_check=[HealthCheck.function_scoped_fixture])",
    ],
)
def test_a_planted_limit_is_found(line: str) -> None:
    """Whatever waits for less than the patience, or measures, is told with its line."""
    (found,) = limits_of(ast.parse(line))
    assert found.startswith(f"line {len(line.splitlines())}: ")


@pytest.mark.parametrize(
    "line",
    [
        "child.communicate(timeout=PATIENCE_S)",
        "worker.join(PAUSE_S)",
        "worker.join()",
        "', '.join(names)",
        "'\\n'.join([str(number) for number in (1, 2)])",
        "', '.join(['*a1'] * 10)",
        "future.result(timeout=0)",
        "settings(deadline=None)",
        "settings(suppress_health_check=[HealthCheck.too_slow])",
        "assert target.clock.monotonic_s() - before_s == pytest.approx(3_600)",
        "traveller.wait(lambda: finished.value() > 20)",
    ],
)
def test_what_is_no_limit(line: str) -> None:
    """The patience, a pause, no limit at all; texts are joined, and a simulated clock says what is simulated."""
    assert list(limits_of(ast.parse(line))) == []


def test_patience_outlasts_a_slow_machine() -> None:
    """The guard of a whole test is longer than its longest wait, and that one is minutes."""
    import tomllib

    options = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["pytest"]["ini_options"]
    assert options["timeout"] > 2 * PATIENCE_S >= 600
