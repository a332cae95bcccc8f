"""What window and command line show of a turnstile: the SystemViews port."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, Final

from app.domain.family import Site
from app.domain.server import ServerInfo, differs
from app.flows.system_views import Content, ObservedPage, ObservedPart, PartKind, SystemViews
from app.flows.topology_tree import Node, NodeParameters
from app.reporting.render.terminal import table_lines
from app.reporting.tables.servers import servers_table
from app.services.plan.dry_run import DryRun

from ..site import SYSTEM_ID, Turnstile
from ..tables import settings_table

_SETTINGS: Final = "turnstile_settings"


class TurnstileViews(SystemViews):
    """One server with two settings."""

    pages: tuple[ObservedPage, ...] = (
        ObservedPage(SYSTEM_ID, "&Turnstile", (ObservedPart(_SETTINGS, PartKind.TABLE, "Settings"),)),
    )

    entry: str = "Turnstile"
    opened_at: str = "For a turnstile: its server."
    observing: str = "It looks at a turnstile once."

    def scenario_words(self, content: Mapping[str, object]) -> tuple[str, ...]:
        """Return what a scenario describes: one turnstile."""
        return ("1 turnstile",) if content.get("kind") == SYSTEM_ID else ()

    def need_words(self, need: str, subject: str, site: Site | None) -> str:
        """Return what is needed."""
        return "a turnstile"

    def reached(self, discovered: Turnstile | None) -> str:
        """Return which server it stands at."""
        return "" if discovered is None else f"Reached: {discovered.server.name}, with a turnstile."

    def nothing_found(self, discovered: Turnstile | None) -> str:
        """Return nothing: there is a turnstile or there is not."""
        return ""

    def not_asked(self, discovered: Turnstile) -> tuple[str, ...]:
        """Return nothing: the one server was asked."""
        return ()

    def can_be_observed(self, discovered: Turnstile) -> bool:
        """Tell that its settings can be looked at."""
        return True

    def servers(self, discovered: Turnstile) -> tuple[ServerInfo, ...]:
        """Return the one server."""
        return (discovered.server,)

    def tree(self, discovered: Turnstile) -> tuple[Node, ...]:
        """Return the one node there is."""
        name = discovered.server.name
        return (Node(SYSTEM_ID, SYSTEM_ID, "Turnstile", f"Turnstile at {name}", (("Server", name),), SYSTEM_ID, True),)

    def node_parameters(self, discovered: Turnstile, node: Node, *, only_different: bool) -> NodeParameters | None:
        """Return the settings."""
        if node.kind != SYSTEM_ID:
            return None
        shown = [setting for setting in discovered.settings if not only_different or differs(setting)]
        return NodeParameters(
            settings_table(shown), f"{len(discovered.settings)} settings.", "All are at their defaults."
        )

    def discovered_lines(self, discovered: Turnstile) -> list[str]:
        """Return server and settings."""
        servers = table_lines(servers_table((discovered.server,)))
        return ["Turnstile:", *servers, *table_lines(settings_table(discovered.settings))]

    def discovered_json(self, discovered: Turnstile | None) -> Mapping[str, object]:
        """Return the turnstile; nothing where there is none."""
        return {} if discovered is None else {SYSTEM_ID: asdict(discovered)}

    def look_line(self, seen: Any) -> str:
        """Return what was looked at."""
        return f"The turnstile at {seen.found.server.name}."

    def look_lines(self, seen: Any) -> list[str]:
        """Return server and settings."""
        return self.discovered_lines(seen.found)

    def look_json(self, seen: Any | None) -> Mapping[str, object]:
        """Return what was seen; nothing where there was none."""
        return {} if seen is None else {SYSTEM_ID: asdict(seen.found)}

    def look_content(self, seen: Any) -> Mapping[str, Content]:
        """Return the settings."""
        return {_SETTINGS: settings_table(seen.found.settings)}

    def consequence(self, role: str, dry: DryRun) -> str:
        """Return what happens at the one server."""
        return f"{len(dry.changes)} changes, each put back and read back."


VIEWS: Final = TurnstileViews()
