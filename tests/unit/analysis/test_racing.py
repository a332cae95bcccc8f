"""Racing: what drops out, when it ends, and what it leaves for confirmation."""

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.analysis.estimate import estimate
from app.analysis.noise import judging_noise
from app.analysis.racing import RaceEnd, RaceRules, RaceState, next_block, start_race, update
from app.analysis.student import CONFIDENCE
from app.domain.measurement import Better
from app.domain.setting import Setting
from tests.unit.analysis.making import CALM, DriftingServer, level, measured

STREAMS: dict[Setting, float] = {level(1): 540.5, level(2): 534.5, level(4): 345.3, level(8): 309.5, level(16): 435.2}
FLAT: dict[Setting, float] = {level(value): 300.0 for value in (1, 2, 4, 8, 16)}
BASELINE = level(1)


def _race(true_s: Mapping[Setting, float], rules: RaceRules, cv: float, drift: float = 0.0, seed: int = 1) -> RaceState:
    server = DriftingServer(true_s, cv, drift, seed)
    state = start_race(list(true_s), BASELINE, rules)
    while order := next_block(state):
        state = update(state, server.run_block(order, state.blocks_done + 1))
    return state


def _rules(better: Better = Better.LOWER, most_blocks: int = 4, noise_cv: float | None = None) -> RaceRules:
    return RaceRules(better, minimum_effect=0.05, most_blocks=most_blocks, noise_cv=noise_cv)


def test_race_finds_a_clear_winner_and_stops() -> None:
    """Where one level is clearly best the race ends before its cap, with every other level out and why."""
    state = _race(STREAMS, _rules(), cv=0.02)
    assert (state.end, state.leader, state.racing) == (RaceEnd.WINNER, level(8), (level(8),))
    assert {e.setting for e in state.eliminated} == set(STREAMS) - {level(8)}
    assert all(e.high < 1 and e.block <= state.blocks_done for e in state.eliminated)
    assert next_block(state) == ()


def test_race_drops_settings_by_intervals_of_all_its_comparisons_together() -> None:
    """With the best one and four others racing, each interval is one of four that are to hold together (Bonferroni)."""
    server, state = DriftingServer(STREAMS, 0.02, 0.0, 1), start_race(list(STREAMS), BASELINE, _rules(noise_cv=0.03))
    state = update(state, server.run_block(next_block(state), 1))
    fit = estimate(state.measurements)
    noise = judging_noise(fit.noise, 0.03).noise
    assert noise is not None
    assert len(state.eliminated) > 1
    for out in state.eliminated:
        pair = fit.settings.index(out.best), fit.settings.index(out.setting)
        assert (out.low, out.high) == fit.interval(*pair, noise, CONFIDENCE, comparisons=4)


def test_race_needs_less_than_a_grid_where_one_level_stands_out() -> None:
    """With the noise given at 3 % the race over streams takes at most two thirds of the grid's 15 trials."""
    trials = [len(_race(STREAMS, _rules(noise_cv=0.03), cv=0.03, seed=seed).measurements) for seed in range(20)]
    assert sum(trials) / len(trials) <= 10


def test_race_stops_on_equivalence() -> None:
    """Levels that are equal for all practical purposes end the race; nothing is eliminated for nothing."""
    state = _race(FLAT, _rules(), cv=0.002)
    assert state.end is RaceEnd.EQUIVALENT
    assert state.blocks_done < 4


def test_race_ends_at_its_most_blocks() -> None:
    """Noise that leaves everything open ends the race at the cap, with the best mean as its leader."""
    state = _race(FLAT, _rules(most_blocks=3), cv=0.1, seed=4)
    assert state.end is RaceEnd.MOST_BLOCKS
    assert state.blocks_done == 3
    assert state.leader in state.racing


def test_race_runs_the_baseline_in_every_block() -> None:
    """The baseline goes on running after it is out, so that every block can be compared with it."""
    server = DriftingServer({**STREAMS, level(7): 315.0}, 0.02, 0.0, seed=2)
    state = start_race([*STREAMS, level(7)], BASELINE, _rules())
    blocks = []
    while order := next_block(state):
        blocks.append(order)
        state = update(state, server.run_block(order, state.blocks_done + 1))
    assert BASELINE in {e.setting for e in state.eliminated}
    assert len(blocks[-1]) < len(blocks[0])
    assert all(BASELINE in order for order in blocks)


def test_race_adds_a_baseline_that_is_none_of_the_levels() -> None:
    """What is in effect now takes part, even when the plan did not list it."""
    state = start_race([level(8), level(16)], BASELINE, _rules())
    assert state.racing == (level(1), level(8), level(16))


@CALM
@given(
    st.lists(st.floats(50.0, 500.0), min_size=2, max_size=6, unique_by=lambda v: round(v, 3)),
    st.sampled_from(list(Better)),
    st.sampled_from([None, 0.03]),
)
def test_race_never_eliminates_the_best_of_noise_free_values(
    values: list[float], better: Better, noise_cv: float | None
) -> None:
    """Without noise the best level is never out and always leads."""
    true_s = {level(position): value for position, value in enumerate(values)}
    server = DriftingServer(true_s, 0.0, 0.0, seed=1)
    state = start_race(list(true_s), level(0), _rules(better, noise_cv=noise_cv))
    while order := next_block(state):
        state = update(state, server.run_block(order, state.blocks_done + 1))
    best = (min if better is Better.LOWER else max)(true_s, key=lambda s: true_s[s])
    assert state.leader == best
    assert best in state.racing


def test_race_rarely_eliminates_the_best_of_noisy_values() -> None:
    """At 8 % noise and 6 % drift a clearly best level is thrown out in at most 5 % of races."""
    out = [level(8) not in _race(STREAMS, _rules(), cv=0.08, drift=0.003, seed=seed).racing for seed in range(100)]
    assert sum(out) <= 5


def test_race_goes_on_without_a_trial_that_failed() -> None:
    """A setting whose trial was not used stays in the race; a block without any used trial still counts."""
    state = start_race(list(STREAMS), BASELINE, _rules())
    state = update(state, ())
    assert (state.blocks_done, state.leader, state.end) == (1, None, None)
    state = update(state, [measured(STREAMS[s], s, block=2) for s in STREAMS if s != level(8)])
    assert level(8) in state.racing
    assert state.leader == level(4)


def test_race_that_lost_all_trials_ends_at_its_cap() -> None:
    """Blocks without any used trial do not go on for ever."""
    state = start_race(list(STREAMS), BASELINE, _rules(most_blocks=2))
    for _block in range(2):
        state = update(state, ())
    assert (state.end, state.leader) == (RaceEnd.MOST_BLOCKS, None)


def test_race_ignores_what_comes_after_its_end() -> None:
    """A race that is over stays as it is."""
    state = _race(STREAMS, _rules(), cv=0.02)
    assert update(state, [measured(1.0, level(16), block=9)]) is state


def test_race_whose_baseline_alone_was_measured_waits_for_the_others() -> None:
    """With one setting measured nothing is eliminated and nobody has won."""
    state = update(start_race(list(STREAMS), BASELINE, _rules(noise_cv=0.03)), [measured(540.5, BASELINE)])
    assert (state.leader, state.end, len(state.racing)) == (BASELINE, None, 5)


def test_race_refuses_values_without_a_logarithm() -> None:
    """A value that is not positive is an error here as everywhere."""
    with pytest.raises(ValueError, match="finite and positive"):
        update(start_race(list(STREAMS), BASELINE, _rules()), [measured(0.0, BASELINE)])
