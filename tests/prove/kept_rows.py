"""What simulations came to, kept beside the module that runs them: one JSON document a line."""

import json
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

P = TypeVar("P")


def read_rows(module: str) -> list[dict[str, Any]]:
    """Return the rows of a module, by its file."""
    return [json.loads(line) for line in _path_of(module).read_text(encoding="utf-8").splitlines()]


def write_rows(module: str, make: Callable[[P], dict[str, Any]], places: Sequence[P]) -> None:
    """Make the row of each place, on all processors, and write them."""
    with ProcessPoolExecutor() as pool:
        lines = [json.dumps(row, separators=(",", ":")) + "\n" for row in pool.map(make, places)]
    _path_of(module).write_text("".join(lines), encoding="utf-8", newline="\n")


def _path_of(module: str) -> Path:
    return Path(module).with_suffix(".jsonl")
