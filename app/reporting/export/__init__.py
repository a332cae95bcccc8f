"""Files for programs: CSV and JSON of what a session holds."""
