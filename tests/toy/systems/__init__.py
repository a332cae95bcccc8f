"""The further systems."""
