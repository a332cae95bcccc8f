"""Trials of replication agents: Log Reader Agent and Distribution Agent."""

from app.systems.transactional_replication.rig.kind import AGENTS

__all__ = ["AGENTS"]
