"""The client's DBA recomputes: every number the demonstration prints, from measurements.csv alone, by a second path.

Nothing of `app.analysis` is used here: least squares, Student's quantiles and the rules of a comparison are written
down once more, as a reader of the method would. All six families are recomputed: ratio, interval, adjusted p, smallest
effect, trials needed, trials counted; gains in the client's units; forecasts; every table.

As it takes a while to make, its pages are counted here, too, and each decision is looked for in every format.

Left over, and why:

- Intervals of the single measures in the table of seeding, but for the time to seed: they are not claims.
- Facts of findings that come from readings within a trial (bottleneck, busy shares, waits): these are in no measure.
- What a confirmation sets aside: no trial of the demonstration is disturbed enough.
- Which rivals a decision names, with their trials: worked out by hand in `tests/unit/analysis/test_rivals.py`.
"""

import csv
import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, zip_longest
from pathlib import Path
from statistics import fmean, geometric_mean, median, variance
from typing import Any

import numpy as np
import pytest
from pypdf import PdfReader
from scipy.stats import t as student

from app.foundation.paths import resource_path
from app.services.hand_over.past_sessions import summarise_session
from tests.e2e.demonstration import whole_demonstration
from tests.e2e.formats import decisions_in_every_format
from tests.e2e.program import call
from tests.prove.pages import letter_of, pages_of

pytestmark = pytest.mark.prove

FLOOR = 0.01
MINIMUM_EFFECT = 0.05
MOST_TRIALS = 10_000
STEPS = {"streams_apply": 1.0}  # seconds from one reading to the next, in which a run time ends
MOST_PAGES = 30  # of twelve experiments, two more than had 25; the run sheet of nine changes alone takes three
STUDY_NOISE = 0.03
WINDOW_LEVELS = {3: (0.045, 0.1, 0.5), 12: (0.0093, 0.317, 0.92)}
"""By the most pairs of windows: the level of each look that errs in 4.5 % in all, errors of levels of 10 and 50 %."""
SWEPT = ("inserts", "rows_per_insert")

Setting = frozenset[tuple[str, str]]
Place = tuple[str, ...]


@dataclass(frozen=True)
class Value:
    """One line of measurements.csv; `place` holds the conditions that vary within a trial."""

    experiment: str
    trial: str
    block: int
    phase: str
    metric: str
    value: float
    unit: str
    setting: Setting
    place: Place


@dataclass(frozen=True)
class Demo:
    """What the demonstration handed over."""

    folder: Path
    values: tuple[Value, ...]
    document: dict[str, Any]
    told: str
    report: str

    def of(self, comparison: dict[str, Any], phase: str) -> list[Value]:
        """Return the values of a comparison's experiment and measure, at all places."""
        experiment = experiment_of(comparison)
        return [
            v for v in self.values if (v.experiment, v.metric, v.phase) == (experiment, comparison["metric"], phase)
        ]

    def together(self) -> Mapping[tuple[str, str], list[dict[str, Any]]]:
        """Return the comparisons that are judged together, by experiment and phase."""
        found: dict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
        for c in self.document["comparisons"]:
            found[experiment_of(c), c["phase"]].append(c)
        return found


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Demo:
    """Read the whole demonstration: a model, a race, sweeps, what is named beforehand, and a site with uneven noise."""
    ended, folder = whole_demonstration(tmp_path_factory)
    pages = PdfReader(folder / "report.pdf").pages
    text = " ".join(" ".join(page.extract_text() for page in pages).split())
    document = ended.json()
    factors = {name for c in document["comparisons"] for name in c["factor"].split(" × ")}
    values = tuple(_read(folder / "measurements.csv", factors))
    return Demo(folder, values, document, ended.err, text.replace("\u2212", "-"))


def _read(path: Path, factors: Collection[str]) -> Iterator[Value]:
    with path.open(encoding="utf-8-sig", newline="") as stream:
        for row in csv.DictReader(stream):
            setting = frozenset((name, row[name]) for name in factors if row[name])
            head = (row["run"].split("-")[0], row["run"], int(row["block"]), row["phase"])
            place = tuple(row.get(name, "") for name in SWEPT)
            yield Value(*head, row["metric"], float(row["value"]), row["unit"], setting, place)


def experiment_of(comparison: Mapping[str, Any]) -> str:
    """Return the experiment whose trials a comparison counts."""
    return str(comparison["trials"]["from"][0]).split("-")[0]


