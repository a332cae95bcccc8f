"""Parameters of the Distribution Agent this family may vary."""

from typing import Final

from app.domain.setting import Parameter
from app.foundation.texts import _
from app.systems.transactional_replication.agent_parameters import AGENT_PAGE, commit_batch_size, subscription_streams

COMMIT_BATCH_SIZE: Final = commit_batch_size(
    (100, 150, 200, 250, 500, 1_000),
    _(
        "Transactions applied at the Subscriber before a COMMIT. Larger batches commit less often, "
        "and a failure rolls more of them back."
    ),
)

COMMIT_BATCH_THRESHOLD: Final = Parameter(
    name="CommitBatchThreshold",
    unit="commands",
    default=1_000,
    low=1,
    high=10_000,
    levels=(1_000, 2_500, 5_000),
    help=_("Commands applied before a COMMIT although CommitBatchSize is not reached."),
    source=AGENT_PAGE,
)

SUBSCRIPTION_STREAMS: Final = subscription_streams(
    (1, 2, 4, 8, 16),
    _(
        "Connections that apply one batch in parallel at the Subscriber. More save time until they block each other; "
        "one failing stream makes the agent retry the batch on a single one."
    ),
)

PARAMETERS: Final = (COMMIT_BATCH_SIZE, COMMIT_BATCH_THRESHOLD, SUBSCRIPTION_STREAMS)
