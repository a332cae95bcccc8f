"""What window and command line show of a turnstile: the SystemViews port."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, Final

from app.domain.family import Site
from app.domain.server import EffectiveParameter, ServerInfo
from app.flows.system_views import Content, ObservedPage, ObservedPart, PartKind, SystemViews
from app.flows.table_view import Column, Row, TableContent, text_cell
from app.flows.target.discovered_lines import limits_text, parameter_line, parameters_heading, server_line
from app.flows.target.parameter_values import differs
from app.flows.topology_tree import Node, NodeParameters
from app.services.plan.dry_run import DryRun

from ..site import SYSTEM_ID, Turnstile

_SETTINGS: Final = "turnstile_settings"


class TurnstileViews(SystemViews):
    """One server with two settings."""

    pages: tuple[ObservedPage, ...] = (
        ObservedPage(SYSTEM_ID, "&Turnstile", (ObservedPart(_SETTINGS, PartKind.TABLE, "Settings"),)),
    )

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
        return NodeParameters(_table(shown), f"{len(discovered.settings)} settings.", "All are at their defaults.")

    def discovered_lines(self, discovered: Turnstile) -> list[str]:
        """Return server and settings."""
        lines = [
            parameter_line(setting.name, setting.value, setting.origin, setting.default, limits_text(setting))
            for setting in discovered.settings
        ]
        return ["Turnstile:", server_line(discovered.server), parameters_heading(), *lines]

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
        return {_SETTINGS: _table(seen.found.settings)}

    def consequence(self, role: str, dry: DryRun) -> str:
        """Return what happens at the one server."""
        return f"{len(dry.changes)} changes, each put back and read back."


def _table(settings: "tuple[EffectiveParameter, ...] | list[EffectiveParameter]") -> TableContent:
    columns = (Column("name", "Setting"), Column("value", "In effect"), Column("default", "Default"))
    rows = (Row(s.name, (text_cell(s.name), text_cell(s.value), text_cell(s.default))) for s in settings)
    return TableContent(columns, tuple(rows))


VIEWS: Final = TurnstileViews()
