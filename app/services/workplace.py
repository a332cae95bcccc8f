"""The folder a session is worked on in: session file, scripts, report."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from app.domain.errors import BadInput
from app.foundation.file_names import check_path_length
from app.foundation.texts import _

SESSION_FILE_NAME: Final = "session.replitune"
_SCRIPTS: Final = ("before*.sql", "apply*.sql", "verify*.sql", "undo*.sql")


@dataclass(frozen=True)
class Workplace:
    """Names of a session's files in their folder.

    Attributes:
        file_name: of the session file; a person may have given it another name.
        engagement: the client's file the session is kept in, None where the session has a file of its own.
        undo_folder: where `rollback.sql` lies, None where it lies beside the rest.
    """

    folder: Path
    file_name: str = SESSION_FILE_NAME
    engagement: Path | None = None
    undo_folder: Path | None = None

    @property
    def session_file(self) -> Path:
        """The file the session is kept in."""
        return self.engagement or self.folder / self.file_name

    @property
    def report(self) -> Path:
        """The report to hand over."""
        return self.folder / "report.pdf"

    @property
    def redacted_report(self) -> Path:
        """The report with names replaced; the one with names stays beside it."""
        return self.folder / "report-redacted.pdf"

    @property
    def rollback_script(self) -> Path:
        """Return the script that undoes the open changes of a run; the undo journal keeps it up to date."""
        return (self.undo_folder or self.folder) / "rollback.sql"

    @property
    def measurements(self) -> Path:
        """All measurements, tidy."""
        return self.folder / "measurements.csv"

    @property
    def findings(self) -> Path:
        """The findings as a list, as health checks print them."""
        return self.folder / "findings.csv"

    @property
    def results(self) -> Path:
        """Comparisons and findings, for other programs."""
        return self.folder / "results.json"


def open_workplace(folder: Path) -> Workplace:
    """Make the folder where it is missing.

    Raises:
        BadInput: it cannot be made, is a file, or leaves the names of a session's files no room.
    """
    try:
        check_path_length(folder)
        folder.mkdir(parents=True, exist_ok=True)
    except FileExistsError as error:
        raise BadInput(_("{folder} is a file; give a folder for the results").format(folder=folder)) from error
    except OSError as error:
        raise BadInput(
            _("{folder} cannot be created: {why}; give another folder").format(folder=folder, why=error.strerror)
        ) from error
    return Workplace(folder)


def refuse_to_overwrite(given: Path, written: Iterable[Path]) -> None:
    """Raise BadInput where a file that was given to read is among those about to be written."""
    for path in written:
        if path.exists() and given.exists() and path.samefile(given):
            raise BadInput(_("{path} would be overwritten; choose another name or folder").format(path=path))


def refuse_hand_over_of_another(place: Workplace) -> None:
    """Refuse to begin a session file beside the hand-over of a session that is kept elsewhere.

    Raises:
        BadInput: the folder holds a report, scripts or data that would be replaced.
    """
    left = None if place.engagement is not None else next(_handed_over(place), None)
    if left is not None and not place.session_file.exists():
        raise BadInput(
            _("{path} belongs to another session, which is not kept in this folder; give another folder").format(
                path=left
            )
        )


def _handed_over(place: Workplace) -> Iterator[Path]:
    named = [place.results, place.findings, place.measurements]
    for report in (place.report, place.redacted_report):
        named += [report.with_suffix(end) for end in (".pdf", ".html", ".md")]
    yield from (path for path in named if path.exists())
    for pattern in _SCRIPTS:
        yield from sorted(place.folder.glob(pattern))
