"""The forms a report is written in."""
