"""The bench of every trial, whichever system it is of: rig, switchboard and watch, on declared readings and steps."""
