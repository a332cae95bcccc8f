"""One module for each command; each adds its own arguments and runs one service."""