def side(comparison: Mapping[str, Any], end: str) -> Setting:
    """Return the setting at one end of a comparison."""
    given = comparison[end]
    named = given if isinstance(given, dict) else {comparison["factor"]: given}
    return frozenset((name, str(value)) for name, value in named.items())


def place_of(comparison: Mapping[str, Any]) -> Place:
    """Return the place of a comparison among the conditions that vary within a trial, empty texts for none."""
    return tuple(str(comparison["conditions"].get(name, "")) for name in SWEPT)


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


@dataclass(frozen=True)
class Read:
    """What trials say of one pair of settings.

    Attributes:
        low, high: of the printed interval, None without an end. p: adjusted as the interval is. smallest: effect shown
            with 80 % power, None where none is.
        needed: trials each that show the minimum effect or the one measured.
    """

    ratio: float
    low: float
    high: float | None
    p: float
    smallest: float | None
    needed: int


def additive(values: Sequence[Value]) -> tuple[dict[Setting, float], float, int]:
    """Return each setting's log mean beside the first, the residual sum of squares, and its degrees of freedom."""
    settings, blocks = sorted({v.setting for v in values}, key=sorted), sorted({v.block for v in values})
    design = np.zeros((len(values), len(settings) + len(blocks) - 1))
    for row, v in enumerate(values):
        design[row, settings.index(v.setting)] = 1
        if v.block != blocks[0]:
            design[row, len(settings) + blocks.index(v.block) - 1] = 1
    logs = np.log([v.value for v in values])
    solved = np.linalg.lstsq(design, logs, rcond=None)[0]
    rest = float(((logs - design @ solved) ** 2).sum())
    return dict(zip(settings, solved, strict=False)), rest, len(values) - int(np.linalg.matrix_rank(design))


def fewest_trials(log_effect: float, half: Any) -> int:
    """Return the fewest trials each at which `half(trials)` is no larger than an effect."""
    return next((n for n in range(2, MOST_TRIALS) if half(n) <= log_effect), MOST_TRIALS)


def beyond(mean: float, off: float) -> float:
    """Return what of a difference is left beyond the step of the clock."""
    return math.sqrt(max(mean**2 - off**2, 0.0))


def confirmed(differences: Sequence[float], s0: float, v: int, off: float) -> Read:
    """Return what a confirmation without a disturbed pair says.

    Args:
        off: how far both sides may be off together by the step of the clock.
    """
    n, mean = len(differences), fmean(differences)
    own = variance(differences) / 2
    borrowed = min(4, v) * min(1.0, s0**2 / own)
    degrees = borrowed + n - 1
    noise = max((borrowed * s0**2 + (n - 1) * own) / degrees, FLOOR**2)
    error = math.sqrt(2 * noise / n)
    joint = math.hypot(t_quantile(0.975, degrees) * error, off)
    alone = math.hypot(t_quantile(0.992, n - 1) * math.sqrt(2 * max(own, FLOOR**2) / n), off)
    half = joint if abs(mean) <= joint else max(joint, alone)
    low, high = mean - half, mean + half
    if abs(mean) > joint and abs(mean) <= alone:
        low, high = min(mean - joint, 0.0), max(mean + joint, 0.0)

    def shown(trials: int) -> float:
        own_degrees, of_all = trials - 1, borrowed + trials - 1
        of_joint = student.ppf(0.975, of_all) + student.ppf(0.8, of_all)
        of_alone = student.ppf(0.992, own_degrees) + student.ppf(0.8, own_degrees)
        return float(max(of_joint, of_alone)) * math.sqrt(2 * noise / trials)

    needed = fewest_trials(max(math.log1p(MINIMUM_EFFECT), abs(mean)), shown)
    own_error = math.sqrt(2 * max(own, FLOOR**2) / n)
    p_joint = 2 * float(student.sf(beyond(mean, off) / error, degrees))
    p_alone = 2 * float(student.sf(beyond(mean, off) / own_error, n - 1)) * 0.05 / 0.016
    p = min(1.0, p_joint if abs(mean) <= joint else max(p_joint, p_alone))  # of the interval that is printed
    return Read(math.exp(mean), math.exp(low), math.exp(high), p, math.expm1(shown(n)), max(needed, n + 1))


