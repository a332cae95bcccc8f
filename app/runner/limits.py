"""Abort rules: a trial ends when production could suffer."""


class LimitExceeded(Exception):
    """A limit of the plan was exceeded; `str()` says which, with numbers and units."""
