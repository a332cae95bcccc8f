"""What the login of this target may do, and the GRANT script for the rest."""

from app.targets.sqlserver.rights.adapter import read_rights

__all__ = ["read_rights"]
