"""Views of this system for the window and the command line."""

from app.systems.availability_groups.views.shown import VIEWS as VIEWS
