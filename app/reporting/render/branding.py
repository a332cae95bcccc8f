"""A consultancy's logo, template and style sheet, read within limits and refused alike in every medium.

A PDF shows what Typst can set, an HTML page would show more: so each medium refuses a logo that Typst refuses. A style
sheet stands in a page that promises to load nothing: what could fetch or run is refused, whatever the reader's program
makes of the page's own policy.
"""

import os
import re
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from app.domain.errors import BadInput
from app.foundation.input_file import MOST_TEXT_BYTES, read_bytes
from app.foundation.texts import _, quoted_reason
from app.foundation.typesetting import DOCUMENT, DocumentRefused, DocumentTooMuch, Order, typeset
from app.reporting.request import ReportRequest

STANDARDS: Final = ("a-3a", "ua-1")
"""PDF/A-3a keeps the attached data readable for archives, PDF/UA-1 the text for screen readers."""

LOGO_TYPES: Final = (".png", ".jpg", ".jpeg", ".svg")
BRAND_STYLE: Final = "brand.css"
MOST_LOGO_BYTES: Final = 10_000_000
_MOST_TEMPLATE_BYTES: Final = 50_000_000
_MOST_TEMPLATE_FILES: Final = 500

_PACKAGE: Final = "failed to download package"  # as Typst begins to say it
# CSS Syntax Module Level 3, 4.3.7: up to six hexadecimal digits and one space, or any other character.
_ESCAPE: Final = re.compile(r"\\(?:([0-9a-f]{1,6})\s?|(.))", re.IGNORECASE | re.DOTALL)
_COMMENT: Final = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_CARRIED: Final = re.compile(r"""url\(\s*(?P<quote>["']?)(?:data:(?:image|font)/[^"')]*|#[^"')]*)(?P=quote)\s*\)""")
_FETCHES: Final = re.compile(
    r"@import|url\(|image-set\(|src\(|//|expression\(|(?:java|vb)script:|behaviou?r\s*:|-moz-binding|</|<!--|<script"
)


@dataclass(frozen=True)
class Logo:
    """A logo: the name of its file in a report ("logo.svg") and its content."""

    name: str
    content: bytes


def read_logo(request: ReportRequest) -> Logo | None:
    """Return the logo, None where there is none.

    Raises:
        BadInput: it is no picture a report can hold, too large, or cannot be read.
    """
    path = request.logo
    if path is None:
        return None
    if path.suffix.lower() not in LOGO_TYPES or not path.is_file():
        raise BadInput(_("{path}: the logo must be a PNG, JPEG or SVG file").format(path=path))
    return Logo(f"logo{path.suffix.lower()}", _content(path, MOST_LOGO_BYTES))


def read_settable_logo(request: ReportRequest) -> Logo | None:
    """Return the logo of a report that Typst does not set, once Typst has set it alone.

    Raises:
        BadInput: as `read_logo`, or Typst refuses it.
    """
    logo = read_logo(request)
    if logo is None:
        return None
    with tempfile.TemporaryDirectory(prefix="replitune-logo-") as folder:
        root = Path(folder) / DOCUMENT
        root.mkdir()
        (root / logo.name).write_bytes(logo.content)
        (root / "main.typ").write_text(
            f'#set document(title: "Logo")\n#image("{logo.name}", alt: "Logo", height: 2cm)\n', encoding="utf-8"
        )
        try:
            typeset(Path(folder), Order(STANDARDS))
        except DocumentRefused as problem:
            raise refusal(problem_reason(problem)) from problem
        except DocumentTooMuch as problem:
            raise too_much() from problem
    return logo


def template_files(request: ReportRequest) -> Mapping[Path, bytes]:
    """Return the files of the template by their names below its folder; none where there is no template.

    Raises:
        BadInput: it is no folder, holds too much, or something that is no file.
    """
    check_template(request)
    if request.template is None:
        return {}
    files: dict[Path, bytes] = {}
    left = _MOST_TEMPLATE_BYTES
    for path in _files_below(request.template):
        content = _content(path, left)
        left -= len(content)
        files[path.relative_to(request.template)] = content
    return files


def check_template(request: ReportRequest) -> None:
    """Raise BadInput where the template is no folder."""
    if request.template is not None and not request.template.is_dir():
        raise BadInput(_("{path}: the report template must be a folder").format(path=request.template))


def own_style(request: ReportRequest) -> str:
    """Return the template's style sheet, "" where there is none.

    Raises:
        BadInput: the template is no folder, or its style sheet cannot be read, fetches something or holds markup.
    """
    check_template(request)
    if request.template is None:
        return ""
    path = request.template / BRAND_STYLE
    if not os.path.lexists(path):
        return ""
    try:
        style = _content(path, MOST_TEXT_BYTES).decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        raise BadInput(_("{path} cannot be read as a style sheet in UTF-8").format(path=path)) from problem
    fetching = fetching_part(style)
    if fetching:
        raise BadInput(
            _(
                '{path}: "{part}" would load or run something when the report is read; a style sheet of a report may '
                "only hold pictures and fonts as data: addresses"
            ).format(path=path, part=fetching)
        )
    return style


def fetching_part(style: str) -> str:
    """Return the first part of a style sheet that loads from elsewhere, runs something or is markup; "" for none.

    Escapes are read as a browser reads them; comments are looked at as text and as nothing, for readers differ.
    """
    plain = _ESCAPE.sub(_unescaped, style).replace("\0", "").lower()
    for text in (_COMMENT.sub("", plain), _COMMENT.sub(" ", plain)):
        fetching = _FETCHES.search(_CARRIED.sub("", text))
        if fetching is not None:
            return fetching[0]
    return ""


def problem_reason(problem: DocumentRefused) -> str:
    """Return why Typst refuses a document, on one line."""
    message = quoted_reason(str(problem).partition("\n")[0])
    if _PACKAGE in message:
        return _("it asks for a package, which is not fetched; put the package's files into the template's folder")
    return message


def refusal(reason: str) -> BadInput:
    """Return the error that says why a template or a logo cannot be set."""
    return BadInput(_("the report's template or logo cannot be set: {reason}").format(reason=reason))


def too_much() -> BadInput:
    """Return the error of a report that was ended by its limits."""
    return BadInput(
        _("the report takes more memory or time than a report may; look at its logo, template and longest texts")
    )


def _unescaped(match: re.Match[str]) -> str:
    if match[1] is None:
        return match[2]
    code = int(match[1], 16)
    return chr(code) if 0 < code <= 0x10FFFF else ""


def _files_below(folder: Path) -> Iterator[Path]:
    count = 0
    for below, folders, names in os.walk(folder, followlinks=True):
        count += len(names) + len(folders)
        if count > _MOST_TEMPLATE_FILES:
            raise BadInput(
                _("{path}: the report template holds more than {most} files").format(
                    path=folder, most=_MOST_TEMPLATE_FILES
                )
            )
        folders.sort()
        yield from (Path(below) / name for name in sorted(names))


def _content(path: Path, most_bytes: int) -> bytes:
    try:
        return read_bytes(path, most_bytes)
    except OSError as problem:
        raise BadInput(_("{file} cannot be read: {why}").format(file=path, why=problem.strerror)) from problem