def paired_windows(differences: Sequence[float], most: int) -> Read:
    """Return what pairs of windows say by themselves, at a level that pays for a look after each from the third on.

    Its p is that of all looks: a power law between what such levels err in all, and looks times p far below them.
    """
    n, mean = len(differences), fmean(differences)
    level, at_ten, at_half = WINDOW_LEVELS[most]
    spread = max(math.sqrt(variance(differences)), math.sqrt(2) * FLOOR)
    error, looks = spread / math.sqrt(n), most - 2
    half = t_quantile(1 - level / 2, n - 1) * error
    of_one = 2 * float(student.sf(abs(mean) / error, n - 1))
    known = ((1e-9, looks * 1e-9), (level, 0.05), (0.1, at_ten), (0.5, at_half), (1.0, 1.0))
    p = looks * of_one
    for (first, all_first), (second, all_second) in pairwise(known):
        if first <= of_one <= second:
            share = math.log(of_one / first) / math.log(second / first)
            p = all_first * (all_second / all_first) ** share

    def shown(trials: int) -> float:
        quantiles = student.ppf(1 - min(level, 0.05) / 2, trials - 1) + student.ppf(0.8, trials - 1)
        return float(quantiles) * spread / math.sqrt(trials)

    needed = fewest_trials(max(math.log1p(MINIMUM_EFFECT), abs(mean)), shown)
    return Read(
        math.exp(mean), math.exp(mean - half), math.exp(mean + half), p, math.expm1(shown(n)), max(needed, n + 1)
    )


def linked(values: Sequence[Value], c: Mapping[str, Any], noise: tuple[float, float], comparisons: int) -> Read:
    """Return what setting and block say of a pair that ran together in one block only, with the noise of all trials.

    Args:
        noise: of one trial, and its degrees of freedom. comparisons: as in `compared`.
    """
    (before, after), (sd, degrees) = (side(c, "from"), side(c, "to")), noise
    means, _rest, _degrees = additive(values)
    mean = means[after] - means[before]
    if not degrees:  # as a model explores: one run of each says nothing of what another would show
        return Read(math.exp(mean), 0.0, None, 1.0, None, 2)
    settings, blocks = sorted(means, key=sorted), sorted({v.block for v in values})
    design = np.array(
        [[*(v.setting == s for s in settings), *(v.block == b for b in blocks[1:])] for v in values], dtype=float
    )
    contrast = np.array([*((s == after) - float(s == before) for s in settings), *(0.0 for _b in blocks[1:])])
    error = sd * math.sqrt(float(contrast @ np.linalg.pinv(design.T @ design) @ contrast))
    share = 1 - 0.025 / comparisons
    half = t_quantile(share, degrees) * error

    def shown(trials: int) -> float:  # by blocks of the pair's own, as it is judged from its second one on
        return float(student.ppf(share, trials - 1) + student.ppf(0.8, trials - 1)) * sd * math.sqrt(2 / trials)

    needed = fewest_trials(max(math.log1p(MINIMUM_EFFECT), abs(mean)), shown)
    fewest = min(sum(v.setting == s for v in values) for s in (before, after))
    p = min(1.0, 2 * comparisons * float(student.sf(abs(mean) / error, degrees)))
    smallest = math.expm1(float(student.ppf(share, degrees) + student.ppf(0.8, degrees)) * error)
    return Read(math.exp(mean), math.exp(mean - half), math.exp(mean + half), p, smallest, max(needed, fewest + 1))


def compared(differences: Sequence[float], s0: float, v: float, comparisons: int, off: float) -> Read:
    """Return what the blocks both settings of a pair ran in say, helped by the noise of all trials.

    Args:
        s0, v: noise of one trial from all of them, and its degrees of freedom.
        comparisons: among how many the error of the intervals is shared. off: as in `confirmed`.
    """
    n, mean = len(differences), fmean(differences)
    own, others = variance(differences) / 2, v - (n - 1)
    rest = FLOOR**2
    borrowed = 0.0
    if others > 0.5:
        rest = max((v * s0**2 - (n - 1) * own) / others, FLOOR**2)
        borrowed = min(4, others) * min(1.0, rest / max(own, FLOOR**2))
    freedom = borrowed + n - 1
    noise = max((borrowed * rest + (n - 1) * own) / freedom, FLOOR**2)
    share = 1 - 0.025 / comparisons
    half = math.hypot(t_quantile(share, freedom) * math.sqrt(2 * noise / n), off)

    def shown(trials: int) -> float:
        degrees = borrowed + trials - 1
        return float(student.ppf(share, degrees) + student.ppf(0.8, degrees)) * math.sqrt(2 * noise / trials)

    needed = fewest_trials(max(math.log1p(MINIMUM_EFFECT), abs(mean)), shown)
    p = min(1.0, 2 * comparisons * float(student.sf(beyond(mean, off) / math.sqrt(2 * noise / n), freedom)))
    ends = (math.exp(mean - half), math.exp(mean + half))
    return Read(math.exp(mean), *ends, p, math.expm1(shown(n)), max(needed, n + 1))


