"""What window and command line show of a turnstile: the SystemViews port."""

from typing import Final

from app.flows.system_views import SystemViews, found_page
from app.services.plan.dry_run import DryRun
from app.systems.turnstile.system import SYSTEM


class TurnstileViews(SystemViews):
    """One server with two settings."""

    system = SYSTEM
    pages = (found_page("&Turnstile"),)
    entry = "Turnstile"
    opened_at = "For a turnstile: its server."
    observing = "It looks at a turnstile once."

    def consequence(self, role: str, dry: DryRun) -> str:
        """Return what happens at the one server."""
        return f"{len(dry.changes)} changes, each put back and read back."


VIEWS: Final = TurnstileViews()
