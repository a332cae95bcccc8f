"""Looking at a target without changing it: topology, rights of the login, history and counters."""
