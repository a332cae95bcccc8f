"""Free texts of a bundle whose names are replaced: what in them may still name somebody, for a person to decide."""

import re
from collections.abc import Collection, Sequence
from functools import cache
from pathlib import Path
from typing import Final

from app.domain.errors import BadInput
from app.foundation.catalogue import read_catalogue
from app.foundation.paths import resource_path
from app.foundation.texts import _
from app.reporting.redact.free_text import doubtful_words, words_of
from app.store import open_for_reading

_LANGUAGES: Final = ("de",)
_SHOWN: Final = 12
_FORMS_OF_ADDRESS: Final = frozenset({"mr", "mrs", "ms", "dr", "herr", "frau", "tel"})


class UndecidedWords(BadInput):
    """Words of notes, tags and titles that may be a name, an address or a login; nothing was written.

    Attributes:
        words: each once, as they are written.
    """

    def __init__(self, words: Sequence[str]) -> None:
        self.words = tuple(words)
        shown = ", ".join(f'"{word}"' for word in self.words[:_SHOWN])
        more = _(" and {count} more").format(count=len(words) - _SHOWN) if len(words) > _SHOWN else ""
        super().__init__(
            _(
                "notes, tags or titles hold words that may name somebody: {words}{more}; replace one with --hide WORD, "
                "leave one as it is with --keep WORD, or all that are not replaced with --keep-rest"
            ).format(words=shown, more=more)
        )


def check_free_texts(session_file: Path, replaced_by: Collection[str], keep: Collection[str]) -> None:
    """Look through the free texts of a session file whose known names are replaced already.

    Args:
        replaced_by: the words that stand for names.
        keep: words a person decided to leave as they are, whatever their case.

    Raises:
        UndecidedWords: some are left to decide.
    """
    stands_for = sorted(replaced_by, key=len, reverse=True)
    pattern = re.compile("|".join(rf"\b{re.escape(word)}\b" for word in stands_for)) if stands_for else None
    texts = [pattern.sub(" ", text) if pattern else text for text in _free_texts(session_file)]
    kept = {word.strip().casefold() for word in keep}
    left = [word for word in doubtful_words(texts, _ordinary_words()) if word.casefold() not in kept]
    if left:
        raise UndecidedWords(left)


def _free_texts(session_file: Path) -> list[str]:
    with open_for_reading(session_file) as reader:
        headers = [overview.header for overview in reader.list_sessions()]
        remarks = [remark.text for header in headers for remark in reader.read_remarks(header.session_id)]
        tags = [tag.name for header in headers for tag in reader.read_tags(header.session_id)]
        own = [reader.read_own_words(header.session_id) for header in headers]
    return [*(header.title for header in headers), *remarks, *tags, *(text for words in own for text in words.values())]


@cache
def _ordinary_words() -> frozenset[str]:
    """Return the words of the program's own texts, in every language it speaks: a consultant's notes are of the same.

    Of the help only what is written in lower case, since its examples name people and servers.
    """
    texts: list[str] = []
    for language in _LANGUAGES:
        catalogue = read_catalogue(resource_path("locale", language, "LC_MESSAGES", "replitune.po"))
        texts += [*catalogue, *catalogue.values()]
    words = {word for text in texts for word in words_of(text)}
    for page in sorted(resource_path("help").rglob("*.md")):
        words |= words_of(re.sub(r"\b[^\W\d_a-z][\w-]*", " ", page.read_text(encoding="utf-8")))
    return frozenset(words) | _FORMS_OF_ADDRESS
