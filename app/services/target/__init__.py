"""Which targets there are, and how one is opened: addresses, saved names, passwords."""
