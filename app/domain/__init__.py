"""Frozen data of the field: units, plans, trials, comparisons, findings, and the ports to the outside."""
