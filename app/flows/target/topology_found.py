"""Everything found on a target as one tree, with what could not be read."""

from app.flows.words import sentence
from app.foundation.texts import _
from app.services.look.discovering import Discovery
from app.systems.availability_groups.views.topology import groups_tree
from app.systems.oracle_streams.views.topology import streams_tree
from app.systems.transactional_replication.views.topology import Node, nothing_found, topology_tree


def found_tree(discovery: Discovery) -> tuple[Node, ...]:
    """Return replication, availability groups and Streams pipelines, those that are there."""
    groups = () if discovery.groups is None else groups_tree(discovery.groups)
    streams = () if discovery.streams is None else streams_tree(discovery.streams)
    return (*topology_tree(discovery.topology), *groups, *streams)


def nothing_here(discovery: Discovery) -> str:
    """Return in one sentence that there is nothing to work with, "" where there is."""
    if discovery.groups is not None or discovery.streams is not None:
        return ""
    return nothing_found(discovery.topology)


def unread_notice(discovery: Discovery) -> str:
    """Return what could not be read and why, "" where everything could."""
    parts = [sentence(text) for text in discovery.unread]
    if discovery.groups is not None:
        parts += [
            _("{server} could not be asked: {why}").format(server=server, why=sentence(why))
            for server, why in discovery.groups.unreachable
        ]
    return _("Not everything could be read. {parts}").format(parts=" ".join(parts)) if parts else ""
