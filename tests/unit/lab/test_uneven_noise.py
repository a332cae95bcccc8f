"""Noise like that of a server nobody keeps quiet: what each of its parts does, taken by itself."""

import numpy as np
import pytest

from app.systems.transactional_replication.lab.noise import AgentNoise
from app.systems.transactional_replication.lab.scenario import load_scenario, scenario_path

QUIET = {
    "setting_spread": 0.0,
    "autocorrelation": 0.0,
    "outlier_probability": 0.0,
    "burst_probability": 0.0,
    "step_share": 0.0,
}
CONSTANTS = load_scenario(scenario_path("lan-uneven")).noise


def noise(seed: int = 1, **changed: float) -> AgentNoise:
    """Return noise of which only the changed constants are not quiet."""
    assert CONSTANTS.uneven is not None
    uneven = CONSTANTS.uneven.model_copy(update={**QUIET, **changed})
    return AgentNoise(CONSTANTS.model_copy(update={"uneven": uneven}), seed, enabled=True)


def logs(made: AgentNoise, settings: str = "8", sessions: int = 1_000) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Return ln of the factors of successive sessions."""
    return np.log([made.session_factor(0, 1, session, settings) for session in range(sessions)])


def test_settings_have_noise_of_their_own() -> None:
    """Without a spread all vary by the scenario's 4 %."""
    levels = [str(number) for number in range(12)]
    same = [logs(noise(), level, 300).std() for level in levels]
    spread = [logs(noise(setting_spread=0.5), level, 300).std() for level in levels]
    assert same == pytest.approx([0.04] * 12, rel=0.15)
    assert max(spread) > 2 * min(spread)


def test_sessions_follow_the_one_before() -> None:
    """The correlation from one session to the next is the scenario's; the scatter stays the same."""
    series = logs(noise(autocorrelation=0.5))
    assert np.corrcoef(series[:-1], series[1:])[0, 1] == pytest.approx(0.5, abs=0.1)
    assert series.std() == pytest.approx(0.04, rel=0.15)


def test_some_sessions_are_slowed_down() -> None:
    """One in twenty, by 60 %."""
    slow = logs(noise(outlier_probability=0.05)) > 0.3
    assert slow.mean() == pytest.approx(0.05, abs=0.025)


def test_bursts_and_a_step_slow_the_whole_machine() -> None:
    """A tenth of all spans by 15 %; from two hours on by 5 % for good."""
    bursts = noise(burst_probability=0.1)
    factors = [bursts.drift_factor(300.0 * span + 1.0) for span in range(1_000)]
    assert set(factors) == {1.0, 1.15}
    assert factors.count(1.15) == pytest.approx(100, abs=35)
    step = noise(step_share=0.05)
    assert (step.drift_factor(7_199.0), step.drift_factor(7_200.0)) == (1.0, 1.05)


def test_the_same_seed_draws_the_same_and_a_quiet_lab_nothing() -> None:
    """Whatever else happens, and with noise off the factor is 1."""
    assert logs(noise(3), sessions=5) == pytest.approx(logs(noise(3), sessions=5))
    off = AgentNoise(CONSTANTS, 1, enabled=False)
    assert (off.session_factor(0, 1, 1, "8"), off.drift_factor(9_000.0)) == (1.0, 1.0)
