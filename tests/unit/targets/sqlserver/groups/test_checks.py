"""What is asked of a group before anything is changed in it."""

import pytest

from app.domain.errors import BadInput
from app.systems.availability_groups.groups import (
    AvailabilityGroup,
    CommitMode,
    Replica,
    ReplicaDatabase,
)
from app.systems.availability_groups.server.checks import check_required_secondaries


def replica(server: str, role: str, mode: CommitMode = CommitMode.SYNCHRONOUS, *, connected: bool = True) -> Replica:
    """Return a replica."""
    return Replica(server, server, role, mode, "manual", "manual", connected)


def group(*replicas: Replica, required: int = 0) -> AvailabilityGroup:
    """Return a group led by server A with one database."""
    return AvailabilityGroup(
        "G",
        "AG",
        "A",
        (replica("A", "primary"), *replicas),
        (ReplicaDatabase("Sales", "A", "SYNCHRONIZED", True, False),),
        required_synchronized_secondaries=required,
    )


def test_required_secondaries_count_connected_synchronous_ones() -> None:
    """A replica may become asynchronous where enough others are synchronous and connected."""
    three = group(replica("B", "secondary"), replica("C", "secondary"), required=1)
    check_required_secondaries(three, "B")
    lost = group(replica("B", "secondary"), replica("C", "secondary", connected=False), required=1)
    with pytest.raises(BadInput, match="without B it has 0"):
        check_required_secondaries(lost, "B")
    asynchronous = group(replica("B", "secondary"), replica("C", "secondary", CommitMode.ASYNCHRONOUS), required=1)
    with pytest.raises(BadInput, match="without B it has 0"):
        check_required_secondaries(asynchronous, "B")
