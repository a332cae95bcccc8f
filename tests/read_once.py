"""The shipped rule packs are read once in a process of the tests, however often the program is built there."""

from collections.abc import Collection
from functools import cache
from pathlib import Path

from app.advice import load
from app.advice.rule import Pack
from app.domain.fact_kind import FactKind
from app.domain.facts import FactKinds
from app.foundation.paths import rules_root


def share_packs() -> None:
    """Have whoever loads a shipped pack that was loaded before take that one: nothing changes a pack."""
    read, shipped = load._load_pack, rules_root()

    @cache
    def read_once(path: Path, families: tuple[str, ...], kinds: tuple[tuple[str, FactKind], ...]) -> Pack:
        return read(path, families, dict(kinds))

    def load_pack(path: Path, families: Collection[str], kinds: FactKinds) -> Pack:
        if not path.is_relative_to(shipped):
            return read(path, families, kinds)
        return read_once(path, tuple(families), tuple(kinds.items()))

    load._load_pack = load_pack
