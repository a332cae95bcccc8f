"""Running and restoring: what these pages show."""
