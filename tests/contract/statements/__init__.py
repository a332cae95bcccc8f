"""Contract of the catalogue: every statement is complete, parses, and names only documented objects."""
