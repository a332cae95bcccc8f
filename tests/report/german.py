"""Writes the sample report as the German program writes it: `REPLITUNE_LANGUAGE=de python -m tests.report.german OUT`.

The language is chosen once for a process, so German needs one of its own.
"""

import os
import subprocess
import sys
from pathlib import Path

from tests.patience import PATIENCE_S


def write_german_report(out: Path, *, redact: bool = False) -> None:
    """Write the PDF of the sample session in German, in a process of its own."""
    subprocess.run(
        [sys.executable, "-m", "tests.report.german", str(out), *(["--redact"] if redact else [])],
        check=True,
        env={**os.environ, "REPLITUNE_LANGUAGE": "de"},
        cwd=Path(__file__).resolve().parents[2],
        timeout=PATIENCE_S,
    )


def main(arguments: list[str]) -> None:
    """Write the report to the file named first."""
    from dataclasses import replace

    from app.charts.renderer import PyqtgraphRenderer
    from app.foundation.texts import LANGUAGE
    from app.reporting.render.pdf import render_report
    from tests.report.sample import full_request

    if LANGUAGE != "de":
        raise SystemExit("run with REPLITUNE_LANGUAGE=de")
    request = replace(full_request(), redact="--redact" in arguments)
    Path(arguments[0]).write_bytes(render_report(request, PyqtgraphRenderer()))


if __name__ == "__main__":
    main(sys.argv[1:])
