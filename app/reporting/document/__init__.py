"""What a report says, as data."""
