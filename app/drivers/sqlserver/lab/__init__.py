"""Common parts of simulated SQL Servers: places, clock, faults, and the statements of the driver."""
