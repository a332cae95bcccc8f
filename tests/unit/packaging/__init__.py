"""Tests of how the program is put together for others."""
