"""Experiment families, one folder each: knobs, plan, measures, plots, texts."""
