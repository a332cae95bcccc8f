"""The client's DBA recomputes: every number the demonstration prints, from measurements.csv alone, by a second path.

Nothing of `app.analysis` is used here: least squares, Student's quantiles and the rules of a confirmation are written
down once more, as a reader of the method would.
"""

import csv
import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, median, variance
from typing import Any

import numpy as np
import pytest
from pypdf import PdfReader

from tests.e2e.program import run_alone

pytestmark = pytest.mark.prove

FLOOR = 0.01
FACTORS = ("ReadBatchSize", "SubscriptionStreams", "CommitBatchSize")


@dataclass(frozen=True)
class Value:
    """One line of measurements.csv."""

    experiment: str
    trial: str
    block: int
    phase: str
    metric: str
    value: float
    level: int


@dataclass(frozen=True)
class Demo:
    """What the demonstration handed over."""

    values: tuple[Value, ...]
    document: dict[str, Any]
    told: str
    report: str

    def of(self, comparison: dict[str, Any], phase: str) -> list[Value]:
        """Return the values of a comparison's experiment and measure."""
        experiment = comparison["trials"]["from"][0].split("-")[0]
        return [
            v for v in self.values if (v.experiment, v.metric, v.phase) == (experiment, comparison["metric"], phase)
        ]


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Demo:
    """Run two families of the demonstration: settling blocks, a race, and a site with uneven noise."""
    folder = tmp_path_factory.mktemp("demo")
    ended = run_alone("demo", "--family", "log_reader", "--family", "distribution_agent", "--json", "--out", folder)
    pages = PdfReader(folder / "report.pdf").pages
    text = " ".join(" ".join(page.extract_text() for page in pages).split())
    return Demo(tuple(_read(folder / "measurements.csv")), ended.json(), ended.err, text.replace("\u2212", "-"))


def _read(path: Path) -> Iterator[Value]:
    with path.open(encoding="utf-8-sig", newline="") as stream:
        for row in csv.DictReader(stream):
            level = next(int(row[name]) for name in FACTORS if row[name])
            head = (row["run"].split("-")[0], row["run"], int(row["block"]), row["phase"])
            yield Value(*head, row["metric"], float(row["value"]), level)


def t_quantile(share: float, degrees: float) -> float:
    """Return Student's quantile: its density summed by Simpson's rule, the root by halving."""
    scale = math.exp(math.lgamma((degrees + 1) / 2) - math.lgamma(degrees / 2)) / math.sqrt(degrees * math.pi)

    def above_half(t: float) -> float:
        x = np.linspace(0.0, t, 4001)
        y = scale * (1 + x * x / degrees) ** (-(degrees + 1) / 2)
        return float((y[0] + y[-1] + 4 * y[1:-1:2].sum() + 2 * y[2:-1:2].sum()) * t / 4000 / 3)

    low, high = 0.0, 2_000.0
    for _halving in range(70):
        middle = (low + high) / 2
        low, high = (middle, high) if above_half(middle) < share - 0.5 else (low, middle)
    return low


def additive(values: Sequence[Value]) -> tuple[dict[int, float], float, int]:
    """Return each level's log mean beside the first, the residual sum of squares, and its degrees of freedom."""
    levels, blocks = sorted({v.level for v in values}), sorted({v.block for v in values})
    design = np.zeros((len(values), len(levels) + len(blocks) - 1))
    for row, v in enumerate(values):
        design[row, levels.index(v.level)] = 1
        if v.block != blocks[0]:
            design[row, len(levels) + blocks.index(v.block) - 1] = 1
    logs = np.log([v.value for v in values])
    solved = np.linalg.lstsq(design, logs, rcond=None)[0]
    rest = float(((logs - design @ solved) ** 2).sum())
    return dict(zip(levels, solved, strict=False)), rest, len(values) - int(np.linalg.matrix_rank(design))


def confirmed(differences: Sequence[float], s0: float, v: int) -> tuple[float, float, float]:
    """Return ratio and printed interval of a confirmation without a disturbed pair."""
    n, mean = len(differences), fmean(differences)
    own = variance(differences) / 2
    borrowed = min(4, v) * min(1.0, s0**2 / own)
    degrees = borrowed + n - 1
    joint = t_quantile(0.975, degrees) * math.sqrt(2 * max((borrowed * s0**2 + (n - 1) * own) / degrees, FLOOR**2) / n)
    alone = t_quantile(0.992, n - 1) * math.sqrt(2 * max(own, FLOOR**2) / n)
    half = joint if abs(mean) <= joint else max(joint, alone)
    low, high = mean - half, mean + half
    if abs(mean) > joint and abs(mean) <= alone:
        low, high = min(mean - joint, 0.0), max(mean + joint, 0.0)
    return math.exp(mean), math.exp(low), math.exp(high)


