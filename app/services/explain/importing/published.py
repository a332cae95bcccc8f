"""The published measurements that ship with the program, and where they come from."""

import tomllib
from dataclasses import dataclass
from pathlib import Path

from app.foundation.paths import resource_path


@dataclass(frozen=True)
class PublishedSource:
    """One published document whose measurements ship as a file that `read_measurements` takes.

    Attributes:
        path: of the file.
        title, author, published: of the document, as printed there.
        where: where it was published.
        measured: what was measured and how, in sentences.
        not_stated: what the document does not say.
    """

    path: Path
    title: str
    author: str
    published: str
    where: str
    measured: str
    not_stated: str


def published_sources() -> tuple[PublishedSource, ...]:
    """Return the shipped documents, in the order of `sources.toml`.

    Raises:
        OSError, tomllib.TOMLDecodeError, KeyError, TypeError: the program is incomplete.
    """
    home = resource_path("published")
    document = tomllib.loads((home / "sources.toml").read_text(encoding="utf-8"))
    return tuple(PublishedSource(path=home / entry.pop("file"), **entry) for entry in document["source"])
