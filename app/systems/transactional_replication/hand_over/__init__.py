"""This system's parts of the hand-over, and its scripts."""

from app.systems.transactional_replication.hand_over.parts import HAND_OVER

__all__ = ["HAND_OVER"]
