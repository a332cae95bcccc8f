"""Where statements of availability groups run, as their headers say it."""

from typing import Final

REPLICA: Final = "replica"
PRIMARY: Final = "primary"
SECONDARY: Final = "secondary"

STATEMENT_PLACES: Final = frozenset({REPLICA, PRIMARY, SECONDARY})
