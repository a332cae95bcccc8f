"""The statistics' promises on the lab, as `make bench` prints them; `make prove` has more sessions of the same."""

from pathlib import Path

import pytest

from app.domain.plan import Stop
from tests.benchmarks.coverage import READ_BATCH, STREAMS, Pair, measure_coverage
from tests.benchmarks.false_claims import count_false_claims
from tests.benchmarks.figures import fewest_by_chance, most_by_chance

pytestmark = [pytest.mark.bench, pytest.mark.timeout(600)]

FALSE_CLAIM_SHARE = 0.05
COVERAGE_SESSIONS = 250


@pytest.mark.parametrize(
    ("stop", "seeds"), [(Stop.BLOCKS, range(1, 201)), (Stop.RACE, range(1_001, 1_201))], ids=["blocks", "race"]
)
def test_false_claims(stop: Stop, seeds: range, tmp_path: Path) -> None:
    """No effect, 3 % noise, 6 % drift in each session: no more sessions claim something than 5 % and chance explain."""
    found = count_false_claims(stop, seeds, tmp_path)
    print(f"no effect, stop = {stop}, {len(seeds)} sessions; budget of false claims 5 %:\n{found}")
    assert found.claiming.count <= most_by_chance(len(seeds), FALSE_CLAIM_SHARE)


@pytest.mark.parametrize("pair", [STREAMS, READ_BATCH], ids=lambda pair: pair.factor)
def test_coverage(pair: Pair, tmp_path: Path) -> None:
    """95 % intervals hold the true ratio in 93–97 % of sessions, as far as so few sessions can tell."""
    found = measure_coverage(pair, range(1, COVERAGE_SESSIONS + 1), tmp_path)
    print(f"coverage of 95 % intervals on the calibrated lab; budget 93–97 %:\n{found}")
    for share in found.covered.values():
        assert fewest_by_chance(share.of, 0.93) <= share.count <= most_by_chance(share.of, 0.97)
