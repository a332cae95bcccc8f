"""The simulated availability groups."""
