"""What is going to be done: plans, dry runs, the demonstration."""
