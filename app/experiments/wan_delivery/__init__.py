"""How to deliver over a slow or distant link, and how long a backlog takes."""

from app.experiments.wan_delivery.family import FAMILY

__all__ = ["FAMILY"]
