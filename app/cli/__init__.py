"""The command line: the same services without a screen."""
