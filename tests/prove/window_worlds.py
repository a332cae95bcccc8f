"""A site whose agent works off one backlog, second by second, and windows of some tens of seconds on it.

What a second delivers follows what others do there: from start to start, over minutes, over tens of seconds, from
second to second, in bursts, and in step with jobs that come back. Nothing of it is known to what decides.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.signal import lfilter

from app.analysis.confirmation import Confirmed, Known
from app.analysis.order import pair_order
from app.analysis.rhythm import WindowRates, rhythm_in
from app.analysis.window_length import PARTS
from app.analysis.window_pairs import WindowTerms, confirm_windows
from app.domain.measurement import Better
from app.domain.setting import Setting

Floats = NDArray[np.float64]

SWITCH_S: Final = 20.0
SETTLE_S: Final = 10.0


@dataclass(frozen=True)
class Noise:
    """The noise of a site, as standard deviations of the log of its rate.

    Attributes:
        start: of each start of the agent.
        slow: (standard deviation, memory in s) of what comes and goes slowly: load, the mix of commands, neighbours.
        second: from second to second.
        burst_share: of the time that something slows everything down, for 40 to 120 s.
        burst_depth: by how much, a share.
        step: a lasting change once in the session, a log; 0 for none.
        rhythm: half of what a rhythm moves the rate by, a share; 0 for none.
        rhythm_s: its period.
        rhythm_width: share of the period that is slow where it is a job that comes back; 0 for a sine.
        disturbed_share: of windows that a disturbance slows to a half to two thirds, and nobody tells.
        spread: standard deviation of the log of a setting's noise between windows against that of the others.
    """

    start: float = 0.03
    slow: tuple[tuple[float, float], ...] = ((0.06, 1_200.0), (0.06, 180.0), (0.10, 30.0))
    second: float = 0.25
    burst_share: float = 0.05
    burst_depth: float = 0.35
    step: float = 0.0
    rhythm: float = 0.0
    rhythm_s: float = 0.0
    rhythm_width: float = 0.0
    disturbed_share: float = 0.0
    spread: float = 0.0


SITE: Final = Noise()
QUIET: Final = Noise(0.015, ((0.02, 1_800.0), (0.02, 180.0), (0.05, 20.0)), 0.10, 0.0, 0.0)
ROUGH: Final = Noise(0.05, ((0.12, 900.0), (0.12, 240.0), (0.20, 30.0)), 0.35, 0.10, 0.5)


class Backlog:
    """One site in one session: its clock, and what a second delivers relative to the usual.

    Attributes:
        now_s: since the session began.
        delivered: relative to the setting in effect before, seconds of its work.
    """

    def __init__(self, noise: Noise, random: np.random.Generator, horizon_s: int = 5 * 3600) -> None:
        self.noise, self.random, self.now_s = noise, random, 0.0
        log = noise.second * random.standard_normal(horizon_s)
        for sd, memory_s in noise.slow:
            log += _slow(sd, memory_s, horizon_s, random)
        at_s = 0
        while noise.burst_share and at_s < horizon_s:
            at_s += int(random.exponential(80 / noise.burst_share * (1 - noise.burst_share)))
            lasts_s = int(random.uniform(40, 120))
            log[at_s : at_s + lasts_s] += math.log(1 - noise.burst_depth)
            at_s += lasts_s
        if noise.step:
            log[int(random.uniform(0, 3_600)) :] += noise.step * random.choice([-1, 1])
        if noise.rhythm:
            log += self._rhythm(horizon_s)
        self._log = log
        self._sum = np.append(0.0, np.cumsum(np.exp(log)))
        self._spread: dict[int, float] = {}

    def _rhythm(self, horizon_s: int) -> Floats:
        noise = self.noise
        turn = (self.random.uniform() + np.arange(horizon_s) / noise.rhythm_s) % 1
        if noise.rhythm_width:
            slow = turn < noise.rhythm_width
            return np.where(slow, math.log1p(-noise.rhythm), math.log1p(noise.rhythm))
        sine: Floats = np.log1p(noise.rhythm * np.sin(2 * np.pi * turn))
        return sine

    def window(self, length_s: float, log_rate: float, setting: int = 0, parts: int = 1) -> Floats:
        """Return the rate of each part of a window, shape (parts,); the clock moves on to its end."""
        begin_s = self.now_s + SWITCH_S + SETTLE_S
        ends = np.round(np.linspace(begin_s, begin_s + length_s, parts + 1)).astype(int)
        if ends[-1] >= len(self._sum):
            raise IndexError("the session is longer than the site was drawn")
        noise, random = self.noise, self.random
        log = log_rate + noise.start * self._of(setting) * random.standard_normal()
        if noise.disturbed_share and random.random() < noise.disturbed_share:
            log += math.log(random.uniform(0.5, 0.67))
        self.now_s = float(ends[-1])
        rates: Floats = np.diff(self._sum[ends]) / np.diff(ends) * math.exp(log)
        return rates

    def _of(self, setting: int) -> float:
        """Return how much noisier the starts of a setting are."""
        if not self.noise.spread:
            return 1.0
        if setting not in self._spread:
            self._spread[setting] = float(np.exp(self.noise.spread * self.random.standard_normal()))
        return self._spread[setting]


def _slow(sd: float, memory_s: float, horizon_s: int, random: np.random.Generator) -> Floats:
    """Return an Ornstein-Uhlenbeck path, a value each second, that has gone on for long."""
    kept = math.exp(-1 / memory_s)
    steps = random.standard_normal(horizon_s) * sd * math.sqrt(1 - kept * kept)
    steps[0] = sd * random.standard_normal()
    path: Floats = lfilter([1.0], [1.0, -kept], steps)
    return path


CYCLE_S: Final = 60.0
"""From the beginning of a window of 30 s to that of the next."""

LENGTH_S: Final = 30.0
EXPLORING: Final = 12
SETTINGS: Final = tuple(Setting.of(Streams=streams) for streams in range(1, 13))
MINIMUM_EFFECT: Final = 0.05
_HORIZON_S: Final = 5_400


@dataclass(frozen=True)
class Session:
    """Pairs of windows behind some that explored, and what they came to.

    Attributes:
        read: of the last look.
        true_log_ratio: pick against baseline.
        minutes: of the pairs alone.
    """

    read: Confirmed
    true_log_ratio: float
    minutes: float

    @property
    def interval(self) -> tuple[float, float]:
        """The printed interval of the ratio."""
        return self.read.reading.interval

    @property
    def is_false(self) -> bool:
        """Whether something is claimed that is not so: a gain that is none, or a loss."""
        low, high = self.interval
        return (low > 1 and self.true_log_ratio <= 0) or (high < 1 and self.true_log_ratio >= 0)

    @property
    def is_worth_it(self) -> bool:
        """Whether the whole interval is a gain that is worth acting on."""
        return self.interval[0] >= 1 + MINIMUM_EFFECT

    @property
    def covers(self) -> bool:
        """Whether the printed interval holds the true ratio."""
        low, high = self.interval
        return low <= math.exp(self.true_log_ratio) <= high


def run_session(
    noise: Noise, seed: int, gain: float = 0.0, most_pairs: int = 12, length_s: float = LENGTH_S
) -> Session:
    """Explore at random, then run pairs of one setting and the baseline until they are read to the end.

    Where nothing gains, all settings are alike, which is when a claim is false; else settings differ as well.
    """
    site = Backlog(noise, np.random.default_rng([51, seed]), _HORIZON_S)
    random = np.random.default_rng([52, seed])
    levels = 0.2 * random.standard_normal(len(SETTINGS)) * (gain != 0)
    levels[:2] = 0.0, math.log1p(gain)
    windows: list[WindowRates] = []
    for number in range(EXPLORING):
        _window(site, windows, 0 if number < 2 else int(random.integers(2, len(SETTINGS))), levels, length_s)
    began_s, differences = site.now_s, list[float]()
    while True:
        order = pair_order(SETTINGS[1], SETTINGS[0], len(differences) + 1, seed)
        logs = {setting: _window(site, windows, SETTINGS.index(setting), levels, length_s) for setting in order}
        differences.append(logs[SETTINGS[1]] - logs[SETTINGS[0]])
        read = _read(differences, windows, most_pairs)
        if len(differences) >= most_pairs or not read.wants_more:
            return Session(read, float(levels[1]), (site.now_s - began_s) / 60)


def _window(site: Backlog, windows: list[WindowRates], place: int, levels: Floats, length_s: float) -> float:
    """Run one window; return the log of its rate."""
    rates = site.window(length_s, float(levels[place]), place, PARTS)
    part_s = length_s / PARTS
    middles = site.now_s - length_s + part_s * (np.arange(PARTS) + 0.5)
    windows.append(WindowRates(SETTINGS[place], tuple(middles.tolist()), tuple(rates.tolist()), part_s))
    return math.log(float(rates.mean()))


def _read(differences: Sequence[float], windows: Sequence[WindowRates], most_pairs: int) -> Confirmed:
    """Read pairs as a run does; a rhythm matters to claims only, so it is looked for where there is one."""
    terms = WindowTerms(most_pairs, Better.HIGHER, MINIMUM_EFFECT)
    read = confirm_windows(differences, Known(), terms)
    if not read.reading.claims:
        return read
    rhythm = rhythm_in(windows)
    in_step_log = 0.0 if rhythm is None else rhythm.in_pair_log
    return confirm_windows(differences, Known(), replace(terms, in_step_log=in_step_log))


def in_step(windows: float, noise: Noise = SITE, width: float = 0.0) -> Noise:
    """Return a site in a rhythm of a fifth up and down, whose period lasts so many windows."""
    return replace(noise, rhythm=0.2, rhythm_s=windows * CYCLE_S, rhythm_width=width)


WORLDS: Final[Mapping[str, Noise]] = {
    "quiet": QUIET,
    "site": SITE,
    "rough": ROUGH,
    "long memory": replace(SITE, slow=((0.15, 600.0), (0.10, 120.0))),
    "many bursts": replace(SITE, burst_share=0.2, burst_depth=0.5),
    "a step": replace(SITE, step=0.4),
    "settings uneven": replace(SITE, start=0.06, spread=0.8),
    "command mix": replace(SITE, slow=((0.20, 180.0), (0.10, 30.0))),
    "one window in ten disturbed": replace(SITE, disturbed_share=0.1),
    "quiet, one window in ten disturbed": replace(QUIET, disturbed_share=0.1),
    **{f"a rhythm of {windows:g} windows": in_step(windows) for windows in (2, 2.5, 3, 4, 5, 6, 8)},
    "quiet, a rhythm of 2.5 windows": in_step(2.5, QUIET),
    "quiet, a rhythm of 4 windows": in_step(4, QUIET),
    "quiet, a rhythm of 6 windows": in_step(6, QUIET),
    "rough, a rhythm of 4 windows": in_step(4, ROUGH),
    "a rhythm of 10 %": replace(in_step(4), rhythm=0.1),
    "quiet, a rhythm of 5 %": replace(in_step(4, QUIET), rhythm=0.05),
    "a job every 4 windows": in_step(4, width=0.3),
    "quiet, a job every 4 windows": in_step(4, QUIET, width=0.3),
}
"""Sites by what their rates do beside the settings."""
