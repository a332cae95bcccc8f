"""Reading an archive of unknown origin: every entry is judged by its header, then held to it while it is read."""

import hashlib
import re
import stat
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from app.domain.errors import BadInput
from app.foundation.file_names import is_device_name
from app.foundation.texts import _
from app.services.hand_over.bundles.manifest import KINDS, MANIFEST, MOST_MANIFEST_BYTES, MOST_PARTS, Part

MOST_BYTES: Final = 4_000_000_000
"""Of all parts together, unpacked."""
MOST_RATIO: Final = 300
"""Unpacked to packed size of all parts together; logs of statements reach about 100."""
_RATIO_FROM_BYTES: Final = 20_000_000

# Forward slashes only, no part that begins with a dot, nothing a file system could read otherwise.
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}(?:/[A-Za-z0-9][A-Za-z0-9._-]{0,99}){0,4}")
_CHUNK: Final = 1 << 18
_HEAD_BYTES: Final = 4_096


def check_entries(archive: zipfile.ZipFile, bundle: Path) -> Mapping[str, zipfile.ZipInfo]:
    """Return the entries of an archive by name, once all that they say of themselves is harmless.

    Raises:
        BadInput: too many or too large, a name that leads elsewhere or stands there twice, links, encryption …
    """
    entries = archive.infolist()
    if len(entries) > MOST_PARTS:
        raise BadInput(
            _("{path} holds more than {most:,} files; no bundle of Replitune does").format(path=bundle, most=MOST_PARTS)
        )
    by_name: dict[str, zipfile.ZipInfo] = {}
    names: set[str] = set()
    for entry in entries:
        _check_entry(entry, bundle)
        if entry.filename.lower() in names:
            raise _refused(bundle, entry.filename, _("is in it twice"))
        names.add(entry.filename.lower())
        by_name[entry.filename] = entry
    for name in names:
        if any(str(parent) in names for parent in Path(name).parents):
            raise _refused(bundle, name, _("is said to be a file and a folder"))
    _check_sizes(entries, bundle)
    return by_name


def read_small(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, bundle: Path) -> bytes:
    """Return the content of the list of parts; raises BadInput where it is larger than any can be, or damaged."""
    if entry.file_size > MOST_MANIFEST_BYTES:
        raise _refused(bundle, entry.filename, _("is too large"))
    try:
        with archive.open(entry) as stream:
            content = stream.read(MOST_MANIFEST_BYTES + 1)
    except _DAMAGES as error:
        raise _damaged(bundle) from error
    if len(content) > MOST_MANIFEST_BYTES:
        raise _refused(bundle, entry.filename, _("is too large"))
    return content


def unpack(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, part: Part, out: Path, bundle: Path) -> None:
    """Write one part to a new file; never more than the list of parts says, and only with its SHA-256.

    Raises:
        BadInput: it is of another size, kind or content than it says.
    """
    digest, left = hashlib.sha256(), part.size_bytes
    is_kind = KINDS[Path(part.name).suffix]
    try:
        with archive.open(entry) as stream, out.open("xb") as target:
            head = stream.read(min(_HEAD_BYTES, left + 1))
            if head and not is_kind(head):
                raise _refused(bundle, part.name, _("is not what its name says"))
            chunk = head
            while chunk:
                left -= len(chunk)
                if left < 0:
                    raise _refused(bundle, part.name, _("is larger than it says"))
                digest.update(chunk)
                target.write(chunk)
                chunk = stream.read(min(_CHUNK, left + 1))
    except _DAMAGES as error:
        raise _damaged(bundle) from error
    if left or digest.hexdigest() != part.sha256:
        raise _refused(bundle, part.name, _("is not the file that was packed (its SHA-256 differs)"))


def check_listed(by_name: Mapping[str, zipfile.ZipInfo], parts: tuple[Part, ...], bundle: Path) -> None:
    """Check that list and archive name the same files, with the same sizes, of kinds a bundle has.

    Raises:
        BadInput: one is missing, not listed, listed twice, or of an unknown kind.
    """
    listed = [part.name for part in parts]
    for name in listed:
        if name not in by_name or listed.count(name) > 1 or name == MANIFEST:
            raise _refused(bundle, name, _("is in the list of parts but not in the archive"))
    for name in by_name:
        if name != MANIFEST and name not in listed:
            raise _refused(bundle, name, _("is not in the list of parts"))
    for part in parts:
        if Path(part.name).suffix not in KINDS:
            raise _refused(bundle, part.name, _("is of a kind no bundle has"))
        if by_name[part.name].file_size != part.size_bytes:
            raise _refused(bundle, part.name, _("has another size than it says"))


_DAMAGES: Final = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError)


def _check_entry(entry: zipfile.ZipInfo, bundle: Path) -> None:
    name = entry.filename
    parts = name.split("/")
    if not _NAME.fullmatch(name) or any(part.endswith(".") or is_device_name(part) for part in parts):
        raise _refused(bundle, name, _("has a name that leads elsewhere"))
    kind = stat.S_IFMT(entry.external_attr >> 16)
    if kind not in (0, stat.S_IFREG):
        raise _refused(bundle, name, _("is a link or a device, not a file"))
    if entry.flag_bits & 0x1:
        raise _refused(bundle, name, _("is encrypted"))
    if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise _refused(bundle, name, _("is packed in a way no bundle is"))


def _check_sizes(entries: list[zipfile.ZipInfo], bundle: Path) -> None:
    unpacked = sum(entry.file_size for entry in entries)
    packed = sum(entry.compress_size for entry in entries)
    if unpacked > MOST_BYTES:
        raise BadInput(
            _("{path} would unpack to {size:,} bytes; no bundle of Replitune is that large").format(
                path=bundle, size=unpacked
            )
        )
    if unpacked > _RATIO_FROM_BYTES and unpacked > MOST_RATIO * max(1, packed):
        raise BadInput(
            _("{path} would unpack to {times:,} times its size; no bundle of Replitune does").format(
                path=bundle, times=unpacked // max(1, packed)
            )
        )
    if packed > bundle.stat().st_size:
        raise BadInput(_("{path}: its files overlap each other; the archive was made to do harm").format(path=bundle))


def _refused(bundle: Path, name: str, why: str) -> BadInput:
    shown = "".join(char if char.isprintable() else "?" for char in name[:80])
    return BadInput(_('{path}: "{name}" {why}; nothing was unpacked').format(path=bundle, name=shown, why=why))


def _damaged(bundle: Path) -> BadInput:
    return BadInput(_("{path}: this archive is damaged; ask for the bundle again").format(path=bundle))
