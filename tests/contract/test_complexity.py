"""Functions stay small: the share of those with many ways through them does not grow again."""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[2]
MOST_WAYS: Final = 10
MOST_SHARE: Final = 0.01

_WAYS: Final = (
    ast.If,
    ast.For,
    ast.AsyncFor,
    ast.While,
    ast.ExceptHandler,
    ast.IfExp,
    ast.Assert,
    ast.comprehension,
    ast.match_case,
)
_FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef)


def ways(function: ast.AST) -> int:
    """Return the cyclomatic complexity of a function, of the functions in it not counted.

    One, and one more for each branch, loop, handler, comprehension and case, and for each further operand of and/or
    (T. J. McCabe, A Complexity Measure, IEEE Transactions on Software Engineering 2, 1976). ruff's C901 leaves out
    conditional expressions and operands, so it passes what this does not.
    """
    count = 1
    nodes = list(ast.iter_child_nodes(function))
    while nodes:
        node = nodes.pop()
        if isinstance(node, _FUNCTIONS):
            continue
        count += isinstance(node, _WAYS)
        count += len(node.values) - 1 if isinstance(node, ast.BoolOp) else 0
        nodes += ast.iter_child_nodes(node)
    return count


def functions(folder: Path) -> Iterator[tuple[str, int]]:
    """Yield every function below a folder: where it stands, and its complexity."""
    for path in sorted(folder.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, _FUNCTIONS):
                yield f"{path.relative_to(ROOT).as_posix()}:{node.lineno} {node.name}", ways(node)


def test_few_functions_have_many_ways() -> None:
    """At most one in a hundred has a complexity above ten."""
    counted = list(functions(ROOT / "app"))
    above = sorted(((count, place) for place, count in counted if count > MOST_WAYS), reverse=True)
    assert len(above) <= MOST_SHARE * len(counted), "\n".join(f"{count} {place}" for count, place in above)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("def f(): return 1", 1),
        ("def f(a, b, c): return a and b and c", 3),
        ("def f(a): return 1 if a else [x for x in a if x]", 3),
        ("def f(a):\n    for x in a:\n        try:\n            g(x)\n        except ValueError:\n            pass", 3),
        ("def f(a):\n    def g():\n        return 1 if a else 2\n    return g", 1),
        ("def f(a):\n    match a:\n        case 1:\n            return 1\n        case _:\n            return 2", 3),
    ],
)
def test_ways_are_counted(text: str, count: int) -> None:
    """Each branch counts once, and what stands in another function counts there."""
    (function,) = ast.parse(text).body
    assert ways(function) == count
