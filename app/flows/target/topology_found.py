"""Everything found on a target as one tree, with the readings that failed."""

from collections.abc import Mapping

from app.domain.system import System, in_order
from app.flows.system_views import views_of
from app.flows.topology_tree import Node, NodeParameters
from app.flows.words import sentence
from app.foundation.texts import _
from app.services.look.discovering import Discovery


def found_tree(discovery: Discovery) -> tuple[Node, ...]:
    """Return the tree of each system that is there."""
    return tuple(node for system, site in discovery.by_system for node in views_of(system).tree(site))


def node_parameters(discovery: Discovery, node: Node, *, only_different: bool) -> NodeParameters | None:
    """Return the parameters in effect of a node, None where it has none."""
    asked = (
        views_of(system).node_parameters(site, node, only_different=only_different)
        for system, site in discovery.by_system
        if node.tuned
    )
    return next((parameters for parameters in asked if parameters is not None), None)


def nothing_here(discovery: Discovery, systems: Mapping[str, System]) -> str:
    """Return in one sentence that there is nothing to work with, "" where there is."""
    site = [views_of(system).nothing_found(site) for system, site in discovery.by_system]
    if not all(site):
        return ""
    absent = [views_of(system).nothing_found(None) for system in in_order(systems.values())]
    nothing = _("Nothing was found that could be experimented on.")
    return next((text for text in (*site, *absent) if text), nothing)


def unread_notice(discovery: Discovery) -> str:
    """Return the readings that failed and why, "" where none did; without the names of a choice."""
    to_choose = discovery.to_choose
    short = {} if to_choose is None else {to_choose.refused: to_choose.question}  # the list beside it has the names
    parts = [sentence(short.get(text, text)) for text in discovery.unread]
    parts += [text for system, site in discovery.by_system for text in views_of(system).not_asked(site)]
    return _("Not everything could be read. {parts}").format(parts=" ".join(parts)) if parts else ""
