"""Which statements of an engine the program can send: found in its source, by names, from outside inwards.

A function counts as used once code in use names it, whatever object it belongs to; so a statement may pass that is idle
behind a name others share, but none fails that is sent.
"""

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import app
from app.foundation.rows import Row
from tests.labs import SYSTEMS

APP = Path(app.__file__).parent
DRIVERS = APP / "drivers"
# The lab answers statements; that it knows one does not mean that anybody sends it.
ANSWERING = ("lab", "lab_server", "wire")
# What of a system's folder sends statements.
_SENDING = ("server", "seeding_server", "rights.py", "server.py", "changes.py", "system.py")
_NAME = re.compile(r"[a-z0-9_]+")
READING_A_ROW = {name for name in dir(Row) if not name.startswith("_")}


@dataclass(frozen=True)
class Piece:
    """A function, a constant or the other statements of a module, with what it names.

    Attributes:
        names: by which others use it; none for what runs when the module is loaded.
        used: names it uses.
        texts: its texts as patterns, but for names of columns.
    """

    path: Path
    names: frozenset[str]
    used: frozenset[str]
    texts: frozenset[str]


def sent_by(engine: str) -> set[str]:
    """Return patterns of the texts in an engine's code that the program reaches."""
    rooms = (DRIVERS / engine, *(APP / "systems" / s.system_id for s in SYSTEMS.values() if s.engine == engine))
    own = (piece for piece in _reached() if is_inside(piece.path) and any(piece.path.is_relative_to(r) for r in rooms))
    return {text for piece in own for text in piece.texts}


def is_inside(path: Path) -> bool:
    """Tell whether a module sends statements, or is there for those that do."""
    return path.is_relative_to(DRIVERS) or ("systems" in path.parts and bool(set(_SENDING) & set(path.parts)))


def is_sent(statement: str, patterns: Iterable[str]) -> bool:
    """Tell whether a statement's name is one of the texts."""
    return any(re.fullmatch(pattern, statement) for pattern in patterns)


@cache
def _reached() -> tuple[Piece, ...]:
    paths = (path for path in sorted(APP.rglob("*.py")) if not set(ANSWERING) & set(path.relative_to(APP).parts))
    return reached([piece for path in paths for piece in pieces_of(path, path.read_text(encoding="utf-8"))])


def reached(pieces: list[Piece]) -> tuple[Piece, ...]:
    """Return what is outside, what runs by itself, and what these name, directly or through others."""
    found = [piece for piece in pieces if not piece.names or not is_inside(piece.path)]
    waiting = [piece for piece in pieces if piece.names and is_inside(piece.path)]
    used = {name for piece in found for name in piece.used}
    while more := [piece for piece in waiting if piece.names & used]:
        found += more
        waiting = [piece for piece in waiting if not piece.names & used]
        used |= {name for piece in more for name in piece.used}
    return tuple(found)


def pieces_of(path: Path, content: str) -> Iterator[Piece]:
    """Cut a module into its pieces."""
    yield from _cut(path, ast.parse(content).body)


def _cut(path: Path, body: list[ast.stmt]) -> Iterator[Piece]:
    for part in body:
        if isinstance(part, ast.ClassDef):
            yield _piece(path, (), [*part.bases, *part.decorator_list])
            yield from _cut(path, part.body)
        elif isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef):
            yield _piece(path, () if part.name.startswith("__") else (part.name,), [part])
        elif isinstance(part, ast.Assign | ast.AnnAssign):
            named = part.targets if isinstance(part, ast.Assign) else [part.target]
            yield _piece(path, [name.id for name in named if isinstance(name, ast.Name)], [part])
        else:
            yield _piece(path, (), [part])


def _piece(path: Path, names: Iterable[str], parts: Iterable[ast.AST]) -> Piece:
    nodes = [node for part in parts for node in ast.walk(part)]
    columns = {id(node.args[0]) for node in nodes if isinstance(node, ast.Call) and _reads_a_row(node)}
    used = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    used |= {node.attr for node in nodes if isinstance(node, ast.Attribute)}
    texts = {node.value for node in nodes if isinstance(node, ast.Constant) and id(node) not in columns}
    patterns = {re.escape(text) for text in texts if isinstance(text, str) and _NAME.fullmatch(text)}
    patterns |= {made for node in nodes if isinstance(node, ast.JoinedStr) for made in _pattern_of(node)}
    return Piece(path, frozenset(names), frozenset(used), frozenset(patterns))


def _reads_a_row(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Attribute) and call.func.attr in READING_A_ROW and bool(call.args)


def _pattern_of(text: ast.JoinedStr) -> Iterator[str]:
    """Return what a text with gaps may become, where its fixed parts can be parts of a name."""
    fixed = [str(part.value) for part in text.values if isinstance(part, ast.Constant)]
    if fixed and all(_NAME.fullmatch(part) for part in fixed) and any(part.strip("_") for part in fixed):
        yield "".join(re.escape(str(p.value)) if isinstance(p, ast.Constant) else r"\w+" for p in text.values)
