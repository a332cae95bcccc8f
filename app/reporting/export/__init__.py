"""Files for programs: CSV and JSON of a session's content."""
