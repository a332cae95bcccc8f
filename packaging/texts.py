"""Texts of the program and of its data files against their catalogues: `python packaging/texts.py extract|check`.

`extract` brings `resources/locale/<language>/LC_MESSAGES/replitune.po` up to date: new texts without a translation,
those no file has any more marked obsolete. `check` (and `extract` at its end) says what is missing, obsolete or broken.
"""

import ast
import os
import re
import sys
import tomllib
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from string import Formatter
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))
os.environ.setdefault("REPLITUNE_LANGUAGE", "en")

from babel.messages.catalog import Catalog  # noqa: E402  # the path is set first
from babel.messages.pofile import read_po, write_po  # noqa: E402  # the path is set first

from app.advice import load_packs  # noqa: E402  # the path is set first
from app.bootstrap import load_systems  # noqa: E402  # the path is set first
from app.domain.system import fact_kinds  # noqa: E402  # the path is set first
from app.foundation.version import VERSION  # noqa: E402  # the path is set first

LANGUAGES: Final = ("de",)
# Babel would write the time of the call, and every catalogue would differ every time.
_DATE: Final = datetime(2026, 1, 1, tzinfo=UTC)
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


# Their texts come from rule packs, scenarios of the lab and published sources, which are read below, and from systems
# that bring a unit of their own and mark its word.
_READ_FILES: Final = (
    "app/advice/text.py",
    "app/domain/units.py",
    "app/flows/target/target_view.py",
    "app/services/explain/comparison/published.py",
)


def _texts_of_module(tree: ast.Module, place: str) -> Iterator[str]:
    for node in ast.walk(tree):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "_"):
            continue
        text = node.args[0]
        if isinstance(text, ast.Constant) and isinstance(text.value, str):
            yield text.value
        elif place not in _READ_FILES:
            raise SystemExit(f"{place}, line {node.lineno}: _() takes a text written out, to be found by this program")


def texts_of_packs() -> dict[str, list[str]]:
    """Return every sentence of the rule packs and their titles, with the files they stand in."""
    families = [path.parent.name for path in (ROOT / "app" / "systems").glob("*/families/*/__init__.py")]
    found: dict[str, list[str]] = {}
    for pack in load_packs((ROOT / "advisor_rules",), families, fact_kinds(load_systems().values())):
        place = Path(pack.file).relative_to(ROOT).as_posix()
        sentences = (sentence.text for rule in pack.rules for text in rule.texts for sentence in text.sentences)
        for text in (pack.title, *sentences):
            places = found.setdefault(text, [])
            if place not in places:
                places.append(place)
    return found


def texts_of_lab() -> dict[str, list[str]]:
    """Return the titles of the lab's scenarios and what they show, with the files they stand in."""
    files = sorted((ROOT / "resources" / "lab").glob("*.toml"))
    read = [(path.relative_to(ROOT).as_posix(), tomllib.loads(path.read_text(encoding="utf-8"))) for path in files]
    return {content[key]: [path] for path, content in read for key in ("title", "shows")}


def texts_of_published() -> dict[str, list[str]]:
    """Return what each published source leaves open, with the file it stands in."""
    path = ROOT / "resources" / "published" / "sources.toml"
    sources = tomllib.loads(path.read_text(encoding="utf-8"))["source"]
    return {source["not_stated"]: [path.relative_to(ROOT).as_posix()] for source in sources if source["not_stated"]}


def all_texts() -> dict[str, list[str]]:
    """Return every text a person reads, with the files it stands in."""
    found = texts_of_program()
    for text, places in (*texts_of_packs().items(), *texts_of_lab().items(), *texts_of_published().items()):
        found[text] = [*found.get(text, []), *places]
    return found


def read_or_begin(language: str) -> Catalog:
    """Return the catalogue of a language as it is kept, an empty one where there is none."""
    path = catalogue_path(language)
    if not path.exists():
        return Catalog(locale=language)
    with path.open("rb") as file:
        return read_po(file, locale=language)


def update(catalogue: Catalog, texts: dict[str, list[str]]) -> None:
    """Bring a catalogue to these texts: new ones are not translated yet, those that are gone become obsolete."""
    template = Catalog(creation_date=_DATE)
    for text, places in texts.items():
        template.add(text, locations=[(place, 1) for place in places])  # lines are not written: they change too often
    catalogue.update(template, no_fuzzy_matching=True)


def write(catalogue: Catalog, language: str) -> None:
    """Write a catalogue, sorted by the files its texts stand in."""
    catalogue.project, catalogue.version, catalogue.header_comment = "replitune", VERSION, ""
    catalogue.last_translator = catalogue.language_team = catalogue.msgid_bugs_address = "Replitune maintainers"
    catalogue.creation_date = catalogue.revision_date = _DATE
    path = catalogue_path(language)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        write_po(file, catalogue, width=0, sort_by_file=True, include_lineno=False)


def problems(texts: dict[str, list[str]], catalogue: Catalog) -> list[str]:
    """Return what is wrong with a catalogue, one line each."""
    kept = {str(message.id): str(message.string or "") for message in catalogue if message.id}
    fuzzy = {str(message.id) for message in catalogue if message.fuzzy}
    said: list[str] = []
    for text, places in texts.items():
        if text not in kept:
            said.append(f"missing in the catalogue ({places[0]}): {text!r}")
        elif not kept[text]:
            said.append(f"not translated ({places[0]}): {text!r}")
        else:
            whys = (["fuzzy"] if text in fuzzy else []) + breaks(text, kept[text])
            said += [f"{why} ({places[0]}): {text!r} -> {kept[text]!r}" for why in whys]
    return said + [f"obsolete: {text!r}" for text in kept if text not in texts]


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
        catalogue = read_or_begin(language)
        update(catalogue, texts)
        write(catalogue, language)
    return check()


def check() -> int:
    """Say what is wrong with the catalogues; returns the exit code."""
    texts = all_texts()
    wrong = 0
    for language in LANGUAGES:
        catalogue = read_or_begin(language)
        said = problems(texts, catalogue)
        wrong += len(said)
        sys.stdout.write("".join(f"{language}: {line}\n" for line in said))
        kept = len(catalogue.obsolete)
        sys.stdout.write(f"{language}: {len(texts)} texts, {len(said)} to be done, {kept} obsolete ones kept\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit({"extract": extract, "check": check}[sys.argv[1] if len(sys.argv) > 1 else "check"]())
