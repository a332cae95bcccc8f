"""What every part may use and that knows no system: paths, clock, ids, secrets, texts, discovery."""
