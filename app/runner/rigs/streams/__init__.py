"""Trials of an Oracle Streams pipeline: rows written at the source, every stage measured until they are applied."""

from app.runner.rigs.streams.kind import STREAMS

__all__ = ["STREAMS"]
