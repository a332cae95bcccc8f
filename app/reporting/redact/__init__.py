"""Replacing the names of the client."""
