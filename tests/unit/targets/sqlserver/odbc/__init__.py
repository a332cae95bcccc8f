"""Tests of the connections through drivers."""
