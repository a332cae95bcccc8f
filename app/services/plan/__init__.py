"""Planning: plans, dry runs, the demonstration."""
