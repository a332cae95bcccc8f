"""The folder a session is worked on in: session file, scripts, report."""

from dataclasses import dataclass
from pathlib import Path

from app.domain.errors import BadInput
from app.foundation.texts import _


@dataclass(frozen=True)
class Workplace:
    """Names of a session's files in their folder."""

    folder: Path

    @property
    def session_file(self) -> Path:
        """The engagement's file."""
        return self.folder / "session.replitune"

    @property
    def report(self) -> Path:
        """The report to hand over."""
        return self.folder / "report.pdf"

    @property
    def apply_script(self) -> Path:
        """What the client's DBA runs to apply the recommendations."""
        return self.folder / "apply.sql"

    @property
    def rollback_script(self) -> Path:
        """While a run goes on: what undoes its changes. After the hand-over: also what takes apply.sql back."""
        return self.folder / "rollback.sql"

    @property
    def measurements(self) -> Path:
        """All measurements, tidy."""
        return self.folder / "measurements.csv"


def open_workplace(folder: Path) -> Workplace:
    """Make the folder where it is missing.

    Raises:
        BadInput: it cannot be made, or is a file.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except FileExistsError as error:
        raise BadInput(_("{folder} is a file; give a folder for the results").format(folder=folder)) from error
    except OSError as error:
        raise BadInput(
            _("{folder} cannot be made: {why}; give another folder").format(folder=folder, why=error.strerror)
        ) from error
    return Workplace(folder)
