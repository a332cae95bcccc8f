"""The PDF, read back."""
