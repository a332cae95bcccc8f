"""Decimals that a text is filled with are written as the reader's language writes them: "16,1 s" in German.

Read from the source: a number with decimals that is written out before the text is filled goes through `local_number`;
one that the text writes itself ("{low:.3g}") needs nothing.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

import app

_ROOT = Path(app.__file__).parent


def test_decimals_put_into_texts_are_localised() -> None:
    """In every room."""
    bare = {
        f"{path.relative_to(_ROOT.parent)}:{line}"
        for path in sorted(_ROOT.rglob("*.py"))
        if ".format(" in (source := path.read_text(encoding="utf-8"))
        for line in _bare_decimals(ast.parse(source))
    }
    assert bare == set()


def test_a_bare_decimal_is_found() -> None:
    """One put in as an f-string; whole numbers and localised ones are not."""
    source = """
_("{a} {b} {c}").format(a=f"{x:.3g}", b=f"{x:,.0f}", c=local_number(f"{x:.1f}"))
_("{a}").format(a=f"{x:g} s")
"""
    assert list(_bare_decimals(ast.parse(source))) == [2, 3]


def _bare_decimals(tree: ast.Module) -> Iterator[int]:
    """Yield the lines of f-strings with decimals that a text is filled with as they are."""
    for call in ast.walk(tree):
        if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "format"):
            continue
        if not (isinstance(call.func.value, ast.Name) or _is_text(call.func.value)):
            continue
        for filled in (*call.args, *(keyword.value for keyword in call.keywords)):
            if isinstance(filled, ast.JoinedStr) and any(map(_has_decimals, filled.values)):
                yield filled.lineno


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "_"


def _has_decimals(part: ast.expr) -> bool:
    """Tell whether a part of an f-string writes decimals: ".1f", ".3g", "g", but not ".0f"."""
    if not (isinstance(part, ast.FormattedValue) and isinstance(part.format_spec, ast.JoinedStr)):
        return False
    spec = "".join(str(value.value) for value in part.format_spec.values if isinstance(value, ast.Constant))
    return spec.endswith(("f", "g", "e")) and not spec.endswith(".0f")
