"""What a process of the tests reads, draws and sets once, however often it is asked for the same."""

import hashlib
import pickle
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Final
from unittest.mock import patch

from app import advice
from app.advice import load
from app.advice.rule import Pack
from app.charts import renderer
from app.charts.theme import Theme
from app.domain.fact_kind import FactKind
from app.domain.facts import FactKinds
from app.domain.plot import Figure
from app.foundation import typesetting
from app.foundation.paths import program_root

_DRAW: Final = renderer.render_figure


def share_packs() -> None:
    """Have whoever loads the rule packs of folders in the checkout take those loaded before: nothing changes them."""
    read, checkout = load.load_packs, program_root()

    @cache
    def read_once(
        roots: tuple[Path, ...],
        families: tuple[str, ...],
        kinds: tuple[tuple[str, FactKind], ...],
        shared: tuple[Path, ...],
    ) -> tuple[Pack, ...]:
        return read(roots, families, dict(kinds), shared=shared)

    def load_packs(
        roots: Iterable[Path], families: Collection[str], kinds: FactKinds, *, shared: Iterable[Path] = ()
    ) -> tuple[Pack, ...]:
        roots, shared = tuple(roots), tuple(shared)
        if not all(folder.is_relative_to(checkout) for folder in (*roots, *shared)):
            return read(roots, families, kinds, shared=shared)
        return read_once(roots, tuple(families), tuple(kinds.items()), shared)

    advice.load_packs = load_packs


def share_figures() -> None:
    """Have whoever draws the same plot again get the same figure: it follows from the plot to the byte."""
    drawn: dict[bytes, bytes] = {}

    def draw_once(plot: Figure, theme: Theme) -> bytes:
        key = _hash((plot, theme))
        if key not in drawn:
            drawn[key] = _DRAW(plot, theme)
        return drawn[key]

    renderer.render_figure = draw_once


def share_documents() -> None:
    """Have whoever sets the same document again get the same files, without a process for it: they follow from it."""
    run, made = typesetting._run, dict[bytes, dict[str, bytes]]()

    def set_once(arguments: Sequence[str], environment: Mapping[str, str]) -> int:
        folder = Path(arguments[-1])
        out = folder / typesetting._MADE
        key = _hash(
            [(str(path.relative_to(folder)), path.read_bytes()) for path in _files(folder) if path.parent != out]
        )
        if key in made:
            for name, content in made[key].items():
                (out / name).write_bytes(content)
            return 0
        ended = run(arguments, environment)
        if ended == 0 and not (folder / typesetting._REFUSAL).exists():
            made[key] = {path.name: path.read_bytes() for path in _files(out)}
        return ended

    typesetting._run = set_once


def _hash(files: object) -> bytes:
    return hashlib.sha256(pickle.dumps(files)).digest()


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


@contextmanager
def drawn_anew() -> Iterator[None]:
    """Draw each figure, where drawing is what is tested."""
    with patch.object(renderer, "render_figure", _DRAW):
        yield
