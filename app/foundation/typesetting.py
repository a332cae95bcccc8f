"""Documents set by Typst, in a process of their own: a fault of a template or a logo ends with it.

A text doubled 40 times takes more memory than there is, and 100,000 nested elements of an SVG more stack; Typst ends
its process then, and no exception tells of it. The program that asked goes on, and a run in it. Both sides see one
folder: the document, the order, and what was made of it.
"""

import json
import os
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, cast

from app.foundation.own_process import start_own
from app.foundation.paths import resource_path
from app.foundation.process_limits import limit_this_process

COMMAND: Final = "--typeset"
"""First argument of a program that is started to set one document; the second is the folder."""

MOST_MEMORY_BYTES: Final = 900_000_000
"""Of address space; a report of 30 findings takes 0.35 GB, most of it the program itself."""
_PROCESSOR_S: Final = 20  # a report of 30 findings takes under one
_PATIENCE_S: Final = 300.0  # for a process that waits instead of working

DOCUMENT: Final = "document"
"""Folder of the document below the order's, with `main.typ` in it; a document reads nothing outside."""
_ORDER: Final = "order.json"
_REFUSAL: Final = "refusal.json"
_TOO_MUCH: Final = 70
_MADE: Final = "made"

# Packages are fetched through a proxy nobody listens at (port 9 is "discard"), whatever the computer's own is, so that
# a template gets to no network; fewer threads reserve less memory, and nobody reads where Rust
# ran out of it.
_CLOSED: Final = "http://127.0.0.1:9"
_PROXIES: Final = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy")
_EXCEPTIONS: Final = frozenset({"NO_PROXY"})
_FRUGAL: Final = {"MALLOC_ARENA_MAX": "2", "RAYON_NUM_THREADS": "2", "RUST_BACKTRACE": "0"}


@dataclass(frozen=True)
class Order:
    """How a document is set.

    Attributes:
        standards: of the PDF, as Typst names them.
        pixels_per_inch: of a picture of each page; None makes one PDF.
        use_system_fonts: whether characters the shipped fonts lack may come from the computer's.
    """

    standards: tuple[str, ...] = ()
    pixels_per_inch: float | None = None
    use_system_fonts: bool = False


class DocumentRefused(ValueError):
    """Typst refuses a document; the text is its own.

    Attributes:
        diagnostic: where the problem stands, as Typst draws it.
    """

    def __init__(self, message: str, diagnostic: str) -> None:
        super().__init__(message)
        self.diagnostic = diagnostic


class DocumentTooMuch(Exception):
    """Setting a document took more memory, stack or time than it may, and was ended."""


def typeset(folder: Path, order: Order) -> tuple[bytes, ...]:
    """Return the files made of the document below a folder: one PDF, or a PNG for each page.

    Raises:
        DocumentRefused: Typst refuses it.
        DocumentTooMuch: it takes more than a document may.
        RuntimeError: a mistake of the program.
        OSError: the process cannot be started.
    """
    made = folder / _MADE
    made.mkdir(exist_ok=True)
    (folder / _ORDER).write_text(json.dumps(vars(order)), encoding="utf-8")
    ended = _run([COMMAND, str(folder)], _environment(os.environ))
    refusal = folder / _REFUSAL
    if refusal.is_file():
        told = json.loads(refusal.read_text(encoding="utf-8"))
        refusal.unlink()
        raise DocumentRefused(told["message"], told["diagnostic"])
    if ended == 1:  # how Python ends after a mistake; a process that is ended by its limits gets no say in it
        raise RuntimeError("the process that sets documents failed")
    if ended != 0:
        raise DocumentTooMuch
    return tuple(path.read_bytes() for path in sorted(made.iterdir()))


def serve(folder: Path) -> int:
    """Set the document of a folder, in the process that was started for it; return its exit code."""
    import typst

    with suppress(OSError):  # where the system knows no such limits, a document still ends with its process alone
        limit_this_process(MOST_MEMORY_BYTES, _PROCESSOR_S)
    told: dict[str, Any] = json.loads((folder / _ORDER).read_text(encoding="utf-8"))
    order = Order(tuple(told["standards"]), told["pixels_per_inch"], told["use_system_fonts"])
    packages = str(folder / "packages")
    try:
        made = typst.compile(
            str(folder / DOCUMENT / "main.typ"),
            root=str(folder / DOCUMENT),
            font_paths=[str(resource_path("fonts"))],
            ignore_system_fonts=not order.use_system_fonts,
            format="pdf" if order.pixels_per_inch is None else "png",
            ppi=order.pixels_per_inch,
            pdf_standards=cast(Any, list(order.standards) or None),
            package_path=packages,
            package_cache_path=packages,
        )
    except typst.TypstError as problem:
        _write_refusal(folder, str(problem), getattr(problem, "diagnostic", ""))
        return 0
    except MemoryError:
        return _TOO_MUCH
    files = cast("bytes | list[bytes]", made)  # a list where there are several pictures, whatever its stub says
    for number, content in enumerate(files if isinstance(files, list) else [files]):
        (folder / _MADE / f"{number:05}").write_bytes(content)
    return 0


def _write_refusal(folder: Path, message: str, diagnostic: str) -> None:
    text = json.dumps({"message": message, "diagnostic": diagnostic})
    (folder / _REFUSAL).write_text(text, encoding="utf-8")


def _environment(environment: Mapping[str, str]) -> dict[str, str]:
    kept = {name: value for name, value in environment.items() if name.upper() not in _EXCEPTIONS}
    return {**kept, **dict.fromkeys(_PROXIES, _CLOSED), **_FRUGAL}


def _run(arguments: Sequence[str], environment: Mapping[str, str]) -> int:
    """Run a process to its end and return its exit code; it ends with whoever waits for it."""
    process = start_own(arguments, environment)
    try:
        return process.wait(_PATIENCE_S)
    except subprocess.TimeoutExpired:
        return -1
    finally:
        process.kill()
        process.wait()
