"""What the parameters of Oracle Streams do for small and for very large transactions."""

from app.experiments.streams_apply.family import FAMILY

__all__ = ["FAMILY"]
