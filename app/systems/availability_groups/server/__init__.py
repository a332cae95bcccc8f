"""Availability groups of SQL Server: read, sampled, changed and put back through named statements."""

from app.systems.availability_groups.server.adapter import SqlServerGroups
from app.systems.availability_groups.server.kinds import GROUP_CHANGE_KINDS, GROUP_MARKS, group_kinds

__all__ = ["GROUP_CHANGE_KINDS", "GROUP_MARKS", "SqlServerGroups", "group_kinds"]
