"""Units of the Oracle target."""
