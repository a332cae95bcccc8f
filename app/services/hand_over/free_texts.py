"""Free texts in files that leave with names replaced: a person decides each note, tag, title and foreword as a whole.

No list of words tells a name: "mr huber" and "acme gmbh" are written in small letters, and many a name is a word of the
language as well. So a text stays back until somebody has seen it, or nothing is left in it that a person wrote.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain
from typing import Final

from app.domain.errors import BadInput
from app.domain.own_words import NUMBERS
from app.domain.session import SessionRecord
from app.foundation.catalogue import read_catalogue
from app.foundation.paths import resource_path
from app.foundation.texts import _
from app.lab.scenario_file import shipped_scenarios
from app.reporting.redact.redaction import Redactor
from app.reporting.request import FamilyTexts
from app.store import Remark, Tag

_LANGUAGES: Final = ("de",)
_SHOWN: Final = 12
_SHOWN_CHARACTERS: Final = 60
_CUT: Final = ("…", "...")
_LEAST_OF_A_BEGINNING: Final = 8
# What the program calls a session by itself, its names left out.
_OWN_TITLES: Final = ("{family} on {target}", "Guided session on the lab", "Measurements from {file}")


@dataclass(frozen=True)
class NameChoices:
    """A person's decisions on names that no record declares.

    Attributes:
        hide: names to replace wherever they stand.
        keep: free texts that stay, as they are written or as they read with names replaced, or how one begins, with "…"
            behind it; None for all.
    """

    hide: tuple[str, ...] = ()
    keep: tuple[str, ...] | None = ()

    def __add__(self, later: "NameChoices") -> "NameChoices":
        """Return both decisions, the later ones last."""
        keep = None if self.keep is None or later.keep is None else (*self.keep, *later.keep)
        return NameChoices((*self.hide, *later.hide), keep)


NO_CHOICES: Final = NameChoices()


class UndecidedTexts(BadInput):
    """Notes, tags, titles and the like that nobody has decided on; nothing was written.

    Attributes:
        texts: each once, as they are written.
    """

    def __init__(self, texts: Sequence[str], redactor: Redactor) -> None:
        self.texts = tuple(texts)
        shown = ", ".join(f'"{_cut(redactor.text(text))}"' for text in self.texts[:_SHOWN])
        more = _(" and {count} more").format(count=len(texts) - _SHOWN) if len(texts) > _SHOWN else ""
        super().__init__(
            _(
                "these notes, tags, titles or words of your own may name somebody: {texts}{more}; replace a name in "
                "them with --hide NAME, hand one on as it is shown here with --keep TEXT, or all with --keep-rest"
            ).format(texts=shown, more=more)
        )


def free_texts(session: SessionRecord, remarks: Iterable[Remark] = (), tags: Iterable[Tag] = ()) -> tuple[str, ...]:
    """Return the texts people wrote in a session, each once; `session.own_words` may hold its notes, too."""
    own = session.own_words
    texts = chain(
        (session.title, *(text for place, text in own.by_place().items() if place not in NUMBERS), *own.notes),
        session.notes if session.imported_from else (),  # of a file that somebody made
        (remark.text for remark in remarks),
        (tag.name for tag in tags),
    )
    return tuple(dict.fromkeys(text for text in texts if text.strip()))


def check_free_texts(
    texts: Iterable[str], redactor: Redactor, choices: NameChoices, families: Iterable[FamilyTexts]
) -> None:
    """Look through free texts before they leave with names replaced.

    Args:
        redactor: replaces the names that are known, those to hide among them.

    Raises:
        UndecidedTexts: some are left to decide.
    """
    if choices.keep is None:
        return
    stands_for = (*redactor.words, *(family.title for family in families))
    ours = "|".join(rf"\b{re.escape(word)}(?!\w)" for word in sorted(stands_for, key=len, reverse=True))
    pattern = re.compile(f"{ours}|{_lab()}" if ours else _lab(), re.IGNORECASE)
    kept = [_plain(text) for text in choices.keep]
    left = [text for text in texts if not _is_decided((text, redactor.text(text)), pattern, kept)]
    if left:
        raise UndecidedTexts(left, redactor)


def _is_decided(spellings: tuple[str, str], ours: re.Pattern[str], kept: Sequence[str]) -> bool:
    _written, shown = spellings
    rest = _plain(ours.sub(" ", shown))
    if not re.search(r"\w", rest) or rest in _own_titles():
        return True
    return any(_fits(keep, _plain(spelling)) for keep in kept for spelling in spellings)


def _fits(keep: str, text: str) -> bool:
    beginning = next((keep.removesuffix(cut).rstrip() for cut in _CUT if keep.endswith(cut)), "")
    return keep == text or (len(beginning) >= _LEAST_OF_A_BEGINNING and text.startswith(beginning))


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


def _cut(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _SHOWN_CHARACTERS else f"{line[:_SHOWN_CHARACTERS].rstrip()}…"


@cache
def _own_titles() -> frozenset[str]:
    """Return the program's own titles without their names, in every language it speaks."""
    texts = [*_OWN_TITLES]
    for language in _LANGUAGES:
        catalogue = read_catalogue(resource_path("locale", language, "LC_MESSAGES", "replitune.po"))
        texts += [catalogue[title] for title in _OWN_TITLES if title in catalogue]
    return frozenset(_plain(re.sub(_lab(), " ", re.sub(r"\{\w+\}", " ", text))) for text in texts)


@cache
def _lab() -> str:
    """Return an expression for the program's own labs; of the scenario of somebody else the path is a name."""
    names = "|".join(map(re.escape, shipped_scenarios()))
    return rf"\blab(?::(?:{names}))?(?![\w:@./\\-])"
