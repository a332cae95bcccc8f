"""Settings that fail in the same way again: a third try would tell no more, and cost the client a third time."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from app.domain.measurement import TrialResult, TrialStatus
from app.domain.setting import Setting

_TRIES: Final = 2


def ended_settings(done: Sequence[TrialResult]) -> frozenset[Setting]:
    """Return the settings not tried again: two of their trials failed for the same reason and measured nothing.

    A trial that others disturbed has measured something; it says nothing of its setting.
    """
    failed = Counter(
        (trial.setting, trial.failed_checks)
        for trial in done
        if trial.status is TrialStatus.NOT_USED and trial.failed_checks and not trial.measurements
    )
    return frozenset(setting for (setting, _checks), count in failed.items() if count >= _TRIES)
