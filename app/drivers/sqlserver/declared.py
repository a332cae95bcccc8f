"""Whose words the texts are that SQL Server's statements leave in a session: names unless headers say otherwise."""

from typing import Final

from app.domain.naming import HoldsByKey
from app.drivers.sqlserver.catalogue import catalogue

# Databases, logins and roles that every installation has.
PUBLIC_NAMES: Final = frozenset(
    {"distribution", "master", "msdb", "tempdb", "model", "dbo", "sa", "sys", "guest", "public", "all"}
)


def declared_parameters() -> HoldsByKey:
    """Return the declarations of each statement's parameters in its header; raises as `catalogue` does."""
    return {
        name: {parameter.name.removeprefix("@"): parameter.holds for parameter in statement.parameters}
        for name, statement in catalogue().items()
    }
