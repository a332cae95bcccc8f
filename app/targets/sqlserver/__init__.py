"""SQL Server: transactional replication through named statements, on a server or on the lab.

A driver has one place to go: a `Transport` (see `session.py`) handed to `SqlServerTarget`; `odbc/` holds them.
"""

from app.targets.sqlserver.fake import Fault, FaultKind, open_lab
from app.targets.sqlserver.installed import installed_drivers
from app.targets.sqlserver.odbc import connect_lab, needs_password, open_server
from app.targets.sqlserver.target import ENGINE_ID, SqlServerTarget
from app.targets.sqlserver.ways import CONNECTION_WAYS
from app.targets.sqlserver.wire import serve_tds

__all__ = [
    "CONNECTION_WAYS",
    "ENGINE_ID",
    "Fault",
    "FaultKind",
    "SqlServerTarget",
    "connect_lab",
    "installed_drivers",
    "needs_password",
    "open_lab",
    "open_server",
    "serve_tds",
]
