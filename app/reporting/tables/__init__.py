"""What is shown of a session as tables, each described once for window, report, terminal and CSV."""
