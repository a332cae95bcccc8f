"""Every Oracle text of the program through a second parser; run by `make check`."""
