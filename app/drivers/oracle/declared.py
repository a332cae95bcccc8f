"""Whose words the texts are that Oracle's statements leave in a session: names unless headers say otherwise."""

from app.domain.naming import DeclaredTexts
from app.drivers.oracle.catalogue import catalogue

# Accounts every database has.
_PUBLIC_NAMES = frozenset({"sys", "system", "public"})

# V$SESSION and gv$session are views of the vendor's; an account or a service called SRV$SALES is the client's.
_VIEW_PREFIXES = frozenset({"v$", "gv$"})


def declared_texts() -> DeclaredTexts:
    """Return the declarations of each statement's binds in its header; raises as `catalogue` does."""
    parameters = {name: {bind.name: bind.holds for bind in statement.binds} for name, statement in catalogue().items()}
    return DeclaredTexts(parameters, public=_PUBLIC_NAMES, view_prefixes=_VIEW_PREFIXES)
