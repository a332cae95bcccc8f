"""The lab behind Oracle's statements: answers exactly those of the catalogue, from the simulation."""

from app.targets.oracle.fake.faults import Fault, FaultKind
from app.targets.oracle.fake.open import open_lab

__all__ = ["Fault", "FaultKind", "open_lab"]
