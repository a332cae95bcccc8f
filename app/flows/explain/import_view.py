"""The import page as plain data: its entries, their mistakes, and how a file was understood."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Final

from app.domain.errors import BadInput
from app.domain.measurement import Metric
from app.domain.setting import value_text
from app.domain.units import known_units, units_like
from app.domain.view import Cell, Column, Row, TableContent, View, number_cell
from app.flows.plan.number_entry import read_decimal
from app.flows.shell.folder_entry import folder_problem
from app.flows.words import sentence
from app.foundation.files import write_atomically
from app.foundation.texts import _, shortened
from app.reporting.tables.plain_comparisons import plain_comparisons_table, plain_title
from app.services.explain.imported_session import accepted_columns, keep_session, preview, read_session
from app.services.explain.importing import (
    BASELINE,
    CONDITIONS,
    FAMILY,
    LEFT_OUT,
    METRIC,
    NO_RULE,
    PARAMETER,
    QUESTIONS,
    SHEET,
    UNDECIDED,
    UNIT,
    Asked,
    ColumnMapping,
    Families,
    FamilyColumns,
    Grid,
    Preview,
    Question,
    RowsRefused,
    column_choices,
    families_for,
    family_note,
    guess_mapping,
    mapping_problems,
    published_sources,
    read_raw,
    with_levels_across,
)
from app.services.explain.plain_comparison import PlainComparison
from app.services.program import Program

_SAMPLES: Final = 3
_SHOWN_ROWS: Final = 50
_MOST_SETTINGS: Final = 40
_TRIED_ROWS: Final = 2_000
"""Rows a choice is tried on: so many are read in a moment, whatever the length of the file."""


@dataclass(frozen=True)
class CommonValue:
    """A value that may be given once for all rows, because no column holds it.

    Attributes:
        name: of the column that would say it.
        choices: possible values, each with its title; () where it is typed.
        chosen: the value, "" for none yet.
        blank: what holds where nothing is chosen, "" where something must be; of one that is typed an example.
    """

    name: str
    title: str
    choices: tuple[tuple[str, str], ...]
    chosen: str
    blank: str = ""


@dataclass(frozen=True)
class Understanding:
    """How a file is understood by a mapping of its columns.

    Attributes:
        raw: the file as it is written.
        columns: what a column may hold, with its title.
        common: values of all rows.
        preview: what is found in the file by this mapping, None where it cannot be read so.
        problems: all that keeps it from being read, a sentence each.
        is_kept: the mapping is the one chosen for the last table with these headings.
        compared: the settings, where no family knows the parameter, so that no session is made.
    """

    raw: Grid
    mapping: ColumnMapping
    columns: tuple[tuple[str, str], ...]
    common: tuple[CommonValue, ...]
    preview: Preview | None
    problems: tuple[str, ...] = ()
    is_kept: bool = False
    compared: PlainComparison | None = None


@dataclass(frozen=True)
class ImportForm:
    """The contents of the fields.

    Attributes:
        noise_percent: run-to-run noise in percent as typed, "" for unknown.
        understood: how the file is understood, None until it was looked at.
        file_problem: why it cannot be looked at, "" where it can or none was chosen.
    """

    file: str = ""
    noise_percent: str = ""
    folder: str = ""
    understood: Understanding | None = None
    file_problem: str = ""

    @property
    def preview(self) -> Preview | None:
        """Return the content of the file, None where it cannot be read yet."""
        return None if self.understood is None else self.understood.preview


@dataclass(frozen=True)
class ImportProblems:
    """The message beside each field, "" where it is right."""

    file: str = ""
    noise: str = ""
    folder: str = ""

    @property
    def first(self) -> str:
        """The first of them, "" where nothing is wrong."""
        return self.file or self.noise or self.folder


def check_form(form: ImportForm) -> ImportProblems:
    """Return the mistake in each field."""
    noise = ""
    try:
        noise_share(form.noise_percent)
    except BadInput as error:
        noise = str(error)
    return ImportProblems(form.file_problem, noise, folder_problem(form.folder.strip()))


def can_import(form: ImportForm) -> bool:
    """Tell whether a session can be made of the entries."""
    is_complete = form.preview is not None and not check_form(form).first and bool(form.folder.strip())
    return is_complete and plain_comparison(form) is None


def plain_comparison(form: ImportForm) -> PlainComparison | None:
    """Return the comparison of a parameter that no family knows, None where one does."""
    return None if form.understood is None else form.understood.compared


def compared_table(form: ImportForm) -> TableContent:
    """Return that comparison as a table, an empty one for none."""
    plain = plain_comparison(form)
    return TableContent(()) if plain is None else plain_comparisons_table(plain.comparisons).in_view(View.WINDOW)


def missing_entry(form: ImportForm) -> str:
    """Return in one sentence the entry that is still missing for a session, "" when none is."""
    if check_form(form).first:
        return _("See beside the fields what to change.")
    if not form.file.strip():
        return _("Choose a file of measurements.")
    if form.understood is None or not (form.preview or form.understood.problems):
        return _("The file is being read.")
    if form.understood.problems:
        return _("See above the columns what to fill in or change.")
    if plain_comparison(form) is not None:
        return _("No session is made of numbers without a rule; the comparison stands above.")
    if not form.folder.strip():
        return _("Choose the folder for session file, report and scripts.")
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


# How a file is understood


def look_at(file: str, program: Program, sheet: str = "", kept: Mapping[str, str] | None = None) -> Understanding:
    """Look at a file and guess the meaning of its columns; for a worker thread.

    Args:
        sheet: of a workbook, "" for the first that holds a table.
        kept: `meaning_text` of tables imported before, by `headings_text`, whose choices are taken again.

    Raises:
        BadInput: it cannot be split into columns; the sentence says where and why.
    """
    path = Path(file.strip())
    accepted = accepted_columns(program.families)
    raw = read_raw(path, accepted, sheet)
    accepted = families_for(raw, accepted)
    sheets = {SHEET: raw.sheet} if raw.sheet else {}
    chosen = _chosen_before((kept or {}).get(headings_text(raw), ""), raw)
    if chosen is None:
        guessed = guess_mapping(raw, accepted, sheets)
        return _with_notes(understand(path, raw, guessed, program), family_note(raw, guessed, accepted))
    return replace(understand(path, raw, chosen.also(sheets), program), is_kept=True)


def _with_notes(understood: Understanding, notes: Iterable[str]) -> Understanding:
    shown = understood.preview
    return understood if shown is None else replace(understood, preview=shown._replace(notes=(*shown.notes, *notes)))


def understand(path: Path, raw: Grid, mapping: ColumnMapping, program: Program) -> Understanding:
    """Read a file as its columns are said to be meant; for a worker thread.

    Of a long file rows are tried that stand evenly through it; all are read when the session is made.
    """
    if mapping.common_value(SHEET) != raw.sheet:
        return look_at(str(path), program, mapping.common_value(SHEET))
    accepted = families_for(raw, accepted_columns(program.families))
    mapping = with_levels_across(mapping, raw)
    problems = tuple(map(sentence, mapping_problems(mapping, raw, accepted)))
    shown = asked = compared = None
    try:
        shown, compared = (None, None) if problems else _tried(raw, mapping, accepted)
    except Asked as error:
        problems, asked = (_without_path(error.sentence, path),), error.question
    except RowsRefused as error:
        problems = tuple(_without_path(refusal, path) for refusal in error.sentences)
    except BadInput as error:
        problems = (_without_path(str(error), path),)
    columns = ((UNDECIDED, _("Choose …")), (LEFT_OUT, _("Leave out")), *column_choices(accepted))
    common = _common_values(mapping, raw, accepted, program)
    if shown is not None:
        common = tuple(replace(value, blank=_("As the columns say")) for value in common)
        common = (*common, *_baseline(mapping, shown))
    common = (*common, _conditions(mapping))
    common = (*common, *_questions(mapping, asked))
    return Understanding(raw, mapping, columns, common, shown, problems, compared=compared)


def _tried(raw: Grid, mapping: ColumnMapping, accepted: Families) -> tuple[Preview, PlainComparison | None]:
    """Return how a file is understood, by rows that stand evenly through it; errors as of `preview`."""
    tried = raw.thinned(_TRIED_ROWS)
    shown, compared = preview(tried, accepted, mapping)
    if len(tried.rows) == len(raw.rows):
        return shown, compared
    told = _("Tried on {some} of {rows} rows: {summary}")
    some, rows = value_text(len(tried.rows)), value_text(len(raw.rows))
    return shown._replace(summary=told.format(some=some, rows=rows, summary=shown.summary)), compared


def headings_text(raw: Grid) -> str:
    """Return the headings of a table as a text that tells its kind."""
    return json.dumps(raw.headings, ensure_ascii=False)


def meaning_text(mapping: ColumnMapping) -> str:
    """Return a mapping as a text that is kept for the next table of its kind."""
    return json.dumps([mapping.columns, mapping.same], ensure_ascii=False)


def _chosen_before(text: str, raw: Grid) -> ColumnMapping | None:
    """Return the mapping a text keeps, None where it is damaged or of another number of columns."""
    try:
        columns, same = json.loads(text)
        mapping = ColumnMapping(tuple(map(str, columns)), tuple((str(name), str(said)) for name, said in same))
    except (ValueError, TypeError):
        return None
    return mapping if len(mapping.columns) == len(raw.headings) else None


def keep_pasted(text: str, folder: Path, now: datetime) -> Path:
    """Write a pasted table into a file of the folder for sessions, so that it can be read again; return its path.

    Raises:
        BadInput: it cannot be written.
    """
    path, number = folder / f"{now.astimezone():%Y-%m-%d %H%M} pasted.txt", 2
    while path.exists():
        path, number = folder / f"{now.astimezone():%Y-%m-%d %H%M} pasted ({number}).txt", number + 1
    try:
        folder.mkdir(parents=True, exist_ok=True)
        write_atomically(path, text.encode("utf-8", "replace"))
    except OSError as error:
        refused = _("The pasted table cannot be kept in {folder}: {reason}; choose another folder in the settings.")
        raise BadInput(refused.format(folder=folder, reason=error.strerror)) from error
    return path


def _questions(mapping: ColumnMapping, asked: Question | None) -> Iterator[CommonValue]:
    """Yield the answered questions on the file, and the open ones."""
    answered = dict(mapping.same)
    for name, question in QUESTIONS.items():
        if name in answered or question is asked:
            yield CommonValue(name, question.title, question.choices, answered.get(name, ""))


def _without_path(refusal: str, path: Path) -> str:
    """Return a refusal without the path it begins with, which stands in its field."""
    return sentence(refusal.removeprefix(f"{path}, ").removeprefix(f"{path}: "))


def with_column(mapping: ColumnMapping, place: int, name: str) -> ColumnMapping:
    """Return a mapping whose column at a place holds something else."""
    return replace(mapping, columns=(*mapping.columns[:place], name, *mapping.columns[place + 1 :]))


def with_common_value(mapping: ColumnMapping, name: str, text: str) -> ColumnMapping:
    """Return a mapping that says something else once for all rows."""
    return replace(mapping, same=(*(one for one in mapping.same if one[0] != name), (name, text)))


def _baseline(mapping: ColumnMapping, shown: Preview) -> Iterator[CommonValue]:
    """Yield the choice of the setting the others are compared with, where there are few enough to choose among."""
    if 1 < len(shown.settings) <= _MOST_SETTINGS:
        choices = tuple((setting, setting.replace("=", " ")) for setting in shown.settings)
        yield CommonValue(BASELINE, _("Baseline"), choices, mapping.common_value(BASELINE), _("Default or lowest"))


def _conditions(mapping: ColumnMapping) -> CommonValue:
    """Return the field for conditions that no column says."""
    return CommonValue(CONDITIONS, _("Conditions"), (), mapping.common_value(CONDITIONS), "rtt_ms=20, concurrency=4")


def _common_values(mapping: ColumnMapping, raw: Grid, accepted: Families, program: Program) -> tuple[CommonValue, ...]:
    choices = _choices(mapping, accepted, program)
    if raw.has_levels_across:
        names = dict.fromkeys(p.name for one in accepted.values() for p in one.parameters)
        choices[PARAMETER] = (_("Parameter in the headings"), tuple((name, name) for name in names))
    if len(raw.sheets) > 1:
        choices = {SHEET: (_("Sheet"), tuple((name, name) for name in raw.sheets))} | choices
    return tuple(
        CommonValue(name, title, among_these, mapping.common_value(name))
        for name, (title, among_these) in choices.items()
        if name not in mapping.columns
    )


def _choices(
    mapping: ColumnMapping, accepted: Families, program: Program
) -> dict[str, tuple[str, tuple[tuple[str, str], ...]]]:
    """Return title and choices of the experiment, the measure and its unit."""
    family = accepted.get(mapping.common_value(FAMILY))
    metrics = _metrics_of(accepted.values() if family is None else (family,))
    metric = metrics.get(mapping.common_value(METRIC))
    units = known_units() if metric is None else units_like(metric.unit)
    titles = {name: found.title for name, found in program.families.items()} | {
        NO_RULE: _("None: compared without advice")
    }
    return {
        FAMILY: (_("Experiment"), tuple((name, titles[name]) for name in accepted)),
        METRIC: (_("Measured"), tuple((name, metric.title) for name, metric in metrics.items())),
        UNIT: (_("Unit"), tuple((unit, unit) for unit in units)),
    }


def _metrics_of(families: Iterable[FamilyColumns]) -> dict[str, Metric]:
    return {metric.name: metric for family in families for metric in (*family.metrics, *family.others)}


def raw_table(raw: Grid | None) -> TableContent:
    """Return the first rows of a file as they are written; an empty table before a file was looked at."""
    if raw is None:
        return TableContent(())
    shown = raw.rows[:_SHOWN_ROWS]
    cells = [[_raw_cell(text) for text in texts] for _line, texts in shown]
    numbers = [all(isinstance(row[place].value, float | None) for row in cells) for place in range(len(raw.headings))]
    columns = (
        Column("line", _("Line"), is_number=True),
        *(
            Column(f"{place}", heading, is_number=number)
            for place, (heading, number) in enumerate(zip(raw.headings, numbers, strict=True))
        ),
    )
    rows = (Row(str(line), (number_cell(line), *row)) for (line, _texts), row in zip(shown, cells, strict=True))
    return TableContent(columns, tuple(rows))


def _raw_cell(text: str) -> Cell:
    try:
        value: float | str | None = float(text.replace(",", "."))
    except ValueError:
        value = text or None
    return Cell(text, value, text)


def sample_text(understood: Understanding, place: int) -> str:
    """Return the first contents of a column, each once, and how they were read where that is not the same."""
    readings = {} if understood.preview is None else understood.preview.readings
    texts = dict.fromkeys(texts[place] for _line, texts in understood.raw.rows[:_SHOWN_ROWS] if texts[place])
    shown = [_with_reading(text, readings.get((place, text), "")) for text in list(texts)[:_SAMPLES]]
    return " · ".join(shown) + (" …" if len(texts) > _SAMPLES else "")


def _with_reading(text: str, reading: str) -> str:
    is_told = not reading or reading.partition(" ")[0] == text
    return text if is_told else f"{text} → {reading}"


def preview_text(understood: Understanding | None) -> str:
    """Return the content of a file and the notes a reader needs, one sentence a line."""
    if understood is None:
        return ""
    kept = [_("Taken over from the last file with these headings; change below what differs.")]
    shown = understood.preview
    told = [] if shown is None else [shown.summary, *shown.experiments, *shown.notes]
    told += [] if understood.compared is None else [plain_title(understood.compared.parameter)]
    return "\n".join((kept if understood.is_kept else []) + told)


def problems_text(form: ImportForm) -> str:
    """Return all that keeps a file from being read, one sentence a line; "" where nothing does."""
    return "" if form.understood is None else "\n".join(form.understood.problems)


# What is offered


def published_titles() -> tuple[tuple[Path, str], ...]:
    """Return the published studies that come with the program: file and title of each."""
    return tuple(
        (source.path, _("{title} ({published})").format(title=shortened(source.title, 70), published=source.published))
        for source in published_sources()
    )


def make_session(form: ImportForm, program: Program) -> Path:
    """Make a session file of the entries and return its path; for a worker thread.

    Raises:
        BadInput, StoreError: the file of measurements, or the folder, cannot be used.
    """
    mapping = None if form.understood is None else form.understood.mapping
    record = read_session(Path(form.file.strip()), program.families, noise_share(form.noise_percent), mapping)
    return keep_session(record, Path(form.folder.strip()))
