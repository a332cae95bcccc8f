"""Trials of replication agents: Log Reader Agent and Distribution Agent."""

from app.systems.transactional_replication.rig.kind import AGENTS, LOG_READERS

__all__ = ["AGENTS", "LOG_READERS"]
