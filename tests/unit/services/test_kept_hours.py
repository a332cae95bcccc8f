"""Hours of history that a session keeps, for those who ask days later."""

from datetime import timedelta

from app.domain.session import Environment
from app.systems.availability_groups.system import SYSTEM as GROUPS
from app.systems.transactional_replication.agent_kind import AgentKind
from app.systems.transactional_replication.past import past_hour
from app.systems.transactional_replication.site import Replication, kept_texts
from app.systems.transactional_replication.system import SYSTEM
from tests.report.kept import replication_of
from tests.store.sample import TOPOLOGY
from tests.unit.services.test_advising import STREAMS, SWEEP, measured, with_a_day

AGENT = TOPOLOGY.agents_of(AgentKind.DISTRIBUTION)[0]
SUBJECT = AgentKind.DISTRIBUTION.value


def test_the_hours_of_one_agent_are_told_as_a_server_tells_them() -> None:
    """Those of the agent a promise is about, and of no other; each with all a promise is held against."""
    (environment,) = with_a_day(measured(STREAMS, SWEEP)).environments
    hours = SYSTEM.kept_hours(environment, SUBJECT, AGENT.name)
    assert hours == tuple(past_hour(hour) for hour in replication_of(environment).hours or ())
    assert (len(hours), hours[0].commands, hours[0].hour_utc - hours[1].hour_utc) == (24, 1_000, timedelta(hours=1))
    assert SYSTEM.kept_hours(environment, AgentKind.LOG_READER.value, AGENT.name) == ()
    assert SYSTEM.kept_hours(environment, SUBJECT, "another agent") == ()


def test_a_file_without_hours_tells_none() -> None:
    """Of a version that kept no history, of another target, and of a system whose servers keep none."""
    before = Environment("lab:lan", kept=kept_texts(Replication(TOPOLOGY, ())))
    assert SYSTEM.kept_hours(before, SUBJECT, AGENT.name) == ()
    assert SYSTEM.kept_hours(Environment("x"), SUBJECT, AGENT.name) == ()
    assert GROUPS.kept_hours(before, "replica", "R") == ()
