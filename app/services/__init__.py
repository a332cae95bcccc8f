"""Use cases: what a command or a page asks for."""
