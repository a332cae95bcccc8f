"""One report over several sessions of a client's file, with its scripts beside it."""

from collections.abc import Sequence
from pathlib import Path

from app.domain.ports import FigureRenderer
from app.services.explain.advising import Advisor
from app.services.explain.joining import explain_joined
from app.services.hand_over.report_and_scripts import (
    ReportOptions,
    WrittenFile,
    check_format,
    write_explained_report,
    write_scripts_apart,
)
from app.services.workplace import refuse_to_overwrite
from app.store import open_for_reading


def experiments_in(session_file: Path) -> int:
    """Return how many sessions of a file have measured anything, which one report can tell of together.

    Raises:
        StoreError: the file cannot be read.
    """
    with open_for_reading(session_file) as reader:
        measured = {run.session_id for run in reader.list_all_runs() if run.used_trials}
        imported = {one.header.session_id for one in reader.list_sessions() if one.imported_from}
    return len(measured | imported)


def write_joined_report(
    session_file: Path,
    session_ids: Sequence[str] | None,
    out: Path,
    advisor: Advisor,
    renderer: FigureRenderer,
    wishes: ReportOptions,
    *,
    has_scripts: bool,
) -> tuple[tuple[WrittenFile, ...], tuple[WrittenFile, ...]]:
    """Write the report, and its scripts into a folder of its own where they are asked for; return both.

    Args:
        session_ids: as `explain_joined` takes them.

    Raises:
        StoreError, BadInput: as `explain_joined`, `write_explained_report` and `write_scripts_apart`.
    """
    check_format(out)
    refuse_to_overwrite(session_file, (out,))
    explained = explain_joined(session_file, session_ids, advisor)
    report = write_explained_report(explained, out, advisor, renderer, wishes)
    return report, write_scripts_apart(explained, out, advisor) if has_scripts else ()
