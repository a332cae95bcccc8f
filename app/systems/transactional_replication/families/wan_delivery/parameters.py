"""Parameters of the Distribution Agent that matter on a slow or distant link."""

from typing import Final

from app.domain.setting import Parameter
from app.foundation.texts import _
from app.systems.transactional_replication.agent_parameters import AGENT_PAGE, commit_batch_size, subscription_streams

SUBSCRIPTION_STREAMS: Final = subscription_streams(
    (1, 8, 16),
    _(
        "Connections that apply one batch in parallel at the Subscriber. On a distant link each waits for its own "
        "round trips, so more of them fill the line until its bandwidth is used up."
    ),
)

COMMIT_BATCH_SIZE: Final = commit_batch_size(
    (50, 100, 200),
    _("Transactions applied before a COMMIT, each commit costing round trips. Keep it low where lines break often."),
)

PACKET_SIZE: Final = Parameter(
    name="PacketSize",
    unit="bytes",
    default=4_096,
    low=512,
    high=32_767,
    # 16,383 bytes is the most an encrypted connection allows, and newer drivers encrypt unless told otherwise.
    levels=(4_096, 8_192, 12_288),
    help=_(
        "Size of the network packets between agent and Subscriber; larger ones need fewer round trips for large rows. "
        "An encrypted connection allows 16,383 bytes at most."
    ),
    source=AGENT_PAGE + "; limits: Microsoft Learn, Configure the network packet size server configuration option",
)

PARAMETERS: Final = (SUBSCRIPTION_STREAMS, COMMIT_BATCH_SIZE, PACKET_SIZE)
