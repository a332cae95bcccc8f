"""How the Distribution Agent should commit and how many streams it should use."""

from app.systems.transactional_replication.families.distribution_agent.family import FAMILY

__all__ = ["FAMILY"]
