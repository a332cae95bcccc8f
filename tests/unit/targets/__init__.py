"""Tests of the SQL Server target."""
