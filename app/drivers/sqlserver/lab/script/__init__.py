"""Scripts that this program prints, run batch by batch on simulated servers: their forms of T-SQL, and no other."""
