"""An effect in words: how much of a measure a change saves or adds, and its interval in the same terms."""

import math
from typing import Final

from app.foundation.texts import _, local_number

TIMES_FROM: Final = 2.0
"""Ratio from which on an effect is a multiple: "7.7 times the throughput" reads better than "672 % more"."""

TENTH: Final = 0.1
"""Ratio below which an effect is a multiple the other way round: "81 times as fast (69–96)" tells what "99 % less
(99–99 %)" hides."""

MOST_TIMES: Final = 101.0
"""An interval that reaches farther, 10,000 % more or so many times less, says nothing of use, unless it is narrow."""

_NARROW: Final = 10.0
"""Ratio of its ends up to which an interval says how large an effect is, however large: 150 to 200 times."""

_PERCENT_SIGN: Final = "\u00a0%"


def has_interval(low: float, high: float) -> bool:
    """Tell whether the ends of an interval of a ratio say anything: the size of an effect, or that it is none."""
    is_narrow = low > 0 and high <= low * _NARROW and not low <= 1 <= high
    return is_narrow or (low >= 1 / MOST_TIMES and high <= MOST_TIMES)


def is_one_sided(low: float, high: float) -> bool:
    """Tell whether an interval of a ratio that is too wide to say how large an effect is excludes that there is
    none: then its near end is told, as the least there is."""
    return not has_interval(low, high) and (0 < high < 1 or 1 < low < math.inf)


def tells_interval(low: float, high: float) -> bool:
    """Tell whether an interval of a ratio is told, with both ends or with the near one."""
    return has_interval(low, high) or is_one_sided(low, high)


def percent(share: float) -> str:
    """Return a share such as 0.182 as "18 %", with one decimal below ten."""
    if not math.isfinite(share):
        return f"∞{_PERCENT_SIGN}"
    amount = abs(share) * 100
    text = f"{amount:,.0f}" if amount >= 9.95 else f"{amount:.1f}".removesuffix(".0")
    return f"{local_number(text)}{_PERCENT_SIGN}"


def signed_percent(ratio: float) -> str:
    """Return a ratio as a signed change: 0.57 as "−43 %"."""
    change = ratio - 1
    if percent(change) == percent(0):
        return percent(0)
    return ("−" if change < 0 else "+") + percent(change)


def times_text(times: float) -> str:
    """Return a multiple as it is told: "81", with one decimal below ten."""
    return local_number(f"{times:,.0f}" if times >= 9.95 else f"{times:.1f}")


def effect_words(ratio: float, measure: str, *, is_duration: bool = False) -> str:
    """Return an effect as a person says it: "43 % less run time", "7.7 times the throughput", "1/12 of the latency".

    Args:
        ratio: of the measure with the change to the measure without it.
        measure: its title as it stands inside a sentence.
        is_duration: as in `Metric`.
    """
    if not math.isfinite(ratio) or percent(ratio - 1) == percent(0):
        return _("the same {metric}").format(metric=measure)
    if ratio >= TIMES_FROM:
        return _("{times} times the {metric}").format(times=local_number(f"{ratio:.1f}"), metric=measure)
    if 0 < ratio < TENTH:
        text = _("{times} times the speed") if is_duration else _("1/{times} of the {metric}")
        return text.format(times=times_text(1 / ratio), metric=measure)
    text = _("{amount} less {metric}") if ratio < 1 else _("{amount} more {metric}")
    return text.format(amount=percent(abs(1 - ratio)), metric=measure)


def effect_interval(ratio: float, low: float, high: float, *, is_duration: bool = False) -> str:
    """Return an interval as the amounts `effect_words` speaks of: "39–47 %"; signed across 0, "" without one.

    Of one that is too wide for both ends the near one: "at least 310".
    """
    if is_one_sided(low, high):
        return _least(ratio, low if low > 1 else high, is_duration=is_duration)
    if not has_interval(low, high):
        return ""
    if ratio >= TIMES_FROM:
        return f"{local_number(f'{low:.1f}')}–{local_number(f'{high:.1f}')}"
    if ratio < TENTH:
        one = "" if is_duration else "1/"
        return f"{one}{times_text(1 / high)}–{one}{times_text(1 / low)}"
    if low <= 1 <= high:
        return signed_interval(low, high)
    near, far = sorted((abs(1 - low), abs(1 - high)))
    return f"{percent(near).removesuffix(_PERCENT_SIGN)}–{percent(far)}"


def _least(ratio: float, near: float, *, is_duration: bool) -> str:
    """Return the near end of an interval in the terms of its effect: "at least 310"."""
    if ratio >= TIMES_FROM:
        amount = local_number(f"{near:.1f}")
    elif ratio < TENTH:
        amount = times_text(1 / near) if is_duration else f"1/{times_text(1 / near)}"
        return (_("at least {amount}") if is_duration else _("{amount} or less")).format(amount=amount)
    else:
        amount = percent(abs(1 - near))
    return _("at least {amount}").format(amount=amount)


def signed_interval(low: float, high: float) -> str:
    """Return the ends of an interval of ratios as signed changes: "−46 % to −39 %"; of one that is told by its near end
    alone "at least −39 %"."""
    if is_one_sided(low, high):
        return _("at least {amount}").format(amount=signed_percent(low if low > 1 else high))
    return _("{low} to {high}").format(low=signed_percent(low), high=signed_percent(high))


def power_sentence(smallest_effect: float) -> str:
    """Return the smallest change that these trials could have shown, as a sentence; a change that more than doubles a
    measure needs no trials.

    Args:
        smallest_effect: the smallest change they show with 80 % power, as a share.
    """
    if smallest_effect > 1:
        return _("These trials are too few, or differ too much by chance, to show any change that matters.")
    return _("These trials would show a change of {effect} or more in four of five experiments.").format(
        effect=percent(smallest_effect)
    )
