"""Simulated sites where applications write all the time, so that something always waits."""

from pathlib import Path

from app.lab.scenario_file import shipped_scenarios

_SECTION = "\n[other_writers]\ntransactions_per_s = {rate}\n{unit}_per_transaction = {size}\n"


def site_with_writers(folder: Path, rate_per_s: float, size: int, name: str = "lan") -> Path:
    """Return a scenario file like a shipped one, with so many transactions a second of a size by others."""
    path = folder / f"{name}-shared.toml"
    text = shipped_scenarios()[name].read_text(encoding="utf-8")
    unit = "rows" if name.startswith("streams") else "commands"
    path.write_text(text + _SECTION.format(rate=rate_per_s, unit=unit, size=size), encoding="utf-8")
    return path