def noise_of(values: Sequence[Value]) -> tuple[float, float]:
    """Return the noise of one value and its degrees of freedom: what setting and block leave of all trials.

    Where each trial has a value at several places: between trials and within them, put together with Satterthwaite's
    degrees; there every block holds every setting at every place.
    """
    places = sorted({v.place for v in values})
    if len(places) == 1:
        _means, rest, degrees = additive(values)
        return (math.sqrt(rest / degrees), degrees) if degrees else (0.0, 0)
    settings, blocks = sorted({v.setting for v in values}, key=sorted), sorted({v.block for v in values})
    logs = np.full((len(blocks), len(settings), len(places)), np.nan)
    for v in values:
        logs[blocks.index(v.block), settings.index(v.setting), places.index(v.place)] = math.log(v.value)
    assert np.isfinite(logs).all()
    rests = logs - logs.mean(axis=0) - (logs.mean(axis=(1, 2)) - logs.mean())[:, None, None]
    count = len(places)
    between = float((rests.sum(axis=2) ** 2).sum()) / count
    df_between = (len(settings) - 1) * (len(blocks) - 1)
    within = float((rests**2).sum()) - between
    df_within = logs.size - len(settings) * count - (len(blocks) - 1) - df_between
    parts = (between / df_between / count, (count - 1) / count * within / df_within)
    whole = sum(parts)
    satterthwaite = whole**2 / (parts[0] ** 2 / df_between + parts[1] ** 2 / df_within)
    return math.sqrt(whole), max(1, int(satterthwaite))


def differences_of(values: Sequence[Value], c: Mapping[str, Any]) -> list[float]:
    """Return log(to) - log(from) of each block in which both ran, at the comparison's place."""
    at = {(v.block, v.setting): math.log(v.value) for v in values if v.place == place_of(c)}
    before, after = side(c, "from"), side(c, "to")
    blocks = sorted({block for block, _setting in at})
    return [at[b, after] - at[b, before] for b in blocks if (b, after) in at and (b, before) in at]


def read_again(demo: Demo, c: Mapping[str, Any], together: int) -> Read:
    """Return what the trials of a comparison say, judged together with so many."""
    values, explored = demo.of(dict(c), c["phase"]), demo.of(dict(c), "explore")
    most = _designed(demo, experiment_of(c), r"at most (\d+) pairs of windows")
    if c["phase"] == "confirm" and most:
        return paired_windows(differences_of(values, c), most)
    if c["phase"] == "confirm" and explored:
        _means, rest, degrees = additive([v for v in explored if not _stands_out(demo, v.trial)])
        s0 = max(math.sqrt(rest / degrees), FLOOR) if degrees else FLOOR
        return confirmed(differences_of(values, c), s0, degrees, _off(values, c, fmean))
    looks = together * _looks(demo, experiment_of(c))
    differences = differences_of(values, c)
    if len(differences) == 1:
        return linked(values, c, noise_of(values), looks)
    return compared(differences, *noise_of(values), looks, _off(values, c, geometric_mean))


def _off(values: Sequence[Value], c: Mapping[str, Any], mean: Callable[[list[float]], float]) -> float:
    """Return half the step of a clock relative to both sides together."""
    sides = ([v.value for v in values if v.setting == side(c, end)] for end in ("from", "to"))
    return 0.5 * STEPS.get(c["family"], 0.0) * sum(1 / mean(of_side) for of_side in sides)


