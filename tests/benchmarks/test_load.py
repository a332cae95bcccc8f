"""What watching costs the servers that are watched: round trips for each tick, and everything else a run sends."""

from collections import Counter

import pytest

from app.domain.events import SamplesTaken
from app.domain.plan import Design, Factor, Plan
from app.domain.setting import Setting
from app.domain.statement import Access, StatementRecord
from app.systems.transactional_replication.lab.scenario import scenario_path
from app.systems.transactional_replication.load import Scenario, WorkloadSpec
from tests.benchmarks.lab_sessions import LabSession, run_on_lab

pytestmark = pytest.mark.bench

SHORTEST_TICK_S = 1.0
# Read at a pace of their own: pending commands every two minutes, a tracer token every half minute and where it is,
# what waits for the agents under test every ten seconds.
SLOW = frozenset({"pending_commands", "local_time", "own_tracer_tokens", "tracer_token", "agent_backlog"})
MOST_SLOW_PER_MIN = 20.0


def _plan(scenario: Scenario, rate_per_s: float | None) -> Plan:
    return Plan(
        family="distribution_agent",
        factors=(Factor("SubscriptionStreams", (1, 8)),),
        baseline=Setting.of(SubscriptionStreams=1),
        load=WorkloadSpec(commands=200_000, scenario=scenario, duration_s=600.0, rate_per_s=rate_per_s).to_load(),
        design=Design(blocks=1, confirm_blocks=0, further_blocks=0),
    )


def _ticks(session: LabSession) -> list[tuple[float, list[StatementRecord]]]:
    """Return each tick of each trial: seconds since the last one, and what it read, slow readings left out.

    What tokens tell once a trial is over is no tick: its readings are dated back to when they were posted.
    """
    ticks: list[tuple[float, list[StatementRecord]]] = []
    sent: list[StatementRecord] = []
    trial_id, offset_s = "", 0.0
    for entry in session.told:
        if isinstance(entry, StatementRecord):
            sent.append(entry)
        elif isinstance(entry, SamplesTaken):
            now_s = entry.samples[0].offset_s
            if entry.trial_id == trial_id and now_s <= offset_s:
                continue
            if entry.trial_id == trial_id:
                ticks.append((now_s - offset_s, [r for r in sent if r.access is Access.READ and r.name not in SLOW]))
            trial_id, offset_s = entry.trial_id, now_s
            sent = []
    return ticks


@pytest.mark.parametrize(
    ("scenario", "rate_per_s"),
    [(Scenario.DRAINED, None), (Scenario.CONTINUOUS, None), (Scenario.CONTINUOUS, 400.0)],
    ids=["drained", "saturated", "at a rate"],
)
def test_a_tick_asks_each_server_once_and_no_more_than_once_a_second(
    scenario: Scenario, rate_per_s: float | None
) -> None:
    """While measuring, a tick sends each server one statement at most, at 1 Hz at most; slow readings stand apart."""
    session = run_on_lab(_plan(scenario, rate_per_s), scenario_path("lan"), seed=1)
    ticks = _ticks(session)
    most: Counter[str] = Counter()
    for _interval_s, sent in ticks:
        for server, count in Counter(record.server for record in sent).items():
            most[server] = max(most[server], count)
    shortest_s = min(interval_s for interval_s, _sent in ticks)
    statements = [entry for entry in session.told if isinstance(entry, StatementRecord)]
    print(f"{scenario}, {len(ticks)} ticks of {shortest_s:.1f} s or more; at most one statement a server and tick:")
    for server in sorted({record.server for record in statements}):
        own = [record for record in statements if record.server == server and record.name != "write_load"]
        changes = sum(record.access is Access.CHANGE for record in own)
        watching = sum(record.server == server for _interval_s, sent in ticks for record in sent)
        print(
            f"  {server}: {most[server]} a tick; in all {len(own)} in {session.length_s / 60:.0f} minutes, "
            f"{len(own) / session.length_s:.2f}/s, {watching} of them watching, {changes} changes"
        )
    slow = Counter(record.name for record in statements if record.name in SLOW)
    slow_per_min = slow.total() / (session.length_s / 60)
    told = ", ".join(f"{count} {name}" for name, count in sorted(slow.items())) or "none"
    print(f"  slow readings: {told}; {slow_per_min:.1f} a minute")
    assert slow_per_min <= MOST_SLOW_PER_MIN
    assert len(ticks) > 50
    assert max(most.values()) == 1
    assert shortest_s >= SHORTEST_TICK_S - 1e-6
