"""Whose words the texts are that SQL Server's statements leave in a session: names unless headers say otherwise."""

from app.domain.naming import DeclaredTexts
from app.drivers.sqlserver.catalogue import catalogue

# Databases, logins and roles that every installation has.
_PUBLIC_NAMES = frozenset(
    {"distribution", "master", "msdb", "tempdb", "model", "dbo", "sa", "sys", "guest", "public", "all"}
)


def declared_texts() -> DeclaredTexts:
    """Return the declarations of each statement's parameters in its header; raises as `catalogue` does."""
    parameters = {
        name: {bare: parameter.holds for bare, parameter in statement.parameters_by_name.items()}
        for name, statement in catalogue().items()
    }
    return DeclaredTexts(parameters, public=_PUBLIC_NAMES)
