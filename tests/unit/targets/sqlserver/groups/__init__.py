"""Unit tests of availability groups, without a lab."""
