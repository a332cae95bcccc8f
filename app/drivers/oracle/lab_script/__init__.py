"""Scripts that this program prints, run statement by statement on simulated databases: their forms, and no other."""
