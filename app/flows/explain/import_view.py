"""The import page as plain data: what is entered, what is wrong with it, and how a file was understood."""

from dataclasses import dataclass
from pathlib import Path

from app.domain.errors import BadInput
from app.flows.plan.number_entry import read_decimal
from app.flows.shell.folder_entry import folder_problem
from app.flows.table_view import Column, Row, TableContent, text_cell
from app.foundation.texts import _
from app.services.explain.imported_session import keep_session, read_session
from app.services.explain.importing import Preview
from app.services.program import Program


@dataclass(frozen=True)
class ImportForm:
    """What stands in the fields.

    Attributes:
        noise_percent: run-to-run noise in percent as typed, "" for unknown.
        preview: how the file was understood, None until it was.
        file_problem: why it cannot be used, "" where it can or none was chosen.
    """

    file: str = ""
    noise_percent: str = ""
    folder: str = ""
    preview: Preview | None = None
    file_problem: str = ""


@dataclass(frozen=True)
class ImportProblems:
    """What stands beside each field, "" where it is right."""

    file: str = ""
    noise: str = ""
    folder: str = ""

    @property
    def first(self) -> str:
        """The first of them, "" where nothing is wrong."""
        return self.file or self.noise or self.folder


def check_form(form: ImportForm) -> ImportProblems:
    """Return what is wrong with each field."""
    return ImportProblems(form.file_problem, noise_problem(form.noise_percent), folder_problem(form.folder.strip()))


def can_import(form: ImportForm) -> bool:
    """Tell whether a session can be made of what was entered."""
    return form.preview is not None and not check_form(form).first and bool(form.folder.strip())


def what_is_missing(form: ImportForm) -> str:
    """Return in one sentence what is missing before a session can be made, "" when nothing is."""
    if check_form(form).first:
        return _("What has to be changed stands beside the fields.")
    if not form.file.strip():
        return _("Choose a file of measurements.")
    if form.preview is None:
        return _("The file is being read.")
    if not form.folder.strip():
        return _("Choose the folder for session file, report and scripts.")
    return ""


def noise_problem(text: str) -> str:
    """Return what is wrong with a noise level in percent, "" where it is right or left out."""
    try:
        noise_share(text)
    except BadInput as error:
        return str(error)
    return ""


def noise_share(text: str) -> float | None:
    """Return a noise level typed in percent as a share, None where it is left out.

    Raises:
        BadInput: not a number above 0 and below 100.
    """
    typed = text.strip().removesuffix("%").strip()
    if not typed:
        return None
    percent = read_decimal(typed)
    if not 0 < percent < 100:
        raise BadInput(_("The noise is a percentage above 0 and below 100, such as 3."))
    return float(percent) / 100


def preview_table(preview: Preview | None) -> TableContent:
    """Return how each column was understood as a table; an empty one before a file was read."""
    if preview is None:
        return TableContent(())
    columns = (Column("heading", _("Column")), Column("meaning", _("Understood as")), Column("content", _("Content")))
    return TableContent(
        columns,
        tuple(
            Row(str(number), tuple(map(text_cell, (column.heading, column.meaning, column.content))))
            for number, column in enumerate(preview.columns)
        ),
    )


def preview_text(preview: Preview | None) -> str:
    """Return what was found in a file and what a reader must know about it, one sentence a line."""
    if preview is None:
        return ""
    return "\n".join((preview.summary, *preview.experiments, *preview.notes))


def make_session(form: ImportForm, program: Program) -> Path:
    """Make a session file of what was entered and return its path; for a worker thread.

    Raises:
        BadInput, StoreError: the file of measurements, or the folder, cannot be used.
    """
    record = read_session(Path(form.file.strip()), program.families, noise_share(form.noise_percent))
    return keep_session(record, Path(form.folder.strip()))
