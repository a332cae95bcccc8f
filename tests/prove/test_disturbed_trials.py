"""Disturbed trials are found though they hide each other, and undisturbed ones left alone, by simulation.

The figures are printed (`pytest -rP` shows them) and recorded as properties of the tests.
"""

from collections.abc import Callable

import numpy as np
import pytest

from app.analysis.disturbed import undisturbed
from app.domain.measurement import Measurement
from tests.prove.shares import Share
from tests.unit.analysis.making import table

pytestmark = pytest.mark.prove

Record = Callable[[str, object], None]

LOG_SD = 0.03
MOST_FLAGGED = 0.06  # 5 %, and what 1,200 sessions do not know


def _session(
    random: np.random.Generator, settings: int, blocks: int, slow: int
) -> tuple[tuple[Measurement, ...], set[str]]:
    """Return one session without an effect, and the trials in it that took 1.5 to 2 times as long, of any settings."""
    logs = LOG_SD * random.standard_normal((settings, blocks))
    for place in random.choice(settings * blocks, slow, replace=False):
        logs[divmod(int(place), blocks)] += np.log(random.uniform(1.5, 2.0))
    rows = table({setting: [float(value) for value in 300 * np.exp(logs[setting])] for setting in range(settings)})
    return rows, {m.trial_id for m in rows if m.value > 300 * 1.5 * np.exp(-3 * LOG_SD)}


def _standing_out(rows: tuple[Measurement, ...]) -> set[str]:
    """Return the trials that stand out, those along that count as what may be their setting's own doing."""
    told = undisturbed(rows)
    return {m.trial_id for m in (*told.disturbed, *told.own)}


@pytest.mark.parametrize(("settings", "blocks"), [(3, 3), (4, 3), (5, 3), (8, 3), (16, 3), (5, 6), (3, 10)])
def test_undisturbed_sessions_are_left_alone(settings: int, blocks: int, share: Share, record_property: Record) -> None:
    """A trial of theirs is flagged in at most 5 % of sessions, whatever the plan."""
    random, count = np.random.default_rng(settings * 100 + blocks), share.draws(1_200)
    flagged = sum(bool(_standing_out(_session(random, settings, blocks, 0)[0])) for _ in range(count)) / count
    line = f"{settings} settings, {blocks} blocks: flagged in {flagged:.1%} of {count} sessions"
    record_property("flagged", line)
    print(line)
    assert flagged <= MOST_FLAGGED + (0.02 if share.parts > 1 else 0.0), line


@pytest.mark.parametrize(("slow", "least"), [(1, 0.95), (2, 0.75), (3, 0.45)])
def test_disturbed_trials_are_found_all_and_no_other(
    slow: int, least: float, share: Share, record_property: Record
) -> None:
    """Of 15 trials up to three; two of the same setting's three are the majority, and its third one stands out then."""
    random, count, exact = np.random.default_rng(slow), share.draws(900), 0
    for _session_number in range(count):
        rows, slowed = _session(random, 5, 3, slow)
        exact += _standing_out(rows) == slowed
    line = f"{slow} of 15 disturbed: exactly these found in {exact / count:.1%} of {count} sessions"
    record_property("found", line)
    print(line)
    assert exact / count >= least, line
