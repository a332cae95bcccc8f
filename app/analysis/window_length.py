"""How long a window lasts: by what the site's own first two windows show of its noise."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from app.foundation.texts import _, local_number

SHORTEST_S: Final = 30.0
LONGEST_S: Final = 180.0

PARTS: Final = 5
"""Equal parts that a window is cut into."""

_EXPECTED_BETWEEN: Final = 0.05
_EXPECTED_DEGREES: Final = 3.0
"""Log standard deviation between windows as it is expected, and for how many degrees of freedom that counts: two
windows alone tell it with one, and by chance agree far better than the next ones will."""

_ROUNDED_TO_S: Final = 5.0


@dataclass(frozen=True)
class WindowLength:
    """The length of the windows of a run.

    Attributes:
        reason: one sentence for the report.
    """

    seconds: float
    reason: str


def window_length(
    fifths_a: Sequence[float], fifths_b: Sequence[float], fifth_s: float, switch_s: float
) -> WindowLength:
    """Return the length that tells most for its time, from two windows of the baseline cut into equal parts.

    √(switch time × variance of a second within a window / variance between windows), held within 30 to 180 s: what is
    lost by a switch is worth a longer window only as far as seconds, and not starts, make the noise.

    Args:
        fifths_a, fifths_b: rate in each part of the two windows, in their order, in the same unit; parts in which
            nothing was delivered are left out of the variance.
        fifth_s: length of a part, seconds.
        switch_s: from the end of one window to the beginning of the next, settling included.

    Source: Kalibera & Jones (2013), Rigorous benchmarking in reasonable time, ISMM '13: 63-74, section 6.2; the
    expectation is what the simulated sites show between starts within minutes (`tests/prove/window_worlds.py`).
    """
    logs = [np.log([rate for rate in part if rate > 0]) for part in (fifths_a, fifths_b)]
    freedom = sum(len(each) - 1 for each in logs)
    if min(map(len, logs)) < 2:
        return WindowLength(
            LONGEST_S,
            _("{longest} s windows, because less is delivered than would show the noise").format(
                longest=local_number(f"{LONGEST_S:.0f}")
            ),
        )
    within = sum(float(((each - each.mean()) ** 2).sum()) for each in logs) / freedom
    apart = float(logs[0].mean() - logs[1].mean()) ** 2 / 2 - within * (1 / len(logs[0]) + 1 / len(logs[1])) / 2
    expected = _EXPECTED_BETWEEN**2
    between = (_EXPECTED_DEGREES * expected + max(apart, 0.0)) / (_EXPECTED_DEGREES + 1)
    wanted_s = math.sqrt(switch_s * within * fifth_s / between)
    seconds = min(max(_ROUNDED_TO_S * round(wanted_s / _ROUNDED_TO_S), SHORTEST_S), LONGEST_S)
    words = _(
        "{length} s windows, because the rate scatters by {within} % within {part} s and by {between} % from window to "
        "window, and a switch takes {switch} s"
    )
    reason = words.format(
        length=local_number(f"{seconds:.0f}"),
        within=local_number(f"{100 * math.sqrt(within):.2g}"),
        part=local_number(f"{fifth_s:.0f}"),
        between=local_number(f"{100 * math.sqrt(between):.2g}"),
        switch=local_number(f"{switch_s:.0f}"),
    )
    return WindowLength(seconds, reason)
