"""Handing over: what these pages show."""
