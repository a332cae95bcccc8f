"""SQL Server: transactional replication through named statements, on a server or on the lab.

A driver has one place to go: a `Transport` (see `session.py`) handed to `SqlServerTarget`.
"""

from app.targets.sqlserver.fake import Fault, FaultKind, connect_lab, open_lab, serve_lab
from app.targets.sqlserver.target import ENGINE_ID, SqlServerTarget

__all__ = ["ENGINE_ID", "Fault", "FaultKind", "SqlServerTarget", "connect_lab", "open_lab", "serve_lab"]
