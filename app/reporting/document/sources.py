"""The documents behind the findings, numbered once for the whole report."""

from collections.abc import Sequence

from app.domain.finding import Finding, Source
from app.foundation.texts import _
from app.reporting.blocks import Block, Column, Heading, Table


class SourceList:
    """Numbers every source in the order the findings name them."""

    def __init__(self, findings: Sequence[Finding]) -> None:
        sources = dict.fromkeys(source for finding in findings for source in finding.sources)
        self._numbers = {source: number for number, source in enumerate(sources, start=1)}

    def number_of(self, source: Source) -> int:
        """Return a source's number; raises KeyError for one that no finding names."""
        return self._numbers[source]

    def blocks(self) -> list[Block]:
        """Return the list with addresses, [] where no finding refers to a document."""
        if not self._numbers:
            return []
        columns = (Column("", "right"), Column(_("Document"), width=1), Column(_("Address"), width=1.3))
        rows = tuple((f"[{number}]", source.title, source.url or "–") for source, number in self._numbers.items())
        return [Heading(_("Sources"), minor=True), Table(columns, rows, small=True)]
