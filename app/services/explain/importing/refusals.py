"""All rows of a file that cannot be read, told together."""

from typing import Final

from app.domain.errors import BadInput
from app.foundation.texts import _
from app.services.explain.importing.source_text import SourceText

MOST_TOLD: Final = 20
"""Sentences on what is wrong in a file; a person who mended so many looks again."""


class RowsRefused(BadInput):
    """Rows of a file cannot be read; as a text it is the first of its sentences.

    Attributes:
        sentences: what is wrong, each once, in the file's order.
    """

    def __init__(self, sentences: tuple[str, ...]) -> None:
        super().__init__(sentences[0])
        self.sentences = sentences


class Refusals:
    """Collects what is wrong with the rows of a file; what is wrong with many in the same way is said once."""

    def __init__(self, source: SourceText) -> None:
        self._source = source
        self._rows_by_kind: dict[str, list[str]] = {}

    def add(self, row: int, error: BadInput) -> None:
        """Keep what a row is refused for, once."""
        kind = str(error).replace(f" {self._source.row_name(row)}", "", 1)
        told = self._rows_by_kind.setdefault(kind, [])
        if str(error) not in told[-1:]:
            told.append(str(error))

    def tell(self) -> None:
        """Raise RowsRefused where there is something to tell."""
        if not self._rows_by_kind:
            return
        alike = list(self._rows_by_kind.values())[:MOST_TOLD]
        raise RowsRefused(tuple(first + _more(len(others)) for first, *others in alike))


def _more(rows: int) -> str:
    """Return how many rows are wrong in the same way, "" for none."""
    if not rows:
        return ""
    return _(" (1 more row alike)") if rows == 1 else _(" ({count} more rows alike)").format(count=rows)
