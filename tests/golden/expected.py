"""What the hand-over of the sample session is expected to be; `python -m tests.golden.expected` writes it anew.

Look at the difference before you keep it.
"""

from pathlib import Path

from app.reporting.export.csv_export import measurements_csv, measurements_of
from app.reporting.export.json_export import session_json
from app.reporting.wording import Vocabulary
from tests.golden.document_text import document_text
from tests.report.sample import FAMILIES, full_advice, full_request, full_session, imported_request
from tests.report.scripts import apply_script, rollback_script

FOLDER = Path(__file__).parent / "hand_over"


def produce() -> dict[str, bytes]:
    """Return every file of the hand-over by name, without the PDF, whose content stands in the .txt files."""
    session, advice = full_session(), full_advice()
    imported = imported_request()
    return {
        "apply.sql": apply_script(advice.findings, session).encode(),
        "undo.sql": rollback_script(advice.findings, session).encode(),
        "template_apply.sql": apply_script(imported.advice.findings, imported.session).encode(),
        "template_undo.sql": rollback_script(imported.advice.findings, imported.session).encode(),
        "measurements.csv": measurements_csv(measurements_of(session)),
        "session.json": session_json(session, advice, Vocabulary(FAMILIES)),
        "report.txt": document_text(full_request()).encode(),
        "report_imported.txt": document_text(imported).encode(),
    }


def write() -> None:
    """Replace the expected files by what the program makes now."""
    FOLDER.mkdir(exist_ok=True)
    for name, content in produce().items():
        (FOLDER / name).write_bytes(content)


if __name__ == "__main__":
    write()
