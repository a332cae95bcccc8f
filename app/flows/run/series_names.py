"""Titles of a trial's time series on screen; their rig names them in the session file."""

from collections.abc import Iterable

from app.domain.measurement import BACKLOG
from app.domain.system import System
from app.flows.system_views import views_of
from app.foundation.texts import _


def series_title(stream: str, systems: Iterable[System]) -> str:
    """Return the name of a series for a person; one that is named in whole words stays as it is."""
    titles = (views_of(system).series_title(stream) for system in systems)
    return next((title for title in titles if title), _("Backlog") if stream == BACKLOG else stream)
