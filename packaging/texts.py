"""Texts of the program and its rule packs against their catalogues: `python packaging/texts.py extract|check`.

`extract` brings `resources/locale/<language>/LC_MESSAGES/replitune.po` up to date: new texts without a translation,
those no file has any more marked obsolete. `check` (and `extract` at its end) says what is missing, obsolete or broken.
"""

import ast
import os
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from string import Formatter
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))
os.environ.setdefault("REPLITUNE_LANGUAGE", "en")

from app.advice import load_packs  # noqa: E402 - the path is set above
from app.foundation.catalogue import Entry, parse_catalogue, write_catalogue  # noqa: E402

LANGUAGES: Final = ("de",)
_HEADER: Final = {
    "Project-Id-Version": "replitune",
    "MIME-Version": "1.0",
    "Content-Type": "text/plain; charset=UTF-8",
    "Content-Transfer-Encoding": "8bit",
}
_MNEMONIC: Final = re.compile(r"&(?=[^\W_])(?!\w+;)")
_TAG: Final = re.compile(r"</?\w+[^<>]*>")


def catalogue_path(language: str) -> Path:
    """Return where the catalogue of a language lies."""
    return ROOT / "resources" / "locale" / language / "LC_MESSAGES" / "replitune.po"


def texts_of_program() -> dict[str, list[str]]:
    """Return every text given to `_()` in the code, with the files it stands in.

    Raises:
        SystemExit: a text is put together before it is looked up, so nobody could translate it.
    """
    found: dict[str, list[str]] = {}
    for path in sorted((ROOT / "app").rglob("*.py")):
        place = path.relative_to(ROOT).as_posix()
        for text in _texts_of_module(ast.parse(path.read_text(encoding="utf-8")), place):
            places = found.setdefault(text, [])
            if place not in places:
                places.append(place)
    return found


# Its texts come from the rule packs, which are read below.
_READS_PACKS: Final = "app/advice/text.py"


def _texts_of_module(tree: ast.Module, place: str) -> Iterator[str]:
    for node in ast.walk(tree):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "_"):
            continue
        text = node.args[0]
        if isinstance(text, ast.Constant) and isinstance(text.value, str):
            yield text.value
        elif place != _READS_PACKS:
            raise SystemExit(f"{place}, line {node.lineno}: _() takes a text written out, to be found by this program")


def texts_of_packs() -> dict[str, list[str]]:
    """Return every sentence of the rule packs and their titles, with the files they stand in."""
    families = [path.parent.name for path in (ROOT / "app" / "experiments").glob("*/__init__.py")]
    found: dict[str, list[str]] = {}
    for pack in load_packs(ROOT / "advisor_rules", families):
        place = Path(pack.file).relative_to(ROOT).as_posix()
        sentences = (sentence.text for rule in pack.rules for text in rule.texts for sentence in text.sentences)
        for text in (pack.title, *sentences):
            places = found.setdefault(text, [])
            if place not in places:
                places.append(place)
    return found


def all_texts() -> dict[str, list[str]]:
    """Return every text a person reads, with the files it stands in."""
    found = texts_of_program()
    for text, places in texts_of_packs().items():
        found[text] = [*found.get(text, []), *places]
    return found


def merge(texts: dict[str, list[str]], known: Iterable[Entry]) -> list[Entry]:
    """Return a catalogue of these texts, with what is translated already; the others of the old one as obsolete."""
    translations = {entry.text: entry.translation for entry in known}
    current = [Entry(text, translations.get(text, ""), tuple(places)) for text, places in texts.items()]
    current.sort(key=lambda entry: entry.places[0])
    gone = [
        Entry(text, translation, is_obsolete=True)
        for text, translation in translations.items()
        if text not in texts and translation
    ]
    return current + gone


def problems(texts: dict[str, list[str]], entries: Iterable[Entry]) -> list[str]:
    """Return what is wrong with a catalogue, one line each."""
    kept = {entry.text: entry for entry in entries}
    said: list[str] = []
    for text, places in texts.items():
        entry = kept.get(text)
        if entry is None or entry.is_obsolete:
            said.append(f"missing in the catalogue ({places[0]}): {text!r}")
        elif not entry.translation:
            said.append(f"not translated ({places[0]}): {text!r}")
        else:
            said += [
                f"{why} ({places[0]}): {text!r} -> {entry.translation!r}" for why in breaks(text, entry.translation)
            ]
    said += [f"obsolete: {e.text!r}" for e in kept.values() if e.text not in texts and not e.is_obsolete]
    return said


def breaks(text: str, translation: str) -> list[str]:
    """Return what a translation lost of its text: placeholders, mnemonic, tags, blanks at its ends."""
    checks = {
        "placeholders differ": _placeholders,
        "mnemonic differs": lambda t: len(_MNEMONIC.findall(t)),
        "tags differ": lambda t: sorted(_TAG.findall(t)),
        "blanks at an end differ": lambda t: (t[: len(t) - len(t.lstrip())], t[len(t.rstrip()) :]),
        "an ellipsis is lost or added": lambda t: t.endswith("…"),
    }
    return [why for why, look in checks.items() if look(text) != look(translation)]


def _placeholders(text: str) -> object:
    try:
        parts = list(Formatter().parse(text))
    except ValueError:
        return "no format"
    return sorted({(name, form, conversion) for _text, name, form, conversion in parts if name is not None}, key=str)


def extract() -> int:
    """Bring every catalogue up to date and say what is left to do; returns the exit code."""
    texts = all_texts()
    for language in LANGUAGES:
        path = catalogue_path(language)
        path.parent.mkdir(parents=True, exist_ok=True)
        known = parse_catalogue(path.read_text(encoding="utf-8")) if path.exists() else []
        path.write_text(write_catalogue(merge(texts, known), {"Language": language, **_HEADER}), encoding="utf-8")
    return check()


def check() -> int:
    """Say what is wrong with the catalogues; returns the exit code."""
    texts = all_texts()
    wrong = 0
    for language in LANGUAGES:
        entries = parse_catalogue(catalogue_path(language).read_text(encoding="utf-8"))
        said = problems(texts, entries)
        obsolete = sum(entry.is_obsolete for entry in entries)
        wrong += len(said)
        sys.stdout.write("".join(f"{language}: {line}\n" for line in said))
        sys.stdout.write(f"{language}: {len(texts)} texts, {len(said)} to be done, {obsolete} obsolete ones kept\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit({"extract": extract, "check": check}[sys.argv[1] if len(sys.argv) > 1 else "check"]())
