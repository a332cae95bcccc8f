"""Seeding databases to a secondary of SQL Server: methods, samples, steps and the changes they need."""

from app.systems.availability_groups.seeding_server.adapter import SqlServerSeeding
from app.systems.availability_groups.seeding_server.kinds import SEEDING_CHANGE_KINDS, SEEDING_MARKS, seeding_kinds

__all__ = ["SEEDING_CHANGE_KINDS", "SEEDING_MARKS", "SqlServerSeeding", "seeding_kinds"]
