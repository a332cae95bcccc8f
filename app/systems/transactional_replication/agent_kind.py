"""The two kinds of replication agent."""

from enum import StrEnum


class AgentKind(StrEnum):
    """Which replication agent a parameter or a counter belongs to."""

    LOG_READER = "log_reader"
    DISTRIBUTION = "distribution"
