"""What is asked of a group before anything is changed in it."""

from dataclasses import replace

import pytest

from app.domain.errors import BadInput
from app.systems.availability_groups.groups import (
    AvailabilityGroup,
    CommitMode,
    GroupTopology,
    Replica,
    ReplicaDatabase,
)
from app.systems.availability_groups.server.checks import check_group, check_required_secondaries


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


def topology(found: AvailabilityGroup, connected_to: str = "A") -> GroupTopology:
    """Return what was found at a server."""
    return GroupTopology(connected_to, (), (found,), (), (), ())


SOUND = group(replica("B", "secondary"))


def test_sound_group_is_returned() -> None:
    """A group with a connected secondary and the database in it passes."""
    assert check_group(topology(SOUND), "AG", "Sales") is SOUND


@pytest.mark.parametrize(
    ("found", "server", "database", "part"),
    [
        (group(), "A", "Sales", "has no secondary replica"),
        (group(replica("B", "secondary", connected=False)), "A", "Sales", "replica B of group AG is down"),
        (SOUND, "B", "Sales", "B is a secondary replica of group AG; connect to its primary replica, A"),
        (SOUND, "A", "Other", "database Other is not in group AG; choose one of Sales"),
        (replace(SOUND, is_basic=True), "A", "Sales", "a Basic group"),
        (replace(SOUND, is_contained=True), "A", "Sales", "a contained group"),
        (replace(SOUND, is_distributed=True), "A", "Sales", "a distributed group"),
        (replace(SOUND, name="Other"), "A", "Sales", "no availability group AG; it has Other"),
    ],
)
def test_unfit_group_is_refused(found: AvailabilityGroup, server: str, database: str, part: str) -> None:
    """Each reason is a sentence of its own."""
    with pytest.raises(BadInput) as caught:
        check_group(topology(found, server), "AG", database)
    assert part in str(caught.value)


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
