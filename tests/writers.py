"""Simulated sites where applications write all the time, so that something always waits."""

from pathlib import Path

from app.lab.scenario_file import shipped_scenarios

_REPLICATION = "\n[other_writers]\ntransactions_per_s = {rate}\ncommands_per_transaction = {size}\n"


def site_with_writers(folder: Path, rate_per_s: float, size: int, name: str = "lan") -> Path:
    """Return a scenario file like a shipped one, with so many transactions a second of a size by others."""
    path = folder / f"{name}-shared.toml"
    text = shipped_scenarios()[name].read_text(encoding="utf-8")
    path.write_text(text + _REPLICATION.format(rate=rate_per_s, size=size), encoding="utf-8")
    return path
