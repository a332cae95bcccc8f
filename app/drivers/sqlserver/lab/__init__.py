"""What simulated SQL Servers share: where they stand, their clock, faults, and the statements of the driver."""
