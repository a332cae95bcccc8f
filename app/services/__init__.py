"""Use cases: one for each request of a command or a page."""
