"""Tests of session files and the undo journal, on real files."""
