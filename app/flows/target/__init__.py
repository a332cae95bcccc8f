"""Connecting and looking: what these pages show."""
