"""The window around the pages: steps, start, help, settings."""
