"""SQL Server: named statements over ODBC or Microsoft's own library, and a server of the same protocol for the lab.

A driver has one place to go: a `Transport` (see `session.py`) handed to `SqlServerConnection`; `odbc/` holds them.
"""

from app.drivers.sqlserver.connection import ENGINE_ID
from app.drivers.sqlserver.connection_form import CONNECTION_WAYS
from app.drivers.sqlserver.installed import installed_drivers
from app.drivers.sqlserver.odbc import connect_lab, needs_password, open_server
from app.drivers.sqlserver.wire import serve_lab

__all__ = [
    "CONNECTION_WAYS",
    "ENGINE_ID",
    "connect_lab",
    "installed_drivers",
    "needs_password",
    "open_server",
    "serve_lab",
]
