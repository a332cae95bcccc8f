"""Counts that may run into the thousands are told with separators: "9,000 + 9,000 trials", not "9000 + 9000 trials".

Read from the source: a text that counts trials, values, rows and their like is filled with a number that is grouped by
`value_text`, `number` or a "," in its place, or by whoever handed it over as text.
"""

import ast
import re
import string
from collections.abc import Iterator, Mapping
from pathlib import Path

import app

_COUNTED = "|".join(
    [
        "trials",
        "values",
        "measurements",
        "runs",
        "rows",
        "lines",
        "points",
        "blocks",
        "inserts",
        "settings",
        "comparisons",
        "verdicts",
        "statements",
    ]
)
_PLACES = re.compile(
    rf"\{{(\w+)\}}(?=(?: \+ \{{\w+\}})?(?: of (?:the )?\{{\w+\}})?(?: (?:more|further|open|other|against \{{\w+\}}|"
    rf"exploring|confirming|confirmation|reading|trials_of_it))* (?:{_COUNTED})\b)"
)
_TITLES = re.compile(rf"(?:{_COUNTED})\b[^.{{}}]*[:(] ?(?:\{{\w+\}} of )?\{{(\w+)\}}", re.IGNORECASE)
_COUNTING = {"len", "sum", "count", "round"}
_ROOT = Path(app.__file__).parent


def test_counts_of_thousands_are_grouped() -> None:
    """In every room."""
    bare = {
        f"{path.relative_to(_ROOT.parent)}:{line}: {text}"
        for path in sorted(_ROOT.rglob("*.py"))
        if "format" in (source := path.read_text(encoding="utf-8"))  # else no text is filled
        for line, text in _bare_counts(ast.parse(source))
    }
    assert bare == set()


def test_what_is_not_grouped_is_found() -> None:
    """A number put into such a text as it is, also through a name or an attribute."""
    source = """
def told(trials, n: int):
    words = _("{n} trials") if n else _("Comparisons: {open} of {count}")
    return words.format(n=n, open=sum(trials), count=len(trials)) + _("{first} + {second} trials").format(
        first=trials.count, second=value_text(n)
    )
"""
    assert sorted(text for _line, text in _bare_counts(ast.parse(source))) == ["count", "first", "n", "open"]


def _bare_counts(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Return the places of texts that are filled with a bare number, by line and name."""
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef):
            calls = [
                (call, call.func)
                for call in ast.walk(function)
                if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "format"
            ]
            if calls:
                texts, numbers = _texts(function), _numbers(function)
                for call, filling in calls:
                    said = [*_constants(filling.value), *texts.get(_name(filling.value), ())]
                    wanted = {place for text in said for place in _grouped_places(text)}
                    filled = {word.arg: word.value for word in call.keywords if word.arg in wanted}
                    yield from sorted((call.lineno, name) for name, v in filled.items() if _is_number(v, numbers))


def _grouped_places(text: str) -> Iterator[str]:
    """Return the places of a text that hold a count of many and do not group it themselves."""
    if "{" not in text:
        return
    try:
        specs = {name: spec or "" for _text, name, spec, _kind in string.Formatter().parse(text) if name}
    except ValueError:
        return
    bare = re.sub(r"\{(\w+):[^{}]*\}", r"{\1}", text)
    found = {*_PLACES.findall(bare), *_TITLES.findall(bare)}
    for first, second in re.findall(r"\{(\w+)\} (?:of|of the|\+|against) \{(\w+)\}", bare):
        found |= {first, second} if found & {first, second} else set()
    yield from (name for name in found if "," not in specs.get(name, ","))


def _texts(function: ast.FunctionDef) -> Mapping[str, list[str]]:
    made: dict[str, list[str]] = {}
    for each in ast.walk(function):
        if isinstance(each, ast.Assign):
            for target in each.targets:
                made.setdefault(_name(target), []).extend(_constants(each.value))
    return made


def _numbers(function: ast.FunctionDef) -> set[str]:
    """Return the names a function knows as whole numbers."""
    arguments = (*function.args.args, *function.args.kwonlyargs)
    made = {a.arg for a in arguments if a.annotation is not None and ast.unparse(a.annotation) == "int"}
    for each in ast.walk(function):
        if isinstance(each, ast.Assign) and _is_number(each.value, made):
            made |= {_name(target) for target in each.targets}
    return made - {""}


def _is_number(value: ast.expr, numbers: set[str]) -> bool:
    match value:
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
            return name in _COUNTING
        case ast.Name(id=name):
            return name in numbers
        case ast.Attribute(attr=name):
            return name.rpartition("_")[2] in {"count", "trials", "blocks", "needed", "rows", "order", "settings"}
        case ast.BinOp(left=left, right=right):
            return _is_number(left, numbers) or _is_number(right, numbers)
        case _:
            return False


def _constants(tree: ast.expr) -> list[str]:
    return [each.value for each in ast.walk(tree) if isinstance(each, ast.Constant) and isinstance(each.value, str)]


def _name(tree: ast.expr) -> str:
    return tree.id if isinstance(tree, ast.Name) else ""
