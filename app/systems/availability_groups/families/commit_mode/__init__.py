"""What a synchronous commit costs, by the shape of the workload, and what compression of the log stream changes."""

from app.systems.availability_groups.families.commit_mode.family import FAMILY

__all__ = ["FAMILY"]
