"""A server with several things of one kind: which one is meant is asked, whatever else was read there."""

from typing import Final

import pytest

from app.domain.errors import NotChosen
from app.drivers.sqlserver.connection import SqlServerConnection
from app.drivers.sqlserver.lab.servers import LabClock, LabTransport
from app.flows.target.attempt_view import AttemptState, attempt_failed, attempt_reached
from app.flows.target.topology_found import nothing_here, unread_notice
from app.services.look.reading import TargetReading, read_target
from app.systems.availability_groups.subjects import SYSTEM_ID as GROUPS
from app.systems.transactional_replication.subjects import SYSTEM_ID as REPLICATION
from tests.e2e.odd_sites import in_groups_of_its_own
from tests.labs import SYSTEMS, build_lab, families_of, ignore, target_over
from tests.on_site import DATABASE

_NAMES: Final = ("Distribution Archiv", "distr_eu", "distribution")
_SAID: Final = "DIST1 has several distribution databases."


def _read(database: str, *systems: str) -> TargetReading:
    """Read a Distributor with several distribution databases that is in groups of its own, for some systems."""
    lab = build_lab("on-site", noise=False)
    in_groups_of_its_own(lab)
    clock = LabClock(lab)
    target = target_over(SqlServerConnection(LabTransport(lab), clock, ignore, "dist1", "dist1", database=database))
    families = {name: family for system in systems for name, family in families_of(system).items()}
    return read_target("dist1", families, lambda *_asked: target)


@pytest.mark.parametrize(
    ("database", "said"), [("", _SAID), ("distr_us", "DIST1 has no distribution database distr_us.")]
)
def test_a_distributor_in_groups_of_its_own_asks_which_database_is_meant(database: str, said: str) -> None:
    """Its groups are read and can be worked with; the databases are names to choose from, told once."""
    reading = _read(database, REPLICATION, GROUPS)
    discovery = reading.discovery
    assert [system.system_id for system, _found in discovery.by_system] == [GROUPS]
    assert {system for (system, _subject), _site in reading.sites} == {GROUPS}
    assert nothing_here(discovery, SYSTEMS) == ""
    reached = attempt_reached(reading, SYSTEMS)
    assert (reached.state, reached.detail) == (AttemptState.REACHED, said)
    assert reached.choice is not None
    assert (reached.choice.option, reached.choice.names) == ("database", _NAMES)
    assert unread_notice(discovery) == f"Not everything could be read. {said}", "the names stand in the list"


def test_once_one_is_named_nothing_is_asked() -> None:
    """Replication and groups of the server are read beside each other."""
    reading = _read(DATABASE, REPLICATION, GROUPS)
    assert [system.system_id for system, _found in reading.discovery.by_system] == [REPLICATION, GROUPS]
    assert attempt_reached(reading, SYSTEMS).choice is None
    assert unread_notice(reading.discovery) == ""


def test_a_distributor_alone_asks_the_same() -> None:
    """Where nothing else can be read the question is all there is, with the same names."""
    with pytest.raises(NotChosen) as refused:
        _read("", REPLICATION)
    failed = attempt_failed(refused.value)
    assert (failed.state, failed.text) == (AttemptState.FAILED, _SAID)
    assert failed.choice == attempt_reached(_read("", REPLICATION, GROUPS), SYSTEMS).choice
