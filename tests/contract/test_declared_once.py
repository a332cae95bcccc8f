"""What is known of a system is said once: how many files one reading is named in, and what a system costs at least.

The numbers are the most there may be; whoever brings one down lowers it here.
"""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TOY_LINES = 300


@pytest.mark.parametrize(
    ("reading", "most"), [("redo_?queue|redo queue", 8), ("subscription_?streams", 9), (r"\bpaused_s\b", 6)]
)
def test_one_reading_or_parameter_is_named_in_few_files(reading: str, most: int) -> None:
    """Code and statements; rules and help speak of it as often as they need."""
    words = re.compile(reading, re.IGNORECASE)
    files = [path for kind in ("*.py", "*.sql") for path in (ROOT / "app").rglob(kind)]
    named = sorted(path.relative_to(ROOT).as_posix() for path in files if words.search(path.read_text("utf-8")))
    assert len(named) <= most, "\n".join(named)


def test_the_toy_is_small() -> None:
    """The smallest system there can be: two settings, from discovery to the report."""
    lines = sum(path.read_text("utf-8").count("\n") for path in (ROOT / "tests" / "toy").rglob("*.py"))
    assert lines <= TOY_LINES


def test_no_method_of_a_system_only_hands_on() -> None:
    """A port is given the function itself (`staticmethod`), or has a default; repeating arguments says nothing."""
    found = [
        f"{path.relative_to(ROOT).as_posix()}: {owner.name}.{method.name}"
        for path in (ROOT / "app" / "systems").rglob("*.py")
        for owner in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(owner, ast.ClassDef)
        for method in owner.body
        if isinstance(method, ast.FunctionDef) and _only_hands_on(method)
    ]
    assert found == []


def _only_hands_on(method: ast.FunctionDef) -> bool:
    """Tell whether a method does no more than call a function of its module with its own arguments, in their order."""
    does = [line for line in method.body if not (isinstance(line, ast.Expr) and isinstance(line.value, ast.Constant))]
    taken = [argument.arg for argument in method.args.args[1:]]
    match does:
        case [
            ast.Return(
                value=ast.Call(func=ast.Name() | ast.Attribute(value=ast.Name()) as called, args=given, keywords=[])
            )
        ]:
            is_own = ast.unparse(called).startswith(("self.", "super"))
            return bool(taken) and not is_own and [ast.unparse(argument) for argument in given] == taken
    return False


def test_a_method_that_only_hands_on_is_seen() -> None:
    """Not one that adds, leaves out or turns something."""
    told = ast.parse(
        "class A:\n def f(self, x, y):\n  'Doc.'\n  return g(x, y)\n def h(self, x):\n  return g(x, 1)"
    ).body[0]
    assert isinstance(told, ast.ClassDef)
    assert [_only_hands_on(method) for method in told.body if isinstance(method, ast.FunctionDef)] == [True, False]
