"""How many transactions the Log Reader Agent should read in one batch."""

from app.systems.transactional_replication.families.log_reader.family import FAMILY

__all__ = ["FAMILY"]
