"""Explaining measurements: advice, comparisons, measurements made elsewhere."""
