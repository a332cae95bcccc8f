"""The lab's SQL Server: answers the same named statements as a real one, from the simulation in `app.lab`."""

from app.targets.sqlserver.fake.faults import Fault, FaultKind
from app.targets.sqlserver.fake.open import connect_lab, open_lab
from app.targets.sqlserver.fake.serve import serve_lab

__all__ = ["Fault", "FaultKind", "connect_lab", "open_lab", "serve_lab"]
