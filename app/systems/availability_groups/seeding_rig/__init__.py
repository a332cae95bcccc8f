"""Trials of seeding: one database brought to a secondary again and again, by different methods."""

from app.systems.availability_groups.seeding_rig.kind import SEEDING_RIG

__all__ = ["SEEDING_RIG"]
