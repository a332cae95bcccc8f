"""SQL Server through a driver: pyodbc with an installed ODBC driver, or mssql-python, behind the same Transport."""

from app.drivers.sqlserver.odbc.opening import connect_lab, open_server
from app.drivers.sqlserver.odbc.settings import needs_password

__all__ = ["connect_lab", "needs_password", "open_server"]
