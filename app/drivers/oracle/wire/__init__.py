"""The lab's Oracle databases for real drivers: TNS and TTC as release 12.1 speaks them, on loopback ports.

What is known of the bytes comes from what python-oracledb's thin mode sends, accepts and requires
(oracle/python-oracledb:src/oracledb/impl/thin); Oracle publishes neither protocol.
Statements of the catalogue run there, and scripts that this program prints.
"""

from app.drivers.oracle.wire.server import serve_lab

__all__ = ["serve_lab"]
