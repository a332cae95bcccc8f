"""Availability groups of SQL Server: read, sampled, changed and put back through named statements."""

from app.targets.sqlserver.groups.adapter import SqlServerGroups
from app.targets.sqlserver.groups.kinds import GROUP_CHANGE_KINDS, group_kinds

__all__ = ["GROUP_CHANGE_KINDS", "SqlServerGroups", "group_kinds"]
