"""The published Streams tests are read as they stand, and are the published ones."""

import json
from pathlib import Path

from app.foundation.paths import resource_path
from app.services.explain.importing import columns_of, published_sources, read_measurements
from app.services.explain.importing.experiments import experiments
from app.systems.oracle_streams.families.streams_apply import FAMILY

FACTS = Path(__file__).parents[2] / "facts" / "published.json"
FILE = resource_path("published", "oracle-streams-2009.csv")
COLUMNS = {"streams_apply": columns_of(FAMILY)}
METRICS = {"elapsed": ("run_time",), "streams_pool_used_up_to": ("source_pool", "destination_pool")}
SCALE = {"min": 60.0, "% of 4 GB": 0.01}


def test_every_printed_number_is_in_the_file() -> None:
    """Times and pauses of the four tests in seconds, spills in messages, pools in shares, under their load."""
    points = [p for p in json.loads(FACTS.read_text(encoding="utf-8"))["points"] if p["seed"].startswith("004")]
    wanted = {
        (p["conditions"]["test"], metric): p["value"] * SCALE.get(p["units"], 1.0)
        for p in points
        if p["kind"] == "measured"
        for metric in METRICS.get(p["metric"], (p["metric"],))
    }
    read = read_measurements(FILE, COLUMNS).measurements
    found = {(int(m.trial_id.rsplit("-", 1)[-1]), m.metric): m.value for m in read}
    assert found.keys() == wanted.keys()
    assert all(abs(found[key] - wanted[key]) < 1e-6 for key in wanted)
    loads = {(m.conditions["operation"], m.conditions["rows"], m.conditions["rows_per_commit"]) for m in read}
    assert loads == {("insert", 1_000_000, 500), ("update", 100_000, 100_000), ("update", 300_000, 300_000)}


def test_two_of_the_tests_make_an_experiment() -> None:
    """Tests 3 and 4 differ in the threshold only; the others have nothing to be compared with."""
    read = read_measurements(FILE, COLUMNS).measurements
    made = [e for e in experiments(read, COLUMNS) if e.metric == "run_time"]
    assert [(e.factor, [m.value for m in e.measurements]) for e in made] == [
        ("TXN_LCR_SPILL_THRESHOLD", [1_260.0, 540.0])
    ]


def test_the_source_says_what_no_spill_means() -> None:
    """The caveats of the article stand with the file: whole minutes, staging, assumed values."""
    [source] = [s for s in published_sources() if s.path.name == FILE.name]
    assert "whole minutes" in source.measured
    assert "staged" in source.measured
    assert "PARALLELISM" in source.not_stated
