"""Unit tests of seeding, without a lab."""
