"""Faults of a lab's servers: each happens at the n-th call of a named statement."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Fault:
    """One fault at the `call`-th call (from 1) of `statement`; it happens once."""

    statement: str
    call: int
    kind: str


class FaultPlan:
    """Counts calls and tells which fault is due."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        self._faults = {(fault.statement, fault.call): fault.kind for fault in faults}
        self._calls: Counter[str] = Counter()

    def due(self, statement: str) -> str | None:
        """Count a call and return the fault it meets, if any."""
        if not self._faults:
            return None
        self._calls[statement] += 1
        return self._faults.get((statement, self._calls[statement]))
