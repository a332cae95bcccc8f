"""The lab's SQL Servers for real drivers: TDS 7.4 (MS-TDS) on loopback ports, statements of the catalogue only."""

from app.drivers.sqlserver.wire.server import serve_lab

__all__ = ["serve_lab"]
