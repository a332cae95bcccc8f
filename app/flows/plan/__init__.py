"""Planning and agreeing: what these pages show."""
