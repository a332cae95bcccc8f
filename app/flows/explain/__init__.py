"""Findings and comparisons: what these pages show."""
