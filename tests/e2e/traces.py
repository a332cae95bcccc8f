"""Searching every byte a session left for what must not be there: in files, in zips, in a PDF's attachments."""

import base64
import io
import json
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from urllib.parse import quote

from pypdf import PdfReader


def spellings(secret: str) -> dict[str, bytes]:
    """Return how a text may be written into a file, by a name for each."""
    utf8 = secret.encode("utf-8")
    return {
        "UTF-8": utf8,
        "UTF-16 LE": secret.encode("utf-16-le"),
        "UTF-16 BE": secret.encode("utf-16-be"),
        "JSON": json.dumps(secret)[1:-1].encode("ascii"),
        "URL": quote(secret, safe="").encode("ascii"),
        "base64": base64.b64encode(utf8).rstrip(b"="),
        "hexadecimal": utf8.hex().encode("ascii"),
        "T-SQL": secret.replace("'", "''").encode("utf-8"),
        "connection string": secret.replace("}", "}}").encode("utf-8"),
    }


def contents(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Give the content of every file below a folder, and of everything packed into one, with a name for each."""
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            yield from unpacked(str(path.relative_to(folder)), path.read_bytes())


def unpacked(name: str, content: bytes) -> Iterator[tuple[str, bytes]]:
    """Give a content and what it holds."""
    yield name, content
    if content.startswith(b"PK\x03\x04"):
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            for member in archive.namelist():
                yield from unpacked(f"{name}/{member}", archive.read(member))
    elif content.startswith(b"%PDF-"):
        reader = PdfReader(io.BytesIO(content))
        for attached, versions in reader.attachments.items():
            for version in versions:
                yield from unpacked(f"{name}/{attached}", version)
        yield f"{name} (text)", "\n".join(page.extract_text() for page in reader.pages).encode("utf-8")


def found_in(folder: Path, text: str) -> list[str]:
    """Return where a text stands below a folder, and how it is written there."""
    return found_among(contents(folder), text)


def found_among(held: Iterable[tuple[str, bytes]], text: str) -> list[str]:
    """Return where a text stands in contents, and how it is written there."""
    wanted = spellings(text)
    return [f"{name}: as {how}" for name, content in held for how, spelled in wanted.items() if spelled in content]
