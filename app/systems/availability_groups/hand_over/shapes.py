"""Shapes of inserts, as a client's mix names them."""

from app.domain.comparison import Comparison
from app.systems.availability_groups.families.commit_mode.parameters import INSERTS, ROWS_PER_INSERT


def shape_of(comparison: Comparison) -> tuple[float, float] | None:
    """Return rows per insert and inserts of a comparison, None where it does not tell the rows."""
    rows = comparison.conditions.get(ROWS_PER_INSERT)
    return None if rows is None else (float(rows), float(comparison.conditions.get(INSERTS, 1)))