def test_every_comparison_comes_out_again(demo: Demo) -> None:
    """Ratio, interval, p and the trials counted, of what was confirmed, explored, or named beforehand."""
    checked: Counter[str] = Counter()
    for (_experiment, phase), made in demo.together().items():
        reads = [read_again(demo, c, len(made)) for c in made]
        for c in made:
            values = [v for v in demo.of(c, phase) if v.place == place_of(c)]
            sides = {end: {v.trial for v in values if v.setting == side(c, end)} for end in ("from", "to")}
            blocks = [{v.block for v in values if v.setting == side(c, end)} for end in sides]
            if len(shared := blocks[0] & blocks[1]) > 1:  # only they have a part in the ratio
                sides = {end: trials & {v.trial for v in values if v.block in shared} for end, trials in sides.items()}
            assert {end: set(c["trials"][end]) for end in sides} == sides, c
            assert c["runs"] == {end: len(trials) for end, trials in sides.items()}, c
        for c, read in zip(made, reads, strict=True):
            printed = (c["ratio"], *c["ci95"], c["p_adjusted"], c["smallest_effect"])
            for said, again in zip(printed, (read.ratio, read.low, read.high, read.p, read.smallest), strict=True):
                assert said == (again if again is None else pytest.approx(again, rel=1e-4)), c
            assert c["runs_needed"] == (read.needed if c["verdict"] == "cannot_tell" else 0), c
            checked[phase] += 1
    assert checked["confirm"] >= 40, checked
    assert checked["explore"] >= 10, checked
    assert checked.total() == len(demo.document["comparisons"])
    assert any(c["ci95"] == [0.0, None] for c in demo.document["comparisons"])


def _looks(demo: Demo, experiment: str) -> int:
    """Return how often an experiment may be looked at while exploring: after each block of a race, trial of a model."""
    by_block = _designed(demo, experiment, r"at most (\d+) exploring blocks")
    return (
        by_block
        or _designed(demo, experiment, r"guided by a model of the response, at most (\d+) (?:trials|windows)")
        or 1
    )


def _designed(demo: Demo, experiment: str, words: str) -> int:
    """Return a number that the design of an experiment in the report gives in these words, 0 where it has none."""
    found = re.search(rf"Experiment {experiment}:(?:(?!Experiment E).)*? {words}", demo.report)
    return int(found[1]) if found else 0


def _stands_out(demo: Demo, trial: str) -> bool:
    return any(warning.startswith(f"{trial} ") for warning in demo.document["warnings"])


def mean_of(values: Sequence[Value]) -> float:
    """Return the one estimate of a setting: the geometric mean of its confirming trials, else of the others."""
    counted = [v for v in values if v.phase == "confirm"] or values
    return math.exp(fmean(math.log(v.value) for v in counted))


def test_each_gain_has_one_estimate_in_the_client_s_units(demo: Demo) -> None:
    """Decision, terminal and report say the same of both settings, and of the interval what the comparison says."""
    gains = [d["gain"] for d in demo.document["decisions"] if d["gain"]]
    told = re.findall(
        r"\n +[A-Z][^:\n]*: ([^\n]+?) instead of ([^\n]+?)\. ([^\n]+?) \(95 % interval ([^;]+);", demo.told
    )
    left = re.search(r"\n… and (\d+) more, in the report\n", demo.told)
    assert len(gains) == len(told) + (int(left[1]) if left else 0)
    assert len(told) >= 9
    for gain, words in zip_longest(gains, told):
        phase = "confirm" if gain["is_confirmed"] else "explore"
        (c,) = (
            c
            for c in demo.document["comparisons"]
            if (c["ratio"], c["ci95"], c["phase"]) == (gain["ratio"], gain["ci95"], phase)
        )
        for end, said in (("from", gain["before"]), ("to", gain["after"])):
            of_phase = [v for v in demo.of(c, phase) if v.setting == side(c, end) and v.place == place_of(c)]
            assert said == pytest.approx(mean_of(of_phase), rel=1e-9)
        if words is None:
            continue
        after, before, effect, interval = words
        for said, printed in ((gain["before"], before), (gain["after"], after)):
            whole_s = 0.5 if c["unit"] == "s" else None
            assert _amount(printed, c["unit"]) == pytest.approx(said, rel=5e-3, abs=whole_s), printed
        assert _as_shares(effect) == pytest.approx([gain["ratio"]], abs=0.05 if gain["ratio"] > 2 else 5e-3), effect
        assert _as_shares(interval, effect) == pytest.approx(gain["ci95"], abs=0.05 if gain["ratio"] > 2 else 5e-3)
        assert not gain["is_confirmed"] or " ".join(f"{after} instead of {before}".split()) in demo.report


def _amount(text: str, unit: str) -> float:
    """Return an amount as printed in a comparison's unit."""
    plain = text.replace("\N{NO-BREAK SPACE}", " ")
    parts = re.findall(r"([\d.]+) (ms|s|min|h)\b", plain)
    if parts:
        seconds = {"ms": 0.001, "s": 1.0, "min": 60.0, "h": 3600.0}
        return sum(float(number) * seconds[of] for number, of in parts) / seconds[unit]
    number, of = plain.split(" ", 1)
    assert of == unit, text
    return float(number.replace(",", ""))


