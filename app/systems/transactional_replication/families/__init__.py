"""The experiment families of this system, one folder each."""
