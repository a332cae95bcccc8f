"""Simulated servers: physics only (clock, pipelines, network, contention, noise)."""