def _as_shares(text: str, effect: str = "") -> list[float]:
    """Return what a text says as ratios of after to before, rising: "43 % less" 0.57, "7.7 times" 7.7."""
    plain = text.replace("\u2212", "-").replace("\u2013", " ")
    numbers = [float(found) for found in re.findall(r"[+-]?\d+(?:\.\d+)?", plain)]
    if "times" in (effect or text):
        return numbers
    is_signed = "% to " in plain.replace("\N{NO-BREAK SPACE}", " ")
    sign = -1.0 if "less" in (effect or text) and not is_signed else 1.0
    return sorted(1 + sign * number / 100 for number in numbers)


def test_every_cell_of_the_tables_by_setting_comes_out_again(demo: Demo) -> None:
    """The claims' measure in the ratios compared, all others as medians; each phase by itself; shares in percent."""
    checked = 0
    phases = {"explored": {"explore"}, "confirmed": {"confirm"}}
    for table in demo.document["tables"]:
        if not table["id"].endswith("/by-setting-table"):
            continue
        experiment = _experiment(demo, table["id"])
        heads = 2 if table["columns"][1]["key"] == "phase" else 1
        for row in table["rows"]:
            factor, level = row[0].rsplit(" ", 1)
            told = phases[row[1]] if heads == 2 else {"explore", "confirm"}
            for column, cell in zip(table["columns"][heads:], row[heads:], strict=True):
                values = [
                    v
                    for v in demo.values
                    if (v.experiment, v.metric) == (experiment, column["key"])
                    and v.setting == frozenset({(factor, level)})
                    and v.phase in told
                ]
                if isinstance(cell, str):
                    assert not values
                    continue
                is_main = column["key"] == _main_of(demo, experiment)
                percent = 100 if values[0].unit == "share" else 1
                expected = told_mean(demo, values) if is_main else median(v.value for v in values) * percent
                assert cell["value"] == pytest.approx(expected, rel=1e-9), (row[0], column)
                ends = [end(v.value for v in values) * percent for end in (min, max)]
                has_range = not is_main and ends[0] < ends[1]
                assert cell.get("range") == (pytest.approx(ends, rel=1e-9) if has_range else None)
                checked += 1
    assert checked > 100


def told_mean(demo: Demo, values: Sequence[Value]) -> float:
    """Return the mean of a setting in a phase: the baseline's with the ratio of their comparison, if it has one."""
    told = values[0]
    for (experiment, phase), made in demo.together().items():
        for c in made:
            if (experiment, phase, c["metric"], side(c, "to")) == (
                told.experiment, told.phase, told.metric, told.setting,
            ):  # fmt: skip
                baseline = [v for v in demo.of(c, phase) if v.setting == side(c, "from")]
                return mean_of(baseline) * read_again(demo, c, len(made)).ratio
    return mean_of(values)


def test_what_each_mode_costs_comes_out_again(demo: Demo) -> None:
    """Times, penalties, penalties per insert and rates of every shape, with all their intervals."""
    checked = 0
    for table in demo.document["tables"]:
        if "/penalty-" not in table["id"]:
            continue
        experiment = _experiment(demo, table["id"])
        comparisons = [c for c in demo.document["comparisons"] if experiment_of(c) == experiment]
        noise, degrees = noise_of(demo.of(comparisons[0], "confirm"))
        for row in table["rows"]:
            cells = {column["key"]: cell for column, cell in zip(table["columns"], row, strict=True)}
            place = (str(cells["inserts"]["value"]), str(cells["rows_per_insert"]["value"]))
            words = table["id"].rsplit("/penalty-", 1)[1]
            (c,) = (c for c in comparisons if place_of(c) == place and _pair_words(c) == words)
            values = {end: [v for v in demo.of(c, "confirm") if v.place == place] for end in ("from", "to")}
            means = {end: mean_of([v for v in values[end] if v.setting == side(c, end)]) for end in values}
            spread = t_quantile(0.975, degrees) * noise / math.sqrt(c["runs"]["from"])  # a mean is no claim
            inserts, base = float(place[0]), means["from"]
            ratios = (means["to"] / base, *c["ci95"])
            expected: dict[str, list[float]] = {
                "penalty_ms": [base * (ratio - 1) for ratio in ratios],
                "penalty_per_insert_ms": [base * (ratio - 1) / inserts for ratio in ratios],
                "penalty_percent": [(ratio - 1) * 100 for ratio in ratios],
                "lost_inserts_per_s": [inserts / base * 1000 * (1 - 1 / ratio) for ratio in ratios],
            }
            for name, end in (("reference", "from"), ("other", "to")):
                around = [means[end] * math.exp(shift) for shift in (0.0, -spread, spread)]
                expected[f"{name}_ms"] = around
                expected[f"{name}_inserts_per_s"] = [inserts / around[at] * 1000 for at in (0, 2, 1)]
            for key, (value, first, last) in expected.items():
                assert cells[key]["value"] == pytest.approx(value, rel=1e-6), (table["id"], place, key)
                assert cells[key]["ci95"] == pytest.approx([first, last], rel=1e-4), (table["id"], place, key)
                checked += 1
    assert checked >= 6 * 4 * 8


