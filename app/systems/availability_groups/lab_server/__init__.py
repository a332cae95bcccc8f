"""The lab's SQL Servers with availability groups: the same statements, answered from the simulation."""
