"""Contract of Oracle's catalogue: every statement is complete, parses, and names only documented objects."""
