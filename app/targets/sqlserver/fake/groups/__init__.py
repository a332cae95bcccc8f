"""The lab's SQL Servers with availability groups: the same statements, answered from `app.lab.availability`."""

from app.targets.sqlserver.fake.groups.server import LabGroupServer

__all__ = ["LabGroupServer"]
