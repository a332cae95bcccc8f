"""Trials of replication agents: Log Reader Agent and Distribution Agent."""

from app.runner.rigs.agents.kind import AGENTS

__all__ = ["AGENTS"]
