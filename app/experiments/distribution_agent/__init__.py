"""How the Distribution Agent should commit and how many streams it should use."""

from app.experiments.distribution_agent.family import FAMILY

__all__ = ["FAMILY"]
