"""What a system declares once: readings, and what of each follows from its declaration. Pure."""
