"""How to deliver over a slow or distant link, and how long a backlog takes."""

from app.systems.transactional_replication.families.wan_delivery.family import FAMILY

__all__ = ["FAMILY"]
