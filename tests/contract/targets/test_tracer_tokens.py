"""A tracer token is undone by its id, or by the seconds it can have been posted in; never somebody else's."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from app.domain.change import Change
from app.domain.errors import ChangedByOthers, TargetError, Unsupported
from app.domain.setting import Value
from app.drivers.sqlserver.catalogue import catalogue
from app.drivers.sqlserver.scripts import only_at_server
from app.drivers.sqlserver.session import Place, Rows
from app.foundation.rows import Row
from app.runner.undo import SafeChanger
from app.systems.transactional_replication.lab_server.state import PostedToken
from app.systems.transactional_replication.offer import agent_ports
from app.systems.transactional_replication.server.tracer_tokens import plan_tracer_token, read_token_clocks
from app.systems.transactional_replication.topology import TokenClocks, TracerLatency
from tests.contract.statements.test_statements import check_batch
from tests.contract.targets.checking import Bench, make_bench
from tests.unit.runner.memory import MemoryClock, MemoryJournal


def planned(bench: Bench) -> Change:
    """Return the change that posts a token for the first Distribution Agent."""
    return agent_ports(bench.target).agent_changes.plan_tracer_token(bench.own_server())


def posted(bench: Bench) -> Change:
    """Post a token and return the change as it was made."""
    made = bench.target.changes.apply(planned(bench))
    assert made is not None
    return made


def tokens(bench: Bench) -> set[int]:
    """Return the ids of all tokens the servers know."""
    return set(bench.server.state.tokens)


def post_as_somebody_else(bench: Bench) -> int:
    """Post a token with another tool and return its id."""
    before = tokens(bench)
    posted(bench)
    return (tokens(bench) - before).pop()


def test_undo_deletes_its_own_token_and_no_other() -> None:
    """Tokens of before, of after and of the same moment stay; undoing twice does no harm."""
    bench = make_bench()
    others = {post_as_somebody_else(bench)}
    bench.target.clock.sleep(20)
    others.add(post_as_somebody_else(bench))
    change = posted(bench)
    others.add(post_as_somebody_else(bench))
    assert bench.target.changes.is_applied(change)
    for _again in range(2):
        bench.target.changes.undo(change)
        assert bench.target.changes.is_undone(change)
        assert tokens(bench) == others


@pytest.mark.parametrize("was_posted", [True, False])
def test_a_token_whose_id_was_never_learned_is_found_by_its_seconds(*, was_posted: bool) -> None:
    """The program died between the server's answer and its own disk: the only token of those seconds is the one."""
    bench = make_bench()
    others = {post_as_somebody_else(bench)}
    bench.target.clock.sleep(20)
    change = planned(bench)
    if was_posted:
        bench.target.changes.apply(change)
    bench.target.clock.sleep(20)
    others.add(post_as_somebody_else(bench))
    assert bench.target.changes.is_applied(change) is was_posted
    bench.target.changes.undo(change)
    assert tokens(bench) == others
    assert bench.target.changes.is_undone(change)


def test_of_two_in_the_same_seconds_none_is_deleted() -> None:
    """Which is whose cannot be told: both are left, and it is said; the journal keeps it until they are gone."""
    bench = make_bench()
    change = planned(bench)
    bench.target.changes.apply(change)
    post_as_somebody_else(bench)
    assert len(tokens(bench)) == 2
    with pytest.raises(ChangedByOthers, match="2 were posted within the same 10 seconds"):
        bench.target.changes.undo(change)
    assert len(tokens(bench)) == 2
    bench.server.state.tokens.clear()
    bench.target.changes.undo(change)


def test_a_publisher_that_stamps_in_utc_is_understood() -> None:
    """Which clock a token carries is not documented: both spans are looked at."""
    bench = make_bench()
    change = planned(bench)
    bench.target.changes.apply(change)
    ((tracer_id, token),) = bench.server.state.tokens.items()
    stamped = datetime.fromisoformat(token.posted_local) - timedelta(hours=1)
    bench.server.state.tokens[tracer_id] = PostedToken(token.token, token.pair, stamped.isoformat(" ", "milliseconds"))
    bench.target.changes.undo(change)
    assert tokens(bench) == set()


def test_nothing_is_posted_once_its_moment_has_passed() -> None:
    """A laptop that slept in between posts nothing an undo would not find."""
    bench = make_bench()
    change = planned(bench)
    bench.target.clock.sleep(6)
    with pytest.raises(TargetError, match="its moment had passed"):
        bench.target.changes.apply(change)
    assert tokens(bench) == set()
    bench.target.changes.undo(change)


