"""What the window and the command line show of this system."""

from app.systems.transactional_replication.views.shown import VIEWS as VIEWS
