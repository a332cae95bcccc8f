"""The cost of a look for the servers."""

from dataclasses import dataclass, field

from app.domain.statement import StatementRecord


@dataclass
class LookCost:
    """Counts statements sent; `add` is the sink of a target's statements."""

    records: list[StatementRecord] = field(default_factory=list)

    def add(self, record: StatementRecord) -> None:
        """Count one statement."""
        self.records.append(record)

    @property
    def statements(self) -> int:
        """How many were sent."""
        return len(self.records)

    @property
    def statement_ms(self) -> float:
        """How long they took together, milliseconds."""
        return sum(record.duration_ms for record in self.records)
