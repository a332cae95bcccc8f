"""The version of the server an experiment ran on, for rules that hold for some versions only."""

from typing import Final

from app.domain.family import AgentSite, Evidence, GroupSite, StreamsSite
from app.domain.server_versions import product_version
from app.domain.setting import Subject

SERVER_VERSION: Final = "server_version"
"""Condition, and column of a file, that names the version of measurements from elsewhere."""


def engine_version_of(piece: Evidence, subject: Subject) -> str:
    """Return the version of the server whose parameters are under test, "" where it is not known.

    That is the Distributor, where the replication agents run, the primary of availability groups, and the destination
    of a Streams pipeline, where it is applied. A file may state it by number or, of SQL Server, by name.
    """
    match piece.site:
        case AgentSite(topology=replication):
            return next((s.version for s in replication.servers if s.role == "Distributor"), "")
        case GroupSite(topology=groups):
            server = groups.server_named(groups.connected_to)
            return "" if server is None else server.version
        case StreamsSite(topology=streams):
            return next((d.version for d in streams.databases if d.role == "Destination"), "")
    stated = str(piece.conditions.get(SERVER_VERSION, "")).strip()
    return stated if subject is Subject.STREAMS else product_version(stated)
