"""The lab's SQL Servers for real drivers: TDS 7.4 (MS-TDS) on loopback ports, statements of the catalogue only."""

from app.targets.sqlserver.wire.server import serve_tds

__all__ = ["serve_tds"]
