"""What the window shows of this system."""
