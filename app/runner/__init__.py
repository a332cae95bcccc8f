"""Executes one plan: trials, sampling, abort rules, undo, restore."""
