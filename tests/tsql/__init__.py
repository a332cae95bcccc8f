"""Every T-SQL text of the program through Microsoft's own parser; run by `make check`."""
