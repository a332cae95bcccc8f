"""The arithmetic of this system: pure."""