def test_what_each_way_of_seeding_took_comes_out_again(demo: Demo) -> None:
    """Means of each method, the time to seed with its interval."""
    (table,) = (t for t in demo.document["tables"] if t["id"].endswith("/methods"))
    methods, checked = [column["key"] for column in table["columns"][2:]], 0
    experiment = _experiment(demo, table["id"])
    values = [v for v in demo.values if v.experiment == experiment]
    noise, degrees = noise_of([v for v in values if v.metric == "total_time"])
    for title, unit, *cells in table["rows"]:
        metric = _MEASURES[title]
        for method, cell in zip(methods, cells, strict=True):
            own = [v for v in values if v.metric == metric and v.setting == frozenset({("seeding_method", method)})]
            if isinstance(cell, str):
                assert not own, title
                continue
            mean = 0.0 if any(v.value == 0 for v in own) else mean_of(own)
            assert cell["value"] == pytest.approx(mean * (100 if unit == "%" else 1), rel=1e-6), (title, method)
            if metric == "total_time":
                half = t_quantile(0.975, degrees) * noise / math.sqrt(len(own))
                assert cell["ci95"] == pytest.approx([mean * math.exp(-half), mean * math.exp(half)], rel=1e-4)
            checked += 1
    assert checked >= 20


_MEASURES = {
    "Time to seed": "total_time",
    "Backup time": "backup_time",
    "Restore time": "restore_time",
    "Join time": "join_time",
    "Direct seeding time": "seeding_time",
    "Copy throughput": "copy_rate",
    "Network while data is sent": "network_rate",
    "Disk writes at the secondary while data is written": "disk_rate",
    "Processor use of the primary while reading": "primary_cpu",
    "Processor use of the secondary while writing": "secondary_cpu",
    "Bytes sent per byte of the database": "sent_share",
    "Redo at the secondary": "redo_rate",
}


def test_a_forecast_is_made_of_a_backlog_somebody_has_and_comes_out_again(demo: Demo, tmp_path: Path) -> None:
    """The lab keeps no day of its own load, so nothing is promised there; of the study's day, by the noise stated."""
    assert demo.document["forecasts"] == []
    assert not any(d["gain"]["forecast_hours"] for d in demo.document["decisions"] if d["gain"])
    assert "A backlog of" not in demo.report
    study = resource_path("published", "subscription-streams-wan-2007.csv")
    ended = call("advise", study, "--noise-cv", str(STUDY_NOISE), "--json", "--out", tmp_path)
    document, report = (
        ended.json(),
        " ".join(" ".join(page.extract_text() for page in PdfReader(tmp_path / "report.pdf").pages).split()),
    )
    rates = {
        (v["network_kbps"], v["SubscriptionStreams"]): float(v["value"])
        for v in csv.DictReader((tmp_path / "measurements.csv").read_text(encoding="utf-8-sig").splitlines())
        if v["metric"] == "throughput"
    }
    printed = [hours for d in document["decisions"] for hours in d["gain"]["forecast_hours"]]
    half = t_quantile(0.975, 7) * math.sqrt(math.log1p(STUDY_NOISE**2)) * math.sqrt(2)  # one run, and one more
    for f in document["forecasts"]:
        rate = rates[str(f["conditions"]["network_kbps"]), str(f["setting"]["SubscriptionStreams"])]
        hours = f["backlog_commands"] / rate / 3600
        assert (f["backlog_commands"], f["inflow_per_s"]) == (240_000, 0.0)
        assert f["hours"] == pytest.approx(hours, rel=1e-9)
        assert f["band95_hours"] == pytest.approx([hours * math.exp(-half), hours * math.exp(half)], rel=1e-4)
        if f["hours"] in printed:
            whole, minutes = divmod(round(hours * 60), 60)
            assert (f"{whole} h {minutes} min" if whole else f"{minutes} min") in report
    assert len(document["forecasts"]) == len(rates) == 6
    assert len(printed) == 4


