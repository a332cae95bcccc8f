"""Tests of the simulated Oracle Streams pipeline."""
