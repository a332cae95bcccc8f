"""The hand-over as plain data: the fields of the report, their mistakes, and the files written."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Final

from app.domain.errors import ReplituneError
from app.domain.hand_over import ScriptFiles, common_files
from app.domain.own_words import OwnWords
from app.domain.session import SessionRecord
from app.domain.setting import value_text
from app.domain.system import System
from app.domain.view import Cell, Column, Emphasis, Row, TableContent, text_cell
from app.flows.shell.settings_view import logo_problem
from app.flows.words import counted, sentence
from app.foundation.texts import _
from app.reporting.numbers import size_text
from app.reporting.request import Paper
from app.reporting.system_parts import parts_of
from app.services.hand_over.free_texts import NO_CHOICES, NameChoices
from app.services.hand_over.report_and_scripts import ReportFormat, ReportOptions, WrittenFile
from app.services.preferences import Preferences
from app.services.workplace import Workplace

LONGEST_NAME: Final = 120
"""Characters of a name on the cover; a longer one runs out of its line."""


class Kind(StrEnum):
    """The kind of files to write."""

    EVERYTHING = "everything"
    REPORT = "report"
    ALL = "all"
    SCRIPTS = "scripts"
    DATA = "data"


@dataclass(frozen=True)
class ReportForm:
    """The contents of the fields; title and foreword are kept in the session file."""

    client: str = ""
    consultant: str = ""
    logo: str = ""
    redact: bool = False
    template: str = ""
    written_as: ReportFormat = ReportFormat.PDF
    with_notes: bool = False
    paper: Paper = Paper.A4
    title: str = ""
    foreword: str = ""


@dataclass(frozen=True)
class FormProblems:
    """The message beside each field, "" where it is right."""

    client: str = ""
    consultant: str = ""
    logo: str = ""
    template: str = ""

    @property
    def is_right(self) -> bool:
        """Whether a report can be made."""
        return not (self.client or self.consultant or self.logo or self.template)


def fill_form(session: SessionRecord, preferences: Preferences) -> ReportForm:
    """Return the fields as session and preferences have them; a logo or template that is gone is left out."""
    return ReportForm(
        client=session.client,
        consultant=session.consultant or preferences.consultant,
        logo="" if logo_problem(preferences.logo) else preferences.logo,
        template="" if template_problem(preferences.template) else preferences.template,
        title=session.own_words.title,
        foreword=session.own_words.foreword,
    )


def words_to_keep(form: ReportForm, kept: OwnWords) -> dict[str, str]:
    """Return title and foreword as far as they are not yet kept, by place."""
    entered = {"title": form.title.strip(), "foreword": form.foreword.strip()}
    return {place: text for place, text in entered.items() if text != getattr(kept, place)}


def check_form(form: ReportForm) -> FormProblems:
    """Return the mistake in each field."""
    return FormProblems(
        _name_problem(form.client),
        _name_problem(form.consultant),
        logo_problem(form.logo.strip()),
        template_problem(form.template.strip()),
    )


def template_problem(text: str) -> str:
    """Return the problem with the path of a template, "" where there is none."""
    return "" if not text or Path(text).is_dir() else _("There is no such folder.")


def format_titles() -> tuple[tuple[ReportFormat, str], ...]:
    """Return the formats of a report, with their titles."""
    return (
        (ReportFormat.PDF, _("PDF, to sign and print")),
        (ReportFormat.HTML, _("HTML, one page for a browser")),
        (ReportFormat.MARKDOWN, _("Markdown, with a folder of figures")),
        (ReportFormat.WORD, _("Word, to edit, with a folder of data")),
        (ReportFormat.SLIDES, _("PowerPoint, page 1 to present")),
        (ReportFormat.WORKBOOK, _("Excel, run sheet and data")),
        (ReportFormat.CALENDAR, _("Calendar, steps of the change window")),
        (ReportFormat.CSV, _("CSV, the list of findings alone")),
    )


def paper_names() -> tuple[tuple[Paper, str], ...]:
    """Return the sizes of paper with their names."""
    return (Paper.A4, "A4"), (Paper.LETTER, _("US Letter"))


def _name_problem(name: str) -> str:
    if len(name.strip()) > LONGEST_NAME:
        return _("At most {count} characters fit on the cover.").format(count=LONGEST_NAME)
    if not name.strip().isprintable():
        return _("A name is one line of letters.")
    return ""


def options_of(form: ReportForm, names: NameChoices = NO_CHOICES) -> ReportOptions:
    """Return the wishes for the report; `names` are the decisions on names, where they are replaced."""
    logo, template = form.logo.strip(), form.template.strip()
    return ReportOptions(
        redact=form.redact,
        names=names,
        client=form.client.strip(),
        consultant=form.consultant.strip(),
        logo=Path(logo) if logo else None,
        template=Path(template) if template else None,
        with_notes=form.with_notes,
        paper=form.paper,
    )


def report_path(place: Workplace, form: ReportForm) -> Path:
    """Return where the report goes: one with names replaced does not overwrite the other."""
    if form.written_as is ReportFormat.CSV:
        return place.findings.with_stem("findings-redacted") if form.redact else place.findings
    return (place.redacted_report if form.redact else place.report).with_suffix(form.written_as)


def path_of_all(place: Workplace, form: ReportForm) -> Path:
    """Return where one report over every session of a file goes: beside the file, and named after it."""
    return _beside(place, form.written_as, redacted=form.redact)


def _beside(place: Workplace, written_as: ReportFormat, *, redacted: bool) -> Path:
    file = place.session_file
    return file.with_name(f"{file.stem}-report-of-all{'-redacted' if redacted else ''}{written_as}")


def all_text(experiments: int) -> str:
    """Return the words of the button that writes one report over every session of a file, "" for a single one."""
    if experiments <= 1:
        return ""
    return _("Report of all {count} experiments").format(count=value_text(experiments))


def remember_form(preferences: Preferences, form: ReportForm) -> Preferences:
    """Return the preferences with consultant, logo and template of a report that was written."""
    return replace(
        preferences, consultant=form.consultant.strip(), logo=form.logo.strip(), template=form.template.strip()
    )


def redact_hint(form: ReportForm) -> str:
    """Explain the effect of the switch on the files."""
    if not form.redact:
        return _("Names of servers, databases, logins and the client appear as they are.")
    return _(
        "Names are replaced in the report and its attachments. Scripts and data files keep them: whoever runs the "
        "scripts needs them."
    )


def files_table(
    place: Workplace,
    sizes: Sequence[tuple[Path, int | None]],
    systems: Iterable[System] = (),
    to_come: Sequence[ScriptFiles] = (),
) -> TableContent:
    """Return the files of a hand-over with the purpose of each.

    Args:
        sizes: of each file in bytes, None where it is not written.
        to_come: the scripts there will be.
    """
    columns = (
        Column("file", _("File")),
        Column("size", _("Size"), is_number=True),
        Column("what", _("What it is for")),
    )
    purposes = _purposes(place, systems, to_come)
    rows = tuple(
        Row(
            str(path),
            (text_cell(path.name, hint=str(path)), _size_cell(size), text_cell(purposes[path], hint=purposes[path])),
        )
        for path, size in sizes
        if path in purposes
    )
    return TableContent(columns, rows)


def files_of(place: Workplace, systems: Iterable[System] = (), to_come: Sequence[ScriptFiles] = ()) -> tuple[Path, ...]:
    """Return the files a hand-over can consist of, those among them whose scripts only some systems have."""
    return tuple(_purposes(place, systems, to_come))


def read_sizes(
    place: Workplace, systems: Iterable[System] = (), to_come: Sequence[ScriptFiles] = ()
) -> tuple[tuple[Path, int | None], ...]:
    """Look which files of a hand-over are there, and how large they are."""
    return tuple((path, path.stat().st_size if path.is_file() else None) for path in files_of(place, systems, to_come))


def _purposes(place: Workplace, systems: Iterable[System], to_come: Sequence[ScriptFiles]) -> dict[Path, str]:
    others = {
        place.report.with_suffix(ReportFormat.HTML): _("for a browser"),
        place.redacted_report.with_suffix(ReportFormat.HTML): _("for a browser: names replaced"),
        place.report.with_suffix(ReportFormat.MARKDOWN): _("for a wiki"),
        place.redacted_report.with_suffix(ReportFormat.MARKDOWN): _("for a wiki: names replaced"),
        place.report.with_suffix(ReportFormat.WORD): _("to edit"),
        place.redacted_report.with_suffix(ReportFormat.WORD): _("to edit: names replaced"),
        place.report.with_suffix(ReportFormat.SLIDES): _("to present"),
        place.redacted_report.with_suffix(ReportFormat.SLIDES): _("to present: names replaced"),
        place.report.with_suffix(ReportFormat.WORKBOOK): _("run sheet and data"),
        place.redacted_report.with_suffix(ReportFormat.WORKBOOK): _("run sheet and data: names replaced"),
        place.report.with_suffix(ReportFormat.CALENDAR): _("for a calendar"),
        place.redacted_report.with_suffix(ReportFormat.CALENDAR): _("for a calendar: names replaced"),
        **{
            _beside(place, kind, redacted=redacted): (
                _("over all experiments: names replaced") if redacted else _("over all experiments")
            )
            for kind in ReportFormat
            for redacted in (False, True)
        },
        place.findings: _("findings, as a list"),
        place.findings.with_stem("findings-redacted"): _("findings: names replaced"),
    }
    return {
        place.report: _("for the client"),
        place.redacted_report: _("for others: names replaced"),
        **{path: what for path, what in others.items() if path.is_file()},
        **_scripts(place, systems, to_come),
        **({place.rollback_script: _("undoes what a run left changed")} if place.rollback_script.is_file() else {}),
        place.measurements: _("every measurement"),
        place.results: _("findings, for programs"),
        place.session_file: _("opens here again"),
    }


def _scripts(place: Workplace, systems: Iterable[System], to_come: Sequence[ScriptFiles]) -> dict[Path, str]:
    """Return the scripts that are there, those of each server among them; without any, which there will be."""
    own = dict.fromkeys((common_files(), *(parts_of(system).writer.files() for system in systems)))
    written = {
        path: files.ending(path.stem.removeprefix(Path(name).stem)).told[path.name]
        for files in own
        for name in files.told
        for path in (place.folder / name, *sorted(place.folder.glob(name.replace(".sql", "-*.sql"))))
        if path.is_file()
    }
    expected = to_come or (common_files(),)
    return written or {place.folder / name: what for files in expected for name, what in files.told.items()}


def _size_cell(size_bytes: int | None) -> Cell:
    if size_bytes is None:
        return Cell(_("not written"), None, "", Emphasis.QUIET)
    return Cell(size_text(size_bytes), float(size_bytes), f"{size_bytes}")


def writing_text(kind: Kind) -> str:
    """Return the text shown while files are being written."""
    return {
        Kind.EVERYTHING: _("Writing report, scripts and data …"),
        Kind.REPORT: _("Drawing the figures and setting the report …"),
        Kind.ALL: _("Drawing the figures and setting the report of all experiments …"),
        Kind.SCRIPTS: _("Writing the scripts …"),
        Kind.DATA: _("Writing the data …"),
    }[kind]


def written_text(files: Sequence[WrittenFile]) -> str:
    """Return the summary of the files written."""
    names = ", ".join(f"{file.path.name} ({size_text(file.size_bytes)})" for file in files)
    return _("Written: {names}.").format(names=names)


def failed_text(error: BaseException) -> str:
    """Return the text shown where a file could not be made."""
    if isinstance(error, ReplituneError):
        return sentence(str(error))
    return _("This could not be written because of a mistake in this program; see the error report.")


def page_text(page: int, pages: int) -> str:
    """Return which page is shown; `page` counts from 0."""
    if not pages:
        return ""
    return counted(pages, _("1 page"), _("Page {page} of {pages}").format(page=page + 1, pages=pages))
