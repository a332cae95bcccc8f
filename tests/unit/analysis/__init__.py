"""Tests of the estimators, on numbers only."""
