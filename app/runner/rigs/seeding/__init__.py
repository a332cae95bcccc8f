"""Trials of seeding: one database brought to a secondary again and again, by different methods."""

from app.runner.rigs.seeding.kind import SEEDING

__all__ = ["SEEDING"]
