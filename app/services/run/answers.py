"""Counts the answers of servers while a job goes on, so that a window can tell silence from patience."""

from app.domain.ports import StatementSink
from app.domain.statement import StatementRecord
from app.domain.target import Target
from app.services.ports import TargetOpener


class Answers:
    """Opens targets, and counts the statements their servers answered; counted on one thread, read on any.

    Attributes:
        count: so far; one that failed is none.
    """

    def __init__(self, open_target: TargetOpener) -> None:
        self._open_target = open_target
        self.count = 0

    def open(self, target: str, seed: int, on_statement: StatementSink, /) -> Target:
        """Open a target; raises as its opener does."""

        def note(record: StatementRecord) -> None:
            if not record.error:
                self.count += 1
            on_statement(record)

        return self._open_target(target, seed, note)
