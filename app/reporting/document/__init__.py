"""The content of a report, as data."""
