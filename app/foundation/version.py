"""The program's version, written once; imports nothing, so that `--version` answers at once."""

VERSION = "0.1.0"
