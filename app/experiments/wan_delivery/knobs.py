"""Parameters of the Distribution Agent that matter on a slow or distant link."""

from typing import Final

from app.domain.setting import Knob
from app.foundation.texts import _

_AGENT_PAGE: Final = "Microsoft Learn: Replication Distribution Agent"

SUBSCRIPTION_STREAMS: Final = Knob(
    name="SubscriptionStreams",
    unit="connections",
    default=1,
    low=1,
    high=64,
    levels=(1, 8, 16),
    help=_(
        "Connections that apply one batch in parallel at the Subscriber. On a distant link each waits for its own "
        "round trips, so more of them fill the line until its bandwidth is used up."
    ),
    source=_AGENT_PAGE + "; Microsoft KB953199",
)

COMMIT_BATCH_SIZE: Final = Knob(
    name="CommitBatchSize",
    unit="transactions",
    default=100,
    low=1,
    high=10_000,
    levels=(50, 100, 200),
    help=_(
        "Transactions applied before a COMMIT, each commit costing round trips. Keep it low where lines break often."
    ),
    source=_AGENT_PAGE,
)

PACKET_SIZE: Final = Knob(
    name="PacketSize",
    unit="bytes",
    default=4_096,
    low=512,
    high=32_767,
    levels=(4_096, 8_192, 16_384),
    help=_(
        "Size of the network packets between agent and Subscriber; larger ones need fewer round trips for large rows."
    ),
    source=_AGENT_PAGE + "; limits: Microsoft Learn, Configure the network packet size server configuration option",
)

KNOBS: Final = (SUBSCRIPTION_STREAMS, COMMIT_BATCH_SIZE, PACKET_SIZE)
