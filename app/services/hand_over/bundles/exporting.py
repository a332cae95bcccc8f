"""Writing a bundle: the session file first, and every other part made from that very file."""

import re
import secrets
import tempfile
import zipfile
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from app.domain.errors import BadInput
from app.domain.ports import FigureRenderer
from app.foundation.clock import SystemClock
from app.foundation.files import move_into_place
from app.foundation.texts import _
from app.foundation.version import VERSION as APP_VERSION
from app.reporting.redact.redaction import Redactor, redactor_for
from app.services.explain.advising import Advisor
from app.services.explain.explaining import explain_session
from app.services.hand_over.bundles.manifest import MANIFEST, SESSION_FILE, Manifest, manifest_bytes, part_of
from app.services.hand_over.free_texts import NO_CHOICES, NameChoices, check_free_texts, free_texts
from app.services.hand_over.report_and_scripts import ReportOptions, write_data, write_explained_report, write_scripts
from app.services.workplace import Workplace, open_workplace, refuse_to_overwrite
from app.store import create_session_file, open_for_reading

_PLAIN_ID: Final = re.compile(r"[A-Za-z0-9-]{1,60}")


@dataclass(frozen=True)
class WrittenBundle:
    """A bundle on disk.

    Attributes:
        parts: names in the archive.
    """

    path: Path
    size_bytes: int
    sessions: int
    parts: tuple[str, ...]


def export_bundle(
    session_file: Path,
    out: Path,
    advisor: Advisor,
    renderer: FigureRenderer,
    *,
    redact: bool = False,
    names: NameChoices = NO_CHOICES,
) -> WrittenBundle:
    """Write a client's file with report, scripts and tables of each session as one archive, replacing the one at `out`.

    Where names are replaced the session file is written anew from the changed records, so that nothing of the old one
    is left in it, and all other parts are made from the new file: one name has one word throughout.

    Args:
        names: what a person decided of names no record tells; one to hide implies `redact`.

    Raises:
        StoreError: the session file cannot be read, or holds no session.
        BadInput: the archive cannot be written, or a name could not be replaced everywhere.
        UndecidedTexts: names are replaced, and nobody has decided on some notes, tags or titles.
    """
    refuse_to_overwrite(session_file, (out,))
    redact = redact or bool(names.hide)
    with tempfile.TemporaryDirectory(prefix="replitune-bundle-") as made:
        folder = Path(made)
        redactor = _write_redacted(session_file, folder / SESSION_FILE, names, advisor) if redact else None
        if redactor is None:
            with open_for_reading(session_file) as reader:
                reader.write_copy(folder / SESSION_FILE)
        count = _write_parts(folder, advisor, renderer, ReportOptions(is_redacted=redact))
        made_files = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
        if redactor is not None:
            _look_for_survivors(folder, made_files, redactor)
        now_utc = SystemClock().now_utc()
        parts = tuple(part_of(name, folder / name) for name in made_files)
        (folder / MANIFEST).write_bytes(
            manifest_bytes(Manifest(APP_VERSION, now_utc.isoformat(timespec="seconds"), redact, parts))
        )
        _pack(folder, (MANIFEST, *made_files), out)
    return WrittenBundle(out, out.stat().st_size, count, tuple(made_files))


def _write_redacted(session_file: Path, copy: Path, names: NameChoices, advisor: Advisor) -> Redactor:
    """Write a session file whose names are replaced; return the redactor.

    Raises:
        UndecidedTexts: as `export_bundle`.
    """
    with open_for_reading(session_file) as reader:
        ids = [overview.header.session_id for overview in reversed(reader.list_sessions())]
        declared = advisor.declared_texts()
        records = [reader.read_session(session_id, opening=declared.kept) for session_id in ids]
        redactor = redactor_for(records, names.hide, declared)
        texts = [
            text
            for record in records
            for text in free_texts(record, reader.read_remarks(record.session_id), reader.read_tags(record.session_id))
        ]
        check_free_texts(dict.fromkeys(texts), redactor, names, advisor.families.values())
        with create_session_file(copy) as store:
            for record in records:
                store.add_session(
                    redactor.record(record),
                    events=redactor.record(reader.read_events(record.session_id)),
                    remarks=redactor.record(reader.read_remarks(record.session_id)),
                    tags=redactor.record(reader.read_tags(record.session_id)),
                )
    return redactor


def _write_parts(folder: Path, advisor: Advisor, renderer: FigureRenderer, wishes: ReportOptions) -> int:
    """Write report, scripts and tables of every session into folders of their own; return how many there are."""
    copy = folder / SESSION_FILE
    with open_for_reading(copy) as reader:
        ids = [overview.header.session_id for overview in reversed(reader.list_sessions())]
    for number, session_id in enumerate(ids, start=1):
        name = f"{number:02d}-{session_id}" if _PLAIN_ID.fullmatch(session_id) else f"{number:02d}"
        place: Workplace = open_workplace(folder / "sessions" / name)
        explained = explain_session(copy, session_id, advisor)
        write_explained_report(explained, place.report, advisor, renderer, wishes)
        write_explained_report(explained, place.findings, advisor, renderer, wishes)
        write_scripts(explained, place, advisor)
        write_data(explained, place, advisor)
    return len(ids)


def _look_for_survivors(folder: Path, names: Sequence[str], redactor: Redactor) -> None:
    """Search all readable files of a folder; a name left in one is a mistake that must not leave."""
    for name in names:
        if name.endswith(".pdf"):
            continue  # compressed inside, and set from the records whose other forms are searched here
        survivor = redactor.survivor((folder / name).read_bytes().decode("utf-8", "replace"))
        if survivor:
            raise BadInput(
                _('"{name}" could not be replaced in {part}, so no bundle was written; report this').format(
                    name=survivor, part=name
                )
            )


def _pack(folder: Path, names: Sequence[str], out: Path) -> None:
    """Write the archive; whole or not at all."""
    partial = out.with_name(f".{out.name}.{secrets.token_hex(6)}")
    try:
        with zipfile.ZipFile(partial, "x", zipfile.ZIP_DEFLATED) as archive:
            for name in names:
                archive.write(folder / name, name)
        move_into_place(partial, out)
    except OSError as error:
        raise BadInput(
            _("{path} cannot be written: {why}; give another place").format(path=out, why=error.strerror or error)
        ) from error
    finally:
        with suppress(OSError):
            partial.unlink(missing_ok=True)
