"""Files spoiled at random, and how each part of the program must take them: used, or refused in one clear sentence."""

import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st

from app.domain.errors import ReplituneError
from tests.prove.shares import PARTS

LONGEST_SENTENCE: Final = 600

Spoil = Callable[[bytes], bytes]


def _overwrite(place: float, content: bytes) -> Spoil:
    return lambda raw: raw[: (at := int(place * len(raw)))] + content + raw[at + len(content) :]


def _insert(place: float, content: bytes) -> Spoil:
    return lambda raw: raw[: (at := int(place * len(raw)))] + content + raw[at:]


def _cut(first: float, second: float) -> Spoil:
    start, end = sorted((first, second))
    return lambda raw: raw[: int(start * len(raw))] + raw[int(end * len(raw)) :]


_PLACES: Final = st.floats(0, 1, exclude_max=True)
_BYTES: Final = st.one_of(
    st.binary(min_size=1, max_size=64),
    st.sampled_from(
        (b"\0" * 512, b"\xff" * 100, b"A" * 4096, b'"', b"{", b"]", b"'", b"1e999", b"NaN", b"\xed\xa0\x80")
    ),
)
SPOILS: Final = st.lists(
    st.one_of(
        st.builds(_overwrite, _PLACES, _BYTES), st.builds(_insert, _PLACES, _BYTES), st.builds(_cut, _PLACES, _PLACES)
    ),
    min_size=1,
    max_size=4,
)
"""A few changes of a file's bytes: overwritten, inserted, cut out."""


def spoiled(raw: bytes, spoils: list[Spoil]) -> bytes:
    """Return a file's bytes after some changes."""
    for spoil in spoils:
        raw = spoil(raw)
    return raw


def refusal(work: Callable[[], object]) -> str:
    """Return the sentence a file was refused with, "" where it was used; anything else that is raised goes on."""
    try:
        work()
    except ReplituneError as error:
        sentence = str(error)
        assert 20 < len(sentence) < LONGEST_SENTENCE, sentence
        assert "\n" not in sentence
        return sentence
    return ""


def check_many(check: Callable[..., None], turn: int, *drawn: st.SearchStrategy[Any], examples: int = 800) -> None:
    """Check a ninth of so many examples, new ones where the run draws new ones.

    Args:
        turn: which ninth, from 0.
        drawn: what `check` is called with.
    """
    unhurried = settings(max_examples=examples // PARTS, deadline=None, suppress_health_check=[HealthCheck.too_slow])
    checked = unhurried(given(*drawn)(check))
    if settings.default is not None and settings.default.derandomize:
        checked = seed(turn)(checked)
    checked()


def repacked(path: Path, parts: dict[str, bytes]) -> Path:
    """Write an archive of some parts, packed like a bundle."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return path
