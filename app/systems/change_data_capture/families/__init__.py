"""Experiments with Change Data Capture, one folder each."""
