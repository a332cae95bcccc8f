"""Unpacking a bundle: into a folder beside the wanted one, checked to the last byte, then moved there in one step."""

import secrets
import shutil
import zipfile
from dataclasses import dataclass
from pathlib import Path

from app.domain.errors import BadInput
from app.foundation.files import move_into_place, when_not_held
from app.foundation.texts import _
from app.services.hand_over.bundles.archive import check_entries, check_listed, read_small, unpack
from app.services.hand_over.bundles.manifest import MANIFEST, SESSION_FILE, Manifest, read_manifest
from app.store import open_for_reading


@dataclass(frozen=True)
class OpenedBundle:
    """A bundle as it lies unpacked.

    Attributes:
        session_file: the client's file; sessions: how many it holds.
    """

    folder: Path
    session_file: Path
    sessions: int
    redacted: bool


def import_bundle(bundle: Path, folder: Path) -> OpenedBundle:
    """Unpack a bundle into a folder that is empty or not there yet.

    Raises:
        BadInput: it is no bundle, or not harmless; the folder holds something or cannot be made. Nothing is left then.
        StoreError: its session file is damaged or newer than the program. Nothing is left then either.
    """
    _check_folder(folder)
    partial = folder.parent / f".{folder.name}.{secrets.token_hex(6)}"
    try:
        with _opened(bundle) as archive:
            by_name = check_entries(archive, bundle)
            if MANIFEST not in by_name or SESSION_FILE not in by_name:
                raise _no_bundle(bundle)
            manifest = read_manifest(read_small(archive, by_name[MANIFEST], bundle), bundle)
            check_listed(by_name, manifest.parts, bundle)
            for part in manifest.parts:
                out = partial / part.name
                out.parent.mkdir(parents=True, exist_ok=True)
                unpack(archive, by_name[part.name], part, out, bundle)
        return _move(partial, folder, manifest, _check_session_file(partial / SESSION_FILE))
    except OSError as error:
        raise BadInput(
            _("{path} cannot be unpacked to {folder}: {why}").format(
                path=bundle, folder=folder, why=error.strerror or error
            )
        ) from error
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def _check_folder(folder: Path) -> None:
    try:
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise BadInput(_("{folder} is not an empty folder; give a new one").format(folder=folder))
        if not folder.parent.is_dir():
            raise BadInput(_("the folder {folder} does not exist; create it first").format(folder=folder.parent))
    except OSError as error:
        raise BadInput(_("{folder} cannot be used: {why}").format(folder=folder, why=error.strerror)) from error


def _opened(bundle: Path) -> zipfile.ZipFile:
    if not bundle.is_file():
        raise BadInput(_("{path} is no file; give a bundle (.zip)").format(path=bundle))
    try:
        return zipfile.ZipFile(bundle)
    except (zipfile.BadZipFile, ValueError, NotImplementedError, UnicodeDecodeError) as error:
        raise _no_bundle(bundle) from error


def _check_session_file(path: Path) -> int:
    """Read every session once, so that a damaged file is told now; return how many there are."""
    with open_for_reading(path) as reader:
        sessions = reader.list_sessions()
        for overview in sessions:
            reader.read_session(overview.header.session_id, with_samples=False)
    return len(sessions)


def _move(partial: Path, folder: Path, manifest: Manifest, sessions: int) -> OpenedBundle:
    if folder.exists():
        when_not_held(folder.rmdir)  # it is empty; Windows moves nothing onto a folder that is there
    move_into_place(partial, folder)
    return OpenedBundle(folder, folder / SESSION_FILE, sessions, manifest.redacted)


def _no_bundle(bundle: Path) -> BadInput:
    return BadInput(_("{path} is no bundle of Replitune; choose another file").format(path=bundle))
