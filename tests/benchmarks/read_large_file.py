"""Reads a measurement file, compares its settings, and prints seconds and peak memory; run as a program by itself.

Usage: python -m tests.benchmarks.read_large_file FILE
"""

import json
import resource
import sys
import time
from pathlib import Path

from app.bootstrap import load_advisor, load_families
from app.services.imported_session import read_session


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
    """Return the most memory this process has held, MB; Linux counts in KiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6


if __name__ == "__main__":
    main(Path(sys.argv[1]))
