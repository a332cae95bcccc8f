"""Wizard steps and view-models in plain Python; no Qt."""
