"""The documents behind the findings, each numbered and listed once for the whole report."""

from collections.abc import Sequence
from itertools import takewhile

from app.domain.finding import Finding, Source
from app.foundation.texts import _
from app.reporting.blocks import Block, Fields, Heading


class SourceList:
    """Numbers every document in the order the findings name them; sections of one document share its number."""

    def __init__(self, findings: Sequence[Finding]) -> None:
        self._cited: dict[str, list[str]] = {}
        for source in dict.fromkeys(source for finding in findings for source in finding.sources):
            self._cited.setdefault(_document(source), []).append(source.title)
        self._numbers = {document: number for number, document in enumerate(self._cited, start=1)}

    def number_of(self, source: Source) -> int:
        """Return the number of a source's document; raises KeyError for one that no finding names."""
        return self._numbers[_document(source)]

    def blocks(self) -> list[Block]:
        """Return the list, each document with its address, [] where no finding refers to a document."""
        if not self._numbers:
            return []
        pairs = tuple(
            (f"[{self._numbers[document]}]", _title(titles) if document in titles else f"{_title(titles)}, {document}")
            for document, titles in self._cited.items()
        )
        return [Heading(_("Sources"), minor=True), Fields(pairs, columns=1)]


def _document(source: Source) -> str:
    """Return the key of a source's document: its address, or its title where it has none."""
    return source.url or source.title


def _title(titles: Sequence[str]) -> str:
    """Return a document's title with each of its sections; the part that all titles share is written once."""
    parts = [title.split(", ") for title in titles]
    shared = sum(1 for _each in takewhile(lambda at: len(set(at)) == 1, zip(*parts, strict=False)))
    sections = [", ".join(told[shared:]) for told in parts if told[shared:]]
    return ", ".join([*parts[0][:shared], *(["; ".join(sections)] if sections else [])])
