"""Parameters of the Log Reader Agent this family may vary."""

from typing import Final

from app.domain.setting import Parameter
from app.foundation.texts import _

_AGENT_PAGE: Final = "Microsoft Learn: Replication Log Reader Agent"

READ_BATCH_SIZE: Final = Parameter(
    name="ReadBatchSize",
    unit="transactions",
    default=500,
    low=1,
    high=10_000,
    levels=(500, 1_000, 2_500, 5_000, 10_000),
    help=_(
        "Most transactions the agent reads from the log and writes to the distribution database in one batch. "
        "Larger batches save round trips, and stay invisible to the Distribution Agent for longer."
    ),
    source=_AGENT_PAGE,
)

READ_BATCH_THRESHOLD: Final = Parameter(
    name="ReadBatchThreshold",
    unit="commands",
    default=0,
    low=0,
    high=None,
    levels=(0, 1_000, 5_000),
    help=_("Commands after which a batch is written although ReadBatchSize is not reached; 0 sets no limit."),
    source=_AGENT_PAGE,
)

POLLING_INTERVAL: Final = Parameter(
    name="PollingInterval",
    unit="s",
    default=5,
    low=1,
    high=None,
    levels=(1, 5, 10),
    help=_(
        "Seconds between two looks at the log once it is read to its end. Lower cuts latency, higher spares the log."
    ),
    source=_AGENT_PAGE,
)

PARAMETERS: Final = (READ_BATCH_SIZE, READ_BATCH_THRESHOLD, POLLING_INTERVAL)