def explored(values: Sequence[Value], reference: int, candidate: int, looks: int) -> tuple[float, float, float]:
    """Return ratio and interval of one of an exploring experiment's comparisons; every block holds every level.

    A race looks after each block, so that its error is shared by as many looks as it may have.
    """
    means, rest, degrees = additive(values)
    at = {(v.block, v.level): math.log(v.value) for v in values}
    blocks, levels = sorted({v.block for v in values}), len(means)
    differences = [at[block, candidate] - at[block, reference] for block in blocks]
    own = variance(differences) / 2
    others = degrees - (len(blocks) - 1)
    shared = (rest - (len(blocks) - 1) * own) / others
    borrowed = min(4, others) * min(1.0, max(shared, FLOOR**2) / own)
    freedom = borrowed + len(blocks) - 1
    noise = max((borrowed * shared + (len(blocks) - 1) * own) / freedom, FLOOR**2)
    half = t_quantile(1 - 0.025 / (levels - 1) / looks, freedom) * math.sqrt(2 * noise / len(blocks))
    mean = means[candidate] - means[reference]
    return math.exp(mean), math.exp(mean - half), math.exp(mean + half)


def test_every_comparison_comes_out_again(demo: Demo) -> None:
    """Ratio, interval and the trials counted, of what was confirmed and of what was only explored."""
    checked: Counter[str] = Counter()
    for c in demo.document["comparisons"]:
        values = demo.of(c, c["phase"])
        sides = {end: {v.trial for v in values if v.level == c[end]} for end in ("from", "to")}
        assert {end: set(c["trials"][end]) for end in sides} == sides, c
        assert c["runs"] == {end: len(trials) for end, trials in sides.items()}, c
        if c["phase"] == "confirm":
            exploring = [v for v in demo.of(c, "explore") if not _stands_out(demo, v.trial)]
            _means, rest, degrees = additive(exploring)
            at = {(v.block, v.level): math.log(v.value) for v in values}
            both = [b for b in sorted({v.block for v in values}) if (b, c["from"]) in at and (b, c["to"]) in at]
            s0 = max(math.sqrt(rest / degrees), FLOOR)
            expected = confirmed([at[b, c["to"]] - at[b, c["from"]] for b in both], s0, degrees)
        elif len({(v.block, v.level) for v in values}) == len({v.block for v in values}) * len(
            {v.level for v in values}
        ):
            expected = explored(values, c["from"], c["to"], _looks(demo, values[0].experiment))
        else:  # blocks that settled the simplest hold some levels only
            at = {(v.block, v.level): math.log(v.value) for v in values}
            both = [b for b in {v.block for v in values} if (b, c["from"]) in at and (b, c["to"]) in at]
            assert math.log(c["ratio"]) == pytest.approx(fmean(at[b, c["to"]] - at[b, c["from"]] for b in both)), c
            checked["ratio alone"] += 1
            continue
        assert (c["ratio"], *c["ci95"]) == pytest.approx(expected, rel=1e-4), c
        checked[c["phase"]] += 1
    assert checked["confirm"] >= 2, checked
    assert checked["explore"] >= 7, checked
    assert checked.total() == len(demo.document["comparisons"])


def _looks(demo: Demo, experiment: str) -> int:
    """Return how often an experiment may be looked at while exploring, as its design in the report says."""
    race = re.search(rf"Experiment {experiment}:(?:(?!Experiment E).)*? at most (\d+) exploring blocks", demo.report)
    return int(race[1]) if race else 1


def _stands_out(demo: Demo, trial: str) -> bool:
    return any(warning.startswith(f"{trial} ") for warning in demo.document["warnings"])


def test_each_setting_has_one_estimate_under_one_name(demo: Demo) -> None:
    """Decision, table and report say the same of a setting: the mean of its confirming trials, else of the others."""
    gains = [d["gain"] for d in demo.document["decisions"] if d["kind"] == "change"]
    claims = {(c["factor"], c["ratio"]): c for c in demo.document["comparisons"] if c["phase"] == "confirm"}
    assert len(gains) >= 2
    for gain in gains:
        c = next(c for (_factor, ratio), c in claims.items() if ratio == gain["ratio"])
        amounts = []
        for end, said in (("from", gain["before"]), ("to", gain["after"])):
            logs = [math.log(v.value) for v in demo.of(c, "confirm") if v.level == c[end]]
            assert said == pytest.approx(math.exp(fmean(logs)), rel=1e-9)
            amounts.append(_minutes(said))
            table = _table(demo, c["factor"])
            assert _row(table, f"{c['factor']} {c[end]}")["run_time"] == pytest.approx(said, rel=1e-9)
        assert f"{amounts[1]} instead of {amounts[0]}" in demo.report
        assert f"{_two_digits((1 - c['ratio']) * 100)} %" in demo.report


