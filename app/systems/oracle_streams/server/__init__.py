"""How a server of this system is read and changed, by named statements."""
