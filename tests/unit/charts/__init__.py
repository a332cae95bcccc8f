"""Plots drawn as figures."""
