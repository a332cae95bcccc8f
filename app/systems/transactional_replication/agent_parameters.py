"""Parameters of the Distribution Agent that more than one family varies: the server's side of them, written once."""

from typing import Final

from app.domain.setting import Parameter, Value

AGENT_PAGE: Final = "Microsoft Learn: Replication Distribution Agent"


def commit_batch_size(levels: tuple[Value, ...], help_text: str) -> Parameter:
    """Return CommitBatchSize with a family's levels and what it says of it."""
    return Parameter("CommitBatchSize", "transactions", 100, 1, 10_000, levels, help_text, AGENT_PAGE)


def subscription_streams(levels: tuple[Value, ...], help_text: str) -> Parameter:
    """Return SubscriptionStreams with a family's levels and what it says of it."""
    return Parameter(
        "SubscriptionStreams", "connections", 1, 1, 64, levels, help_text, f"{AGENT_PAGE}; Microsoft KB953199"
    )
