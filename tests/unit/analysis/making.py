"""Measurements made for tests: tables of values by level and block, with or without noise."""

import math
from collections.abc import Mapping, Sequence

import numpy as np
from hypothesis import settings

from app.domain.measurement import Measurement
from app.domain.plan import Phase
from app.domain.setting import EMPTY_SETTING, Setting, Value

CALM = settings(deadline=None)
"""The same examples every time, however busy the machine is."""

FACTOR = "SubscriptionStreams"


def level(value: Value, factor: str = FACTOR) -> Setting:
    """Return a setting of one parameter."""
    return Setting.of(**{factor: value})


def measured(
    value: float,
    setting: Setting,
    *,
    block: int = 1,
    trial_id: str = "",
    metric: str = "run_time",
    unit: str = "s",
    conditions: Setting = EMPTY_SETTING,
    phase: Phase = Phase.EXPLORE,
) -> Measurement:
    """Return one measurement; its trial is named after setting and block unless told otherwise."""
    return Measurement(
        family="distribution_agent",
        trial_id=trial_id or f"{setting.label()}/{block}",
        block=block,
        metric=metric,
        value=value,
        unit=unit,
        setting=setting,
        conditions=conditions,
        phase=phase,
    )


def table(
    values_by_level: Mapping[Value, float | Sequence[float]], factor: str = FACTOR, unit: str = "s"
) -> tuple[Measurement, ...]:
    """Return measurements of each level: a single value in block 1, or one value for each block from 1 on."""
    made = []
    for name, values in values_by_level.items():
        listed = [values] if isinstance(values, float | int) else values
        for block, value in enumerate(listed, start=1):
            made.append(measured(value, level(name, factor), block=block, unit=unit))
    return tuple(made)


class DriftingServer:
    """A server whose run times scatter (lognormal) and drift steadily from trial to trial.

    Attributes:
        trials_run: how many so far.
    """

    def __init__(self, true_s: Mapping[Setting, float], cv: float, drift_per_trial: float, seed: int) -> None:
        self.trials_run = 0
        self._true_s = true_s
        self._log_sd = math.sqrt(math.log1p(cv**2))
        self._drift = drift_per_trial
        self._random = np.random.default_rng(seed)

    def run_block(self, order: Sequence[Setting], block: int, phase: Phase = Phase.EXPLORE) -> tuple[Measurement, ...]:
        """Measure the settings in this order."""
        made = []
        for setting in order:
            self.trials_run += 1
            log_noise = self._log_sd * float(self._random.standard_normal()) + self._drift * self.trials_run
            value = self._true_s[setting] * math.exp(log_noise)
            made.append(measured(value, setting, block=block, trial_id=f"T{self.trials_run}", phase=phase))
        return tuple(made)
