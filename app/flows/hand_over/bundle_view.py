"""Packing a client's file and unpacking a bundle, as plain data: fields, their mistakes, and the result."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from app.flows.words import counted
from app.foundation.file_names import file_name_of
from app.foundation.texts import _
from app.reporting.numbers import size_text
from app.services.hand_over.bundles import WrittenBundle
from app.services.hand_over.free_texts import NO_CHOICES, NameChoices

ENDING: Final = ".zip"
_MOST_NAME: Final = 60  # letters of a proposed folder


@dataclass(frozen=True)
class ExportForm:
    """The contents of the export's fields.

    Attributes:
        hide: further names to replace, a line each.
        undecided: notes, tags, titles and the like that were asked about; `kept` are those that stay as they are.
    """

    out: str
    redact: bool = False
    hide: str = ""
    undecided: tuple[str, ...] = ()
    kept: frozenset[str] = frozenset()

    @property
    def names(self) -> NameChoices:
        """Return the decisions on names: a text that does not stay is replaced as a whole."""
        if not self.redact:
            return NO_CHOICES
        listed = [name for line in self.hide.splitlines() if (name := line.strip())]
        hide = dict.fromkeys((*listed, *(text for text in self.undecided if text not in self.kept)))
        return NameChoices(tuple(hide), tuple(self.kept))


def proposed_bundle(engagement: Path, *, redact: bool) -> str:
    """Return where a bundle goes at first: beside its file; one with names replaced has a name of its own."""
    # The file's own name is most likely the client's.
    stem = _("bundle-redacted") if redact else engagement.stem
    return str(engagement.with_name(f"{stem}{ENDING}"))


def export_problem(form: ExportForm) -> str:
    """Return the problem with the bundle's place, "" where there is none."""
    if not form.out.strip():
        return _("Give a file for the bundle.")
    out = Path(form.out.strip())
    if out.suffix.lower() != ENDING:
        return _("The name of a bundle ends in {end}.").format(end=ENDING)
    if not out.is_absolute():
        return _("Give the whole path, from its drive or root.")
    return "" if out.parent.is_dir() else _("The folder {folder} does not exist.").format(folder=out.parent)


def redact_text(*, redact: bool) -> str:
    """Explain the switch."""
    if not redact:
        return _("Names of servers, databases, logins and the client appear as they are.")
    return _(
        "Names of servers, databases, logins, tables, the client and everything else of theirs are "
        "replaced in the session file, the statement log, scripts, tables and reports, each name by the "
        "same word throughout. Notes, tags, titles and other words of your own are shown before anything is written; "
        "list further names below."
    )


def undecided_text(count: int) -> str:
    """Return the texts to be decided on before anything is written."""
    return counted(
        count,
        _("One note, tag or title may name somebody. Ticked, it is replaced as a whole; then write again."),
        _("{count} notes, tags or titles may name somebody. Ticked ones are replaced as a whole; then write again."),
    )


def exported_text(made: WrittenBundle) -> str:
    """Return the summary of a packed bundle."""
    sessions = counted(made.sessions, _("1 session"), _("{count} sessions"))
    return _("Written: {path} ({sessions}, {size}).").format(
        path=made.path, sessions=sessions, size=size_text(made.size_bytes)
    )


def proposed_folder(bundle: str, parent: Path) -> str:
    """Return where a bundle is unpacked at first: a new folder of its name, "" for no bundle."""
    if not bundle.strip():
        return ""
    name = file_name_of(Path(bundle.strip()).stem, most=_MOST_NAME, otherwise="bundle")
    folder, number = parent / name, 2
    while folder.exists():
        folder, number = parent / f"{name}-{number}", number + 1
    return str(folder)


def import_problem(bundle: str, folder: str) -> str:
    """Return the entry still missing before a bundle can be unpacked, "" where none is."""
    if not bundle.strip():
        return _("Choose a bundle (.zip).")
    if not Path(bundle.strip()).is_file():
        return _("There is no file {path}.").format(path=bundle.strip())
    if not folder.strip():
        return _("Choose a folder that is empty or new.")
    return "" if Path(folder.strip()).is_absolute() else _("Give the whole path, from its drive or root.")
