"""What the parameters of Oracle Streams do for small and for very large transactions."""

from app.systems.oracle_streams.families.streams_apply.family import FAMILY

__all__ = ["FAMILY"]
