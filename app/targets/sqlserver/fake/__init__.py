"""The lab's SQL Server: answers the same named statements as a real one, from the simulation in `app.lab`."""

from app.targets.sqlserver.fake.faults import Fault, FaultKind
from app.targets.sqlserver.fake.open import open_lab

__all__ = ["Fault", "FaultKind", "open_lab"]
