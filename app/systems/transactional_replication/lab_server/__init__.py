"""The simulated servers: the lab's physics behind the same statements."""