def test_every_cell_of_the_tables_comes_out_again(demo: Demo) -> None:
    """The measure of the claims as the mean just said, all others as medians; shares in percent."""
    checked = 0
    for table in demo.document["tables"]:
        for row in table["rows"]:
            factor, level = row[0].rsplit(" ", 1)
            for column, cell in zip(table["columns"][1:], row[1:], strict=True):
                values = [
                    v
                    for v in demo.values
                    if v.metric == column["key"] and v.level == int(level) and v.experiment == _experiment(demo, factor)
                ]
                if isinstance(cell, str):
                    assert not values
                    continue
                counted = [v for v in values if v.phase == "confirm"] or values
                expected = (
                    math.exp(fmean(math.log(v.value) for v in counted))
                    if column["key"] == "run_time"
                    else median(v.value for v in values) * (100 if column["unit"] == "%" else 1)
                )
                assert cell["value"] == pytest.approx(expected, rel=1e-9), (row[0], column)
                checked += 1
    assert checked > 50


def test_the_facts_of_findings_come_out_again(demo: Demo) -> None:
    """Gains in percent with their intervals, and how many trials stand behind them at least."""
    by_ratio = {round((1 - c["ratio"]) * 100, 6): c for c in demo.document["comparisons"]}
    checked = 0
    for finding in demo.document["findings"]:
        facts = {fact["name"]: fact["value"] for fact in finding["facts"]}
        if "gain_percent" not in facts:
            continue
        c = by_ratio[round(facts["gain_percent"], 6)]
        if "gain_low_percent" in facts:
            ends = ((1 - c["ci95"][1]) * 100, (1 - c["ci95"][0]) * 100)
            assert (facts["gain_low_percent"], facts["gain_high_percent"]) == pytest.approx(ends)
        if "trials_per_setting" in facts:
            assert facts["trials_per_setting"] == min(c["runs"].values())
        checked += 1
    assert checked >= 3


def test_what_is_open_is_counted_alike_everywhere(demo: Demo) -> None:
    """Terminal and report count the same comparisons: of an experiment that confirmed nothing all it made."""
    experiments: dict[str, list[dict[str, Any]]] = {}
    for c in demo.document["comparisons"]:
        experiments.setdefault(c["factor"], []).append(c)
    answers = [
        "cannot_tell" if not any(one["phase"] == "confirm" for one in made) and c["verdict"] in ("improvement", "worse")
        else c["verdict"]
        for made in experiments.values()
        for c in [one for one in made if one["phase"] == "confirm"] or made
    ]  # fmt: skip
    counts = Counter(answers)
    assert f"{counts['improvement']} improved, {counts['worse']} worse" in demo.told
    assert f"{counts['cannot_tell']} that cannot be told yet" in demo.told
    assert f"Comparisons that settle nothing: {counts['cannot_tell']} of {len(answers)}" in demo.report
    trials = len({v.trial for v in demo.values})
    assert re.search(rf"\b{trials} trials were run on .*?; {trials} of them are used", demo.report)


def _experiment(demo: Demo, factor: str) -> str:
    return str(
        next(c for c in demo.document["comparisons"] if c["factor"] == factor)["trials"]["from"][0].split("-")[0]
    )


def _table(demo: Demo, factor: str) -> dict[str, Any]:
    (table,) = (t for t in demo.document["tables"] if f"/{factor}/" in t["id"])
    return dict(table)


def _row(table: dict[str, Any], label: str) -> dict[str, float]:
    row = next(row for row in table["rows"] if row[0] == label)
    cells = zip(table["columns"][1:], row[1:], strict=True)
    return {column["key"]: cell["value"] for column, cell in cells if not isinstance(cell, str)}


def _minutes(seconds: float) -> str:
    return f"{round(seconds) // 60} min {round(seconds) % 60} s"


def _two_digits(percent: float) -> str:
    return f"{percent:.0f}" if percent >= 10 else f"{percent:.1f}"
