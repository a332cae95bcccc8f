"""What every shipped rule must keep to."""
