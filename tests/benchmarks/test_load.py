"""What watching costs the servers that are watched: round trips for each tick, and everything else a run sends."""

from collections import Counter

import pytest

from app.domain.events import SamplesTaken
from app.domain.plan import Design, Factor, Plan, Scenario, WorkloadSpec
from app.domain.setting import Setting
from app.domain.statement import Access, StatementRecord
from app.lab.scenario import scenario_path
from tests.benchmarks.lab_sessions import LabSession, run_on_lab

pytestmark = pytest.mark.bench

SHORTEST_TICK_S = 1.0


def _plan(scenario: Scenario) -> Plan:
    return Plan(
        family="distribution_agent",
        factors=(Factor("SubscriptionStreams", (1, 8)),),
        baseline=Setting.of(SubscriptionStreams=1),
        workload=WorkloadSpec(commands=200_000, scenario=scenario, duration_s=600.0),
        design=Design(blocks=1, confirm_blocks=0),
    )


def _ticks(session: LabSession) -> list[tuple[float, list[StatementRecord]]]:
    """Return each tick of each trial: seconds since the last one, and the statements that only read, sent between."""
    ticks: list[tuple[float, list[StatementRecord]]] = []
    sent: list[StatementRecord] = []
    trial_id, offset_s = "", 0.0
    for entry in session.told:
        if isinstance(entry, StatementRecord):
            sent.append(entry)
        elif isinstance(entry, SamplesTaken):
            now_s = entry.samples[0].offset_s
            if entry.trial_id == trial_id:
                ticks.append((now_s - offset_s, [record for record in sent if record.access is Access.READ]))
            trial_id, offset_s = entry.trial_id, now_s
            sent = []
    return ticks


@pytest.mark.parametrize("scenario", list(Scenario))
def test_a_tick_asks_each_server_once_and_no_more_than_once_a_second(scenario: Scenario) -> None:
    """While measuring, a tick sends each server one statement at most, at 1 Hz at most; the workload is not counted."""
    session = run_on_lab(_plan(scenario), scenario_path("lan"), seed=1)
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
    assert len(ticks) > 50
    assert max(most.values()) == 1
    assert shortest_s >= SHORTEST_TICK_S - 1e-6
