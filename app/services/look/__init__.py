"""Looking at a target without changing it: what is there, what a login may do, what history and counters tell."""
