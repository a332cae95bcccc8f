"""Numbers as a person reads them, always the same way."""

import math
from datetime import datetime

from app.domain.effect import percent
from app.domain.setting import Value, value_text
from app.domain.units import unit_of_one, unit_word
from app.foundation.durations import duration
from app.foundation.texts import _, local_number

__all__ = ["duration", "moment", "number", "percent", "quantity", "size_text"]


def number(value: Value | bool) -> str:
    """Return a number with at most four significant digits and thousands separated by commas; a text as it is."""
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, str):
        return value
    if isinstance(value, int):
        return value_text(value)
    if not math.isfinite(value):
        return "–" if math.isnan(value) else ("∞" if value > 0 else "−∞")
    if value == 0:
        return "0"
    decimals = max(0, 3 - math.floor(math.log10(abs(value))))
    text = f"{value:,.{decimals}f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return local_number(text.replace("-", "−"))


def quantity(value: Value | bool, unit: str) -> str:
    """Return a number with its unit; a count has none, and a share is given in per cent."""
    if unit == "share" and isinstance(value, float):
        return percent(value)
    shown = "" if unit == "count" else unit_word(unit_of_one(unit) if value == 1 else unit)
    return f"{number(value)}\u00a0{shown}" if shown else number(value)


def size_text(size_bytes: int) -> str:
    """Return a size as a person reads it: 812 B, 4.2 KB, 1.3 MB."""
    if size_bytes < 1_000:
        return f"{size_bytes}\u00a0B"
    if size_bytes < 1_000_000:
        return local_number(f"{size_bytes / 1_000:,.1f}\u00a0KB")
    return local_number(f"{size_bytes / 1_000_000:,.1f}\u00a0MB")


def moment(when: datetime) -> str:
    """Return a time of day as "2026-11-21 07:30 UTC"."""
    return f"{when:%Y-%m-%d %H:%M} UTC"
