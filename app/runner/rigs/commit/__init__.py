"""Trials of the commit mode of availability groups: the same inserts standalone, asynchronous and synchronous."""

from app.runner.rigs.commit.kind import COMMIT

__all__ = ["COMMIT"]
