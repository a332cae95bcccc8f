"""Parameters of the Distribution Agent this family may vary."""

from typing import Final

from app.domain.setting import Knob
from app.foundation.texts import _

_AGENT_PAGE: Final = "Microsoft Learn: Replication Distribution Agent"

COMMIT_BATCH_SIZE: Final = Knob(
    name="CommitBatchSize",
    unit="transactions",
    default=100,
    low=1,
    high=10_000,
    levels=(100, 150, 200, 250, 500, 1_000),
    help=_(
        "Transactions applied at the Subscriber before a COMMIT. Larger batches commit less often, "
        "and a failure rolls more of them back."
    ),
    source=_AGENT_PAGE,
)

COMMIT_BATCH_THRESHOLD: Final = Knob(
    name="CommitBatchThreshold",
    unit="commands",
    default=1_000,
    low=1,
    high=10_000,
    levels=(1_000, 2_500, 5_000),
    help=_("Commands applied before a COMMIT although CommitBatchSize is not reached."),
    source=_AGENT_PAGE,
)

SUBSCRIPTION_STREAMS: Final = Knob(
    name="SubscriptionStreams",
    unit="connections",
    default=1,
    low=1,
    high=64,
    levels=(1, 2, 4, 8, 16),
    help=_(
        "Connections that apply one batch in parallel at the Subscriber. More save time until they block each other; "
        "one failing stream makes the agent retry the batch on a single one."
    ),
    source=_AGENT_PAGE + "; Microsoft KB953199",
)

KNOBS: Final = (COMMIT_BATCH_SIZE, COMMIT_BATCH_THRESHOLD, SUBSCRIPTION_STREAMS)
