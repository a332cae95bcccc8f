"""What the time series of a trial are called on screen; the runner names them in the session file."""

from typing import Final

from app.foundation.texts import _

DELIVERED: Final = ": delivered"
LATENCY: Final = ": latency"
"""How the runner names the series of an agent: its name, then one of these."""


def series_title(stream: str) -> str:
    """Return the name of a series for a person; one the runner names in whole words stays as it is."""
    if stream.endswith(DELIVERED):
        return _("{agent}: delivered").format(agent=stream.removesuffix(DELIVERED))
    if stream.endswith(LATENCY):
        return _("{agent}: latency").format(agent=stream.removesuffix(LATENCY))
    return stream
