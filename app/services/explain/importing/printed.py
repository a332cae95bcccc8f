"""Runs as tools print them one after another: sysbench, pgbench, HammerDB, bcp, BACKUP and RESTORE, STATISTICS TIME.

Such a log holds no table. Lines such as "-- CommitBatchSize = 500" between the runs say what was varied.
"""

import re
from collections.abc import Callable, Sequence
from typing import Any, Final

from app.services.explain.importing.source_text import numbered_lines


def _line(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.MULTILINE)  # also looked for in a whole text


# What a line says of a run, by the words that the next one's headings are; and what it says of all that follow.
_MEASURED: Final[tuple[tuple[re.Pattern[str], tuple[str, ...]], ...]] = (
    (_line(r"^[ \t]*transactions:\s+\d+\s+\(([\d.]+) per sec\.\)"), ("tps",)),
    (_line(r"^[ \t]*(?:avg|latency average)\s*[:=]\s*([\d.]+)(?: ms)?\s*$"), ("latency (ms)",)),
    (_line(r"^[ \t]*tps = ([\d.]+)"), ("tps",)),
    (_line(r"^\[\s*\d+s\s*\] thds: (\d+) tps: ([\d.]+)"), ("clients", "tps")),
    (_line(r"achieved (\d+) NOPM from (\d+) .*\bTPM"), ("NOPM", "TPM")),
    (_line(r"Clock Time \(ms\.?\) Total\s*: (\d+)"), ("elapsed (ms)",)),
    (_line(r"^BACKUP .* in ([\d.]+) seconds \(([\d.]+) MB/sec\)"), ("backup time (s)", "backup rate (MB/s)")),
    (_line(r"^RESTORE .* in ([\d.]+) seconds \(([\d.]+) MB/sec\)"), ("restore time (s)", "restore rate (MB/s)")),
    (_line(r"CPU time = \d+ ms,\s+elapsed time = ([1-9]\d*) ms"), ("elapsed (ms)",)),
)
_CONFIGURED: Final = re.compile(r"(\d+) Active Virtual Users configured|number of (?:threads|clients): (\d+)", re.I)
_ASSIGNED: Final = re.compile(r"\W*([A-Za-z_]\w*)\s*=\s*([\w.%-]+)\W*")
_NAMED: Final = re.compile(r"\W*([A-Za-z_][\w ]*?)\s*(?:[:=]\s*|\s(?=\d))([\w.%-]+)\W*")


def printed_runs(text: str, known_in: Callable[[Sequence[str]], int]) -> list[tuple[int, dict[str, Any]]]:
    """Return the runs that tools printed, each with the line it begins on, [] where a text holds no such lines.

    Lines that sysbench prints within a run belong to one run.

    Args:
        known_in: tells names of parameters and conditions from other words.
    """
    runs: list[tuple[int, dict[str, Any]]] = []
    if not any(pattern.search(text) for pattern, _names in _MEASURED):
        return runs
    settings: dict[str, str] = {}
    is_open, count = False, 0
    for number, line in numbered_lines(text):
        said = _measured(line)
        if not said:
            setting = _setting(line, known_in)
            is_open = is_open and not setting
            settings |= setting
            continue
        if not is_open or runs[-1][1].keys() & said.keys():
            count += not is_open
            runs.append((number, settings | ({"run": str(count)} if line.startswith("[") else {})))
        runs[-1][1].update(said)
        is_open = True
    return runs


def _measured(line: str) -> dict[str, str]:
    found = ((pattern.search(line), names) for pattern, names in _MEASURED)
    return next((dict(zip(names, one.groups(), strict=True)) for one, names in found if one), {})


def _setting(line: str, known_in: Callable[[Sequence[str]], int]) -> dict[str, str]:
    configured = _CONFIGURED.search(line)
    if configured:
        return {"clients": configured[1] or configured[2]}
    assigned, named = _ASSIGNED.fullmatch(line), _NAMED.fullmatch(line)
    if assigned:
        return {assigned[1]: assigned[2]}
    return {named[1]: named[2]} if named and known_in([named[1]]) else {}
