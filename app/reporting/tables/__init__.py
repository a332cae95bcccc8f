"""Tables of a session, each described once for window, report, terminal and CSV."""
