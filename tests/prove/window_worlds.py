"""A site whose agent works off one backlog, second by second, and windows of some tens of seconds on it.

What a second delivers follows what others do there: from start to start, over minutes, over tens of seconds, from
second to second, in bursts, and in step with jobs that come back. Nothing of it is known to what decides.
"""

import math
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.signal import lfilter

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
