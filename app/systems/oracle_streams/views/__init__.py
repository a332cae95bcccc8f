"""What the window and the command line show of this system."""

from app.systems.oracle_streams.views.shown import VIEWS as VIEWS
