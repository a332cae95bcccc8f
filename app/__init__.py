"""Replitune: finds the right replication settings by measuring them on the servers themselves."""