def test_the_facts_of_findings_come_out_again(demo: Demo) -> None:
    """Effects in words with their intervals are those of a comparison, and so are gains and numbers of trials."""
    checked = 0
    for finding in demo.document["findings"]:
        facts = {fact["name"]: fact["value"] for fact in finding["facts"]}
        if "effect_interval" not in facts:
            continue
        alike = [c for c in demo.document["comparisons"] if _is_told(c, facts["effect"], facts["effect_interval"])]
        assert alike, facts
        if "gain_percent" in facts:
            gains = [abs(c["ratio"] - 1) * 100 for c in alike]
            assert any(abs(facts["gain_percent"]) == pytest.approx(gain) for gain in gains)
        if "trials_per_setting" in facts:
            assert facts["trials_per_setting"] in [min(c["runs"].values()) for c in alike]
        if "trials_needed" in facts:
            assert facts["trials_needed"] in [c["runs_needed"] for c in alike]
        checked += 1
    assert checked >= 6


def _is_told(comparison: dict[str, Any], effect: str, interval: str) -> bool:
    """Tell whether words on an effect and its interval fit a comparison."""
    within = 0.05 if comparison["ratio"] > 2 else 5e-3
    ratio = [1.0] if effect.startswith("the same") else _as_shares(effect)
    return ratio == pytest.approx([comparison["ratio"]], abs=within) and _as_shares(interval, effect) == pytest.approx(
        comparison["ci95"], abs=within
    )


def test_what_is_open_is_counted_alike_everywhere(demo: Demo) -> None:
    """Terminal and report count the same comparisons: of an experiment that confirmed nothing all it made."""
    experiments: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for c in demo.document["comparisons"]:
        experiments[experiment_of(c)].append(c)
    answers = [
        "cannot_tell" if not any(one["phase"] == "confirm" for one in made) and c["verdict"] in ("improvement", "worse")
        else c["verdict"]
        for made in experiments.values()
        for c in [one for one in made if one["phase"] == "confirm"] or made
    ]  # fmt: skip
    counts = Counter(answers)
    assert f"{counts['improvement']} improved, {counts['worse']} worse" in demo.told
    assert f"{counts['cannot_tell']} still open" in demo.told
    assert f"Comparisons still open: {counts['cannot_tell']} of {len(answers)}" in demo.report
    trials = len({v.trial for v in demo.values})
    assert re.search(rf"\b{trials} trials ran on .*?; {trials} of them are used", demo.report)


def test_its_report_is_as_short_as_it_may_be(demo: Demo, tmp_path: Path) -> None:
    """Twelve experiments, on either paper; every decision has the same numbers in each format and in the window."""
    assert pages_of(demo.folder / "report.pdf") <= MOST_PAGES
    assert pages_of(letter_of(demo.folder, tmp_path)) <= MOST_PAGES
    session = summarise_session(demo.folder / "session.replitune")
    decisions_in_every_format(session.path, session.session_id, tmp_path)


def _main_of(demo: Demo, experiment: str) -> str:
    """Return the measure an experiment's claims are about."""
    return str(next(c["metric"] for c in demo.document["comparisons"] if experiment_of(c) == experiment))


def _experiment(demo: Demo, table_id: str) -> str:
    """Return the experiment a table is about, from the family, the factors and the conditions in its name."""
    family, factors, *_rest = table_id.split("/")
    held = re.findall(r"(\w+)=([^-/]+)", table_id)
    found = {
        experiment_of(c)
        for c in demo.document["comparisons"]
        if c["family"] == family
        and "-".join(sorted(_varied(demo, experiment_of(c)))) == factors
        and all(str(c["conditions"].get(name)) == value for name, value in held)
    }
    (experiment,) = found
    return experiment


def _varied(demo: Demo, experiment: str) -> set[str]:
    return {name for v in demo.values if v.experiment == experiment for name, _level in v.setting}


def _pair_words(c: Mapping[str, Any]) -> str:
    """Return how a table names the pair of a comparison."""
    words = []
    for end in ("from", "to"):
        given = c[end] if isinstance(c[end], dict) else {c["factor"]: c[end]}
        words.append("-".join(str(given[name]) for name in sorted(given)))
    return "-".join(words)
