"""A past lived through once is the same for every lab that begins behind it, and none changes it for another."""

from app.systems.transactional_replication.lab.scenario import PastConstants, Scenario, load_scenario, scenario_path
from app.systems.transactional_replication.lab_server.state import LabState, lived_state

_PAST = PastConstants(commands_per_s=(20.0, 300.0), commands_per_transaction=2.5, backlog_commands=50_000)


def _scenario() -> Scenario:
    return load_scenario(scenario_path("busy-day")).model_copy(update={"past": _PAST})


def _after_a_minute(state: LabState) -> tuple[object, ...]:
    """Go on while agents are in the midst of reading, writing and delivering; return what is known then."""
    state.lab.write_transactions(0, 1_000, (1, 4), 7)
    state.advance(60.0)
    agents = [state.agent_state(agent) for agent in state.site.agents]
    known = [(agent.total_delivered_commands, agent.last_delivery_s, agent.latency_s) for agent in agents]
    rows = [tuple(history.rows) for history in state.history.values()]
    return state.lab.now_s, known, rows, state.other_work.counts("DIST1")


def test_a_kept_past_goes_on_like_the_one_just_lived_through() -> None:
    """Twice the same, and the same as where nothing is kept: what waits to happen belongs to the lab it happens in."""
    lived = LabState(_scenario(), 3, None)
    lived.live_through(_PAST, 3)
    kept = [lived_state(_scenario(), 3, None) for _lab in range(3)]
    expected = _after_a_minute(lived)
    assert _after_a_minute(kept[0]) == expected
    assert kept[1].lab.now_s < kept[0].lab.now_s
    assert _after_a_minute(kept[1]) == expected
    assert _after_a_minute(lived_state(_scenario(), 4, None)) != expected
    assert _after_a_minute(lived_state(_scenario(), 3, None)) == expected
