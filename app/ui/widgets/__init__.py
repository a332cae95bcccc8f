"""Widgets several pages share."""
