"""Identifiers: short, sortable by time, unique without a server."""

import secrets
from datetime import datetime
from typing import Final

SESSION_ID: Final = r"S\d{8}-\d{6}-[0-9a-f]{6}"
"""Pattern of a session's id, as it stands in names this program gives."""


def new_session_id(now_utc: datetime) -> str:
    """Return an id such as `S20261121-073000-a1b2c3` for a session started at `now_utc`."""
    return f"S{now_utc:%Y%m%d-%H%M%S}-{secrets.token_hex(3)}"
