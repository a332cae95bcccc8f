"""Which way to seed a new replica is fastest, and at what price in processors, disks and network."""

from app.systems.availability_groups.families.seeding.family import FAMILY

__all__ = ["FAMILY"]
