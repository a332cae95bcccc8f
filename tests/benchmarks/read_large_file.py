"""Reads a measurement file, compares its settings, and prints seconds and peak memory; run as a program by itself.

Usage: python -m tests.benchmarks.read_large_file FILE
"""

import json
import sys
import time
from pathlib import Path

from app.bootstrap import load_advisor, load_families
from app.services.explain.imported_session import read_session


def main(path: Path) -> None:
    """Print one line of JSON: seconds to read, seconds to advise, rows, comparisons, peak and starting memory in MB."""
    families = load_families()
    advisor = load_advisor(families)
    idle_mb = _peak_mb()
    began_s = time.perf_counter()
    session = read_session(path, families, None)
    read_s = time.perf_counter() - began_s
    began_s = time.perf_counter()
    advice = advisor.advise(session)
    advise_s = time.perf_counter() - began_s
    figures = {
        "read_s": read_s,
        "advise_s": advise_s,
        "rows": len(session.imported),
        "comparisons": len(advice.comparisons),
        "idle_mb": idle_mb,
        "peak_mb": _peak_mb(),
    }
    sys.stdout.write(json.dumps(figures) + "\n")


def _peak_mb() -> float:
    """Return the most memory this process has held, MB.

    From Linux itself: `ru_maxrss` of a new process begins with what its parent held.
    """
    status = Path("/proc/self/status").read_text(encoding="ascii")
    peak_kib = next(line.split()[1] for line in status.splitlines() if line.startswith("VmHWM:"))
    return int(peak_kib) * 1024 / 1e6


if __name__ == "__main__":
    main(Path(sys.argv[1]))
