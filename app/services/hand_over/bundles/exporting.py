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
from app.services.hand_over.bundles.undecided import check_free_texts
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
    hide: Sequence[str] = (),
    keep: Sequence[str] | None = (),
) -> WrittenBundle:
    """Write a client's file with report, scripts and tables of each session as one archive, replacing the one at `out`.

    Where names are replaced the session file is written anew from the changed records, so that nothing of the old one
    is left in it, and all other parts are made from the new file: one name has one word throughout.

    Args:
        hide: further names to replace, which no record tells; implies `redact`.
        keep: words of notes, tags and titles that stay though they look like names; None for all of them.

    Raises:
        StoreError: the session file cannot be read, or holds no session.
        BadInput: the archive cannot be written, or a name could not be replaced everywhere.
        UndecidedWords: names are replaced, and free texts hold words that look like some and are neither in `hide` nor
            in `keep`.
    """
    refuse_to_overwrite(session_file, (out,))
    redact = redact or bool(hide)
    with tempfile.TemporaryDirectory(prefix="replitune-bundle-") as made:
        folder = Path(made)
        redactor = _write_redacted(session_file, folder / SESSION_FILE, hide, advisor) if redact else None
        if redactor is not None and keep is not None:
            check_free_texts(folder / SESSION_FILE, redactor.words, keep)
        if redactor is None:
            with open_for_reading(session_file) as reader:
                reader.write_copy(folder / SESSION_FILE)
        count = _write_parts(folder, advisor, renderer, ReportOptions(is_redacted=redact))
        names = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
        if redactor is not None:
            _look_for_survivors(folder, names, redactor)
        now_utc = SystemClock().now_utc()
        parts = tuple(part_of(name, folder / name) for name in names)
        (folder / MANIFEST).write_bytes(
            manifest_bytes(Manifest(APP_VERSION, now_utc.isoformat(timespec="seconds"), redact, parts))
        )
        _pack(folder, (MANIFEST, *names), out)
    return WrittenBundle(out, out.stat().st_size, count, tuple(names))


def _write_redacted(session_file: Path, copy: Path, hide: Sequence[str], advisor: Advisor) -> Redactor:
    """Write a session file whose names are replaced; return what replaced them."""
    with open_for_reading(session_file) as reader:
        ids = [overview.header.session_id for overview in reversed(reader.list_sessions())]
        declared = advisor.declared_texts()
        records = [reader.read_session(session_id, opening=declared.kept) for session_id in ids]
        redactor = redactor_for(records, hide, declared)
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
        write_data(explained, place)
    return len(ids)


def _look_for_survivors(folder: Path, names: Sequence[str], redactor: Redactor) -> None:
    """Look through what can be searched as it lies there; a name that is left is a mistake that must not leave."""
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
