"""Tests of reading measurements made elsewhere."""
