"""Views of this system for the window and the command line."""

from app.systems.transactional_replication.views.shown import VIEWS as VIEWS
