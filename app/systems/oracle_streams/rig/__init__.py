"""Trials of an Oracle Streams pipeline: rows written at the source, every stage measured until they are applied."""

from app.systems.oracle_streams.rig.kind import STREAMS_RIG

__all__ = ["STREAMS_RIG"]
