"""Doing it: sessions, runs, restoring."""
