"""Simulated sites where applications write all the time, so that something always waits."""

import re
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


def full_log(folder: Path) -> Path:
    """Return an incident whose Log Reader Agent stood for most of an hour, so that millions wait in the log."""
    path = folder / "full-log.toml"
    text = incident(folder).read_text(encoding="utf-8")
    text = text.replace("outage_pairs = [1]", 'outage_of = "log_reader"\noutage_pairs = [1]')
    path.write_text(text.replace("transactions_per_s = 100.0", "transactions_per_s = 1200.0"), encoding="utf-8")
    return path


def incident(folder: Path, *, outage_h: float = 0.9, moving: bool = False) -> Path:
    """Return a scenario file like the shipped incident, after an hour's past, so that it is lived through at once.

    Args:
        outage_h: for so much of that hour the Subscriber was away; a tenth of it is some 60,000 commands.
        moving: speed moves within a trial.
    """
    path = folder / f"incident-{outage_h:g}{'-moving' if moving else ''}.toml"
    text = shipped_scenarios()["incident"].read_text(encoding="utf-8")
    text = re.sub(r"^commands_per_s = \[.*\]", "commands_per_s = [0.0]", text, flags=re.MULTILINE)
    text = re.sub(r"^outage_hours = [0-9.]+", f"outage_hours = {outage_h}", text, flags=re.MULTILINE)
    if not moving:
        text = re.sub(r"^\[noise\.moving\]\n(?:.+\n)+", "", text, flags=re.MULTILINE)
    path.write_text(text, encoding="utf-8")
    return path


def streams_incident(folder: Path, *, outage_h: float = 0.5, moving: bool = False) -> Path:
    """Return a scenario file like the shipped incident of Oracle Streams, whose apply process stood for less long.

    Args:
        outage_h: half an hour of it are some 800,000 messages.
        moving: speed moves within a trial.
    """
    path = folder / f"streams-incident-{outage_h:g}{'-moving' if moving else ''}.toml"
    text = shipped_scenarios()["streams-incident"].read_text(encoding="utf-8")
    text = re.sub(r"^outage_hours = [0-9.]+", f"outage_hours = {outage_h}", text, flags=re.MULTILINE)
    if not moving:
        text = re.sub(r"^\[noise\.moving\]\n(?:.+\n)+", "", text, flags=re.MULTILINE)
    path.write_text(text, encoding="utf-8")
    return path


def log_to_capture(folder: Path, transactions: int) -> Path:
    """Return a scenario file like the shipped one of Change Data Capture, in whose log fewer transactions wait."""
    path = folder / f"log-to-capture-{transactions}.toml"
    text = shipped_scenarios()["capture"].read_text(encoding="utf-8")
    path.write_text(re.sub(r"(?m)^backlog = \d+", f"backlog = {transactions}", text), encoding="utf-8")
    return path


def busy_group(folder: Path) -> Path:
    """Return a scenario file like the shipped group whose applications commit all day, without noise."""
    path = folder / "busy-group.toml"
    text = shipped_scenarios()["ag-busy"].read_text(encoding="utf-8")
    path.write_text(text.replace("[noise]\nenabled = true", "[noise]\nenabled = false"), encoding="utf-8")
    return path
