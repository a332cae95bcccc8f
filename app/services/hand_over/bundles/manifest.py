"""The manifest of a bundle: format, and each part with its size and SHA-256."""

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from app.domain.errors import BadInput
from app.foundation.texts import _

FORMAT: Final = "replitune-bundle"
VERSION: Final = 1
MANIFEST: Final = "manifest.json"
SESSION_FILE: Final = "engagement.replitune"

MOST_MANIFEST_BYTES: Final = 4_000_000
MOST_PARTS: Final = 5_000


def _is_text(head: bytes) -> bool:
    return b"\0" not in head


# What each kind of part begins like; nothing of another kind is ever unpacked.
KINDS: Final[dict[str, Callable[[bytes], bool]]] = {
    ".replitune": lambda head: head.startswith(b"SQLite format 3\0"),
    ".pdf": lambda head: head.startswith(b"%PDF-"),
    ".sql": _is_text,
    ".csv": _is_text,
    ".json": _is_text,
}


@dataclass(frozen=True)
class Part:
    """One part: its name in the archive with forward slashes, its size and its SHA-256 in hexadecimal."""

    name: str
    size_bytes: int
    sha256: str


@dataclass(frozen=True)
class Manifest:
    """The stated content of a bundle.

    Attributes:
        created_utc: ISO 8601. redacted: names are replaced in all parts.
        parts: all files but the manifest itself.
    """

    app_version: str
    created_utc: str
    redacted: bool
    parts: tuple[Part, ...]


class _PartModel(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)
    name: Annotated[str, Field(min_length=1, max_length=400)]
    size_bytes: Annotated[int, Field(ge=0, le=2**53)]
    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class _ManifestModel(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)
    format: Literal["replitune-bundle"]
    version: Literal[1]
    app_version: Annotated[str, Field(max_length=100)]
    created_utc: Annotated[str, Field(max_length=100)]
    redacted: bool
    parts: Annotated[list[_PartModel], Field(max_length=MOST_PARTS)]


def manifest_bytes(manifest: Manifest) -> bytes:
    """Return a manifest as it stands in the archive."""
    document = {
        "format": FORMAT,
        "version": VERSION,
        "app_version": manifest.app_version,
        "created_utc": manifest.created_utc,
        "redacted": manifest.redacted,
        "parts": [{"name": p.name, "size_bytes": p.size_bytes, "sha256": p.sha256} for p in manifest.parts],
    }
    return (json.dumps(document, indent=1) + "\n").encode()


def read_manifest(content: bytes, bundle: Path) -> Manifest:
    """Return the manifest of an archive.

    Raises:
        BadInput: it is none, or of a newer version of the program.
    """
    try:
        document = json.loads(content)
        if not isinstance(document, dict) or document.get("format") != FORMAT:
            raise _broken(bundle)
        version = document.get("version")
        if isinstance(version, int) and version > VERSION:
            raise BadInput(
                _("{path}: this bundle was written by a newer version of Replitune; open it with that version").format(
                    path=bundle
                )
            )
        model = _ManifestModel.model_validate(document)
    except (ValueError, RecursionError, ValidationError) as error:
        raise _broken(bundle) from error
    parts = tuple(Part(part.name, part.size_bytes, part.sha256) for part in model.parts)
    return Manifest(model.app_version, model.created_utc, model.redacted, parts)


def part_of(name: str, path: Path) -> Part:
    """Return the entry of a file that will be the part of this name."""
    digest, size = hashlib.sha256(), 0
    with path.open("rb") as stream:
        while chunk := stream.read(1 << 20):
            digest.update(chunk)
            size += len(chunk)
    return Part(name, size, digest.hexdigest())


def _broken(bundle: Path) -> BadInput:
    return BadInput(
        _("{path}: the list of parts ({name}) is damaged; ask for the bundle again").format(path=bundle, name=MANIFEST)
    )
