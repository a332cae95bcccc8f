"""What the window and the command line show of this system."""

from app.systems.availability_groups.views.shown import VIEWS as VIEWS
