"""Where statements of replication run, as their headers say it."""

from typing import Final

DISTRIBUTOR: Final = "distributor"
PUBLISHER: Final = "publisher"
SUBSCRIBER: Final = "subscriber"

DISTRIBUTION_DATABASE: Final = "distribution"
PUBLICATION_DATABASE: Final = "publication"
SUBSCRIPTION_DATABASE: Final = "subscription"

STATEMENT_PLACES: Final = frozenset(
    {DISTRIBUTOR, PUBLISHER, SUBSCRIBER, DISTRIBUTION_DATABASE, PUBLICATION_DATABASE, SUBSCRIPTION_DATABASE}
)
