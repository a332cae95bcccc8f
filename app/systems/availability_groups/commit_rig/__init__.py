"""Trials of the commit mode of availability groups: the same inserts standalone, asynchronous and synchronous."""

from app.systems.availability_groups.commit_rig.kind import COMMIT_RIG

__all__ = ["COMMIT_RIG"]
