"""What is there: targets, their sites, their rights, what they show without an experiment."""
