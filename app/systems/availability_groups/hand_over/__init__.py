"""What the hand-over says of this system, and its scripts."""

from app.systems.availability_groups.hand_over.parts import HAND_OVER

__all__ = ["HAND_OVER"]
