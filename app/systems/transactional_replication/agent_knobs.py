"""Parameters of the Distribution Agent that more than one family varies: the server's side of them, written once."""

from typing import Final

from app.domain.setting import Knob, Value

AGENT_PAGE: Final = "Microsoft Learn: Replication Distribution Agent"


def commit_batch_size(levels: tuple[Value, ...], help_text: str) -> Knob:
    """Return CommitBatchSize with a family's levels and what it says of it."""
    return Knob("CommitBatchSize", "transactions", 100, 1, 10_000, levels, help_text, AGENT_PAGE)


def subscription_streams(levels: tuple[Value, ...], help_text: str) -> Knob:
    """Return SubscriptionStreams with a family's levels and what it says of it."""
    return Knob("SubscriptionStreams", "connections", 1, 1, 64, levels, help_text, f"{AGENT_PAGE}; Microsoft KB953199")
