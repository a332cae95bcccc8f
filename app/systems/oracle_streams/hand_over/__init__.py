"""What the hand-over says of this system, and its scripts."""
