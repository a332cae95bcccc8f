"""A system's declarations: readings, and the curves, limits and tables that follow from each. Pure."""