def test_each_token_is_restored_for_itself() -> None:
    """One that cannot be told apart does not keep the others of its publication, older or newer, from being deleted."""
    bench = make_bench()
    journal = MemoryJournal([])
    changer = SafeChanger(bench.target, journal, "S1")
    changer.apply(planned(bench))
    bench.target.clock.sleep(30)
    unknown = planned(bench)
    journal.record_intent("S1", bench.target.key, unknown)
    bench.target.changes.apply(unknown)
    other = post_as_somebody_else(bench)
    bench.target.clock.sleep(30)
    changer.apply(planned(bench))
    problems = changer.restore(lambda _change: None)
    assert len(problems) == 1
    assert "cannot be told" in problems[0]
    assert len(tokens(bench)) == 2
    assert other in tokens(bench)
    assert [entry.change for entry in journal.open_entries()] == [unknown]


def test_a_shared_agent_has_no_publication_to_post_in() -> None:
    """Its agent's publication reads ALL."""
    bench = make_bench()
    shared = replace(bench.own_server(), publication="ALL")
    with pytest.raises(Unsupported, match="shared by several publications"):
        plan_tracer_token(bench.session, shared, "distribution")
    with pytest.raises(Unsupported, match="no Distribution Agent"):
        plan_tracer_token(bench.session, bench.reader(), "distribution")


def test_the_scripts_delete_one_token_or_list_it() -> None:
    """With the id the script deletes it at the Publisher; without it a person sees what may be it, and what to do."""
    bench = make_bench()
    plan = planned(bench)
    made = bench.target.changes.apply(plan)
    assert made is not None
    assert f"@tracer_id int = {made.detail('tracer_id')};" in made.undo_sql
    assert "sp_deletetracertokenhistory @publication" in made.undo_sql
    assert "EXEC" not in plan.undo_sql
    assert "delete it with sys.sp_deletetracertokenhistory in Sales1 on PUB1" in plan.undo_sql
    for script, server in ((plan.apply_sql, "PUB1"), (plan.undo_sql, "DIST1"), (made.undo_sql, "PUB1")):
        assert f"-- Run at: {server}" in script
        batch = script.split("\nGO\n")[1]
        assert batch.startswith(only_at_server(server))
        check_batch(catalogue()["server_info"], batch.removeprefix(only_at_server(server)))


class _Clocks:
    """A session of servers that answer what time it is."""

    own_server = "DIST1"
    database = ""

    def __init__(self, now: Callable[[str], tuple[datetime, datetime]]) -> None:
        self._now = now

    def run(self, name: str, place: Place, **_parameters: Value) -> Rows:
        """Answer with the server's time of day and its UTC."""
        local, utc = self._now(place.server)
        cells = tuple(moment.isoformat(" ", "milliseconds") for moment in (local, utc))
        return (Row(catalogue()[name].positions, cells),)

    def close(self) -> None:
        """Nothing to close."""


def test_the_difference_of_the_clocks_is_no_latency() -> None:
    """A Publisher two seconds ahead makes the first leg look shorter, a Subscriber half a second ahead the second."""
    ahead = {"DIST1": 10.0, "PUB1": 12.0, "SUB1": 10.5}
    clock = MemoryClock()

    def now(server: str) -> tuple[datetime, datetime]:
        utc = clock.now_utc().replace(tzinfo=None) + timedelta(seconds=ahead[server])
        return utc + timedelta(hours=1), utc

    clocks = read_token_clocks(_Clocks(now), clock, make_bench().own_server())
    assert clocks == TokenClocks(2.0, 0.5)
    assert clocks.corrected(TracerLatency(-1.5, 1.0)) == TracerLatency(0.5, 0.5)
    assert clocks.corrected(TracerLatency(None, None)) == TracerLatency(None, None)


def test_servers_in_several_time_zones_have_no_tokens() -> None:
    """Each stamps with its own time of day: hours would be taken for latency."""
    clock = MemoryClock()

    def now(server: str) -> tuple[datetime, datetime]:
        utc = clock.now_utc().replace(tzinfo=None)
        return utc + timedelta(hours=6 if server == "SUB1" else 1), utc

    with pytest.raises(Unsupported, match="SUB1 is in another time zone than DIST1"):
        read_token_clocks(_Clocks(now), clock, make_bench().own_server())
