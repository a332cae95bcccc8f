"""A session of measurements made elsewhere: read, kept, explained like measured ones."""

from collections.abc import Mapping
from pathlib import Path

from app.domain.errors import BadInput
from app.domain.family import ExperimentFamily
from app.domain.session import BASELINE_FACT, NOISE_FACT, Environment, SessionRecord
from app.foundation.clock import SystemClock
from app.foundation.files import write_atomically
from app.foundation.ids import new_session_id
from app.foundation.texts import _
from app.foundation.version import VERSION
from app.services.explain.importing import (
    Answers,
    ColumnMapping,
    Families,
    Grid,
    Preview,
    columns_of,
    describe,
    name_of,
    read_measured,
    read_measurements,
    template_text,
)
from app.services.explain.plain_comparison import PlainComparison, compare_plainly
from app.services.workplace import open_workplace
from app.store import create_session_file


def read_session(
    path: Path,
    families: Mapping[str, ExperimentFamily],
    noise_cv: float | None,
    mapping: ColumnMapping | None = None,
    answers: Answers | None = None,
) -> SessionRecord:
    """Read a measurement file into a session of its own; as `read_or_compare`, but for a parameter no family knows.

    Raises:
        BadInput: as there, or no family knows the parameter.
    """
    read = read_or_compare(path, families, noise_cv, mapping, answers)
    if isinstance(read, PlainComparison):
        sentence = _('{file}: there is no rule for "{parameter}", so no session is made; advise compares its numbers')
        raise BadInput(sentence.format(file=path, parameter=read.parameter))
    return read


def read_or_compare(
    path: Path,
    families: Mapping[str, ExperimentFamily],
    noise_cv: float | None,
    mapping: ColumnMapping | None = None,
    answers: Answers | None = None,
) -> SessionRecord | PlainComparison:
    """Read a measurement file into a session of its own, or compare it plainly where no family knows its parameter.

    Args:
        noise_cv: run-to-run noise known from outside, as a share, or None.
        mapping: what its columns mean, None where their headings say it.
        answers: to what the file leaves open.

    Raises:
        BadInput: the file cannot be used, or leaves something open; the sentence says where and why.
    """
    imported = read_measurements(path, accepted_columns(families), mapping, answers)
    plain = compare_plainly(imported, noise_cv)
    if plain is not None:
        return plain
    now_utc = SystemClock().now_utc()
    facts = () if noise_cv is None else ((NOISE_FACT, f"{noise_cv!r}", "share"),)
    if imported.baseline:
        facts = (*facts, (BASELINE_FACT, imported.baseline.label(), ""))
    return SessionRecord(
        session_id=new_session_id(now_utc),
        title=_("Measurements from {file}").format(file=name_of(path)),
        client="",
        consultant="",
        created_utc=now_utc,
        app_version=VERSION,
        environments=(Environment(target=name_of(path), facts=facts),),
        runs=(),
        imported=imported.measurements,
        imported_from=name_of(path),
        notes=imported.notes,
    )


def keep_session(record: SessionRecord, folder: Path) -> Path:
    """Write a session into the session file of a folder, made where it is missing; return the file's path.

    Raises:
        BadInput, StoreError: the folder or the file cannot be written.
    """
    place = open_workplace(folder)
    with create_session_file(place.session_file) as store:
        store.add_session(record)
    return place.session_file


def accepted_columns(families: Mapping[str, ExperimentFamily]) -> Families:
    """Return the columns each family accepts from a file, by its id."""
    return {name: columns_of(family) for name, family in families.items()}


def preview(grid: Grid, accepted: Families, mapping: ColumnMapping) -> tuple[Preview, PlainComparison | None]:
    """Say in words how a table was understood, and compare it where no family knows its parameter; nothing is written.

    Raises:
        BadInput: it cannot be used; the sentence says where and why.
    """
    imported = read_measured(grid, accepted, mapping)
    return describe(imported), compare_plainly(imported)


def save_template(path: Path, family: ExperimentFamily) -> None:
    """Write a measurement file of a family that lacks its values only.

    Raises:
        BadInput: the file cannot be written.
    """
    try:
        write_atomically(path, template_text(columns_of(family)).encode())
    except OSError as error:
        sentence = _("{file} cannot be written: {reason}; choose another folder")
        raise BadInput(sentence.format(file=path, reason=error.strerror)) from error
