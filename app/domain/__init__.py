"""What is true, as frozen data: units, plans, trials, comparisons, findings, and the ports to the outside."""
