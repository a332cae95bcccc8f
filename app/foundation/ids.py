"""Identifiers: short, sortable by time, unique without a server."""

import secrets
from datetime import datetime


def new_session_id(now_utc: datetime) -> str:
    """Return an id such as `S20261121-073000-a1b2c3` for a session started at `now_utc`."""
    return f"S{now_utc:%Y%m%d-%H%M%S}-{secrets.token_hex(3)}"
