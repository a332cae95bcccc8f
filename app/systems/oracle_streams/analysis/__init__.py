"""What the numbers of this system say: pure."""
