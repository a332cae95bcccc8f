"""Contract of a target: all its capabilities, all its changes, on the lab."""
