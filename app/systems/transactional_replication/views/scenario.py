"""A scenario file of replication agents, in words."""

from collections.abc import Mapping

from app.flows.words import counted
from app.foundation.texts import _


def scenario_words(content: Mapping[str, object]) -> tuple[str, ...]:
    """Return the number of pairs of agents, and the link to each Subscriber; missing parts are left out."""
    pairs, kbps, rtt_ms = (
        _number(content, *place) for place in (("topology", "pairs"), ("link", "bandwidth_kbps"), ("link", "rtt_ms"))
    )
    parts: list[str] = []
    if pairs is not None:
        parts.append(counted(int(pairs), _("1 pair of agents"), _("{count} pairs of agents")))
    if kbps is not None:
        parts.append(_bandwidth(kbps))
    if rtt_ms:
        parts.append(_("{rtt:g} ms round trip").format(rtt=rtt_ms))
    return tuple(parts)


def _number(content: Mapping[str, object], section: str, key: str) -> float | None:
    entries = content.get(section)
    value = entries.get(key) if isinstance(entries, dict) else None
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def _bandwidth(kbps: float) -> str:
    for unit, size in (("Gbit/s", 1e6), ("Mbit/s", 1e3)):
        if kbps >= size:
            return f"{kbps / size:g} {unit}"
    return f"{kbps:g} kbit/s"
