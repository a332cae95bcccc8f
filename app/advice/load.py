"""Reading of rule packs from their folder, `<root>/<family>/*.yaml`, and of their shared parts,
`<root>/common/*.yaml`."""

from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Final, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from app.advice.build import build_pack
from app.advice.common import Common, completed
from app.advice.model import CommonShape, PackShape
from app.advice.rule import Pack, Rule
from app.advice.yaml_lines import KeyPath, Lines, read_yaml
from app.domain.errors import BadInput
from app.domain.facts import FactKinds
from app.foundation.input_file import read_bytes
from app.foundation.texts import _, shortened

_SUFFIXES: Final = (".yaml", ".yml")
_COMMON: Final = "common"
_Shape = TypeVar("_Shape", bound=BaseModel)


def load_packs(
    roots: Iterable[Path], families: Collection[str], kinds: FactKinds, *, shared: Iterable[Path] = ()
) -> tuple[Pack, ...]:
    """Return every rule pack below some folders, in the order of their paths, checked and ready to evaluate.

    Args:
        roots: folders that hold one folder for each family.
        families: ids of the experiment families the program has.
        kinds: what the facts mean that a rule may ask for.
        shared: more folders whose `common/` a rule may refer to; those of `roots` come after them.

    Raises:
        BadInput: the folder is missing or empty, a folder is no family, or a pack cannot be used; the sentence names
            file, line and rule. Packs whose rules all name the family of their folder are left out where that family
            is not installed.
    """
    packs: list[Pack] = []
    rule_by_id: dict[str, Rule] = {}
    roots = tuple(roots)
    common = _load_common((*shared, *roots))
    for path in (path for root in roots for path in _pack_files(root, families)):
        pack = _load_pack(path, families, kinds, common)
        for rule in pack.rules:
            _check_once(rule, rule_by_id)
        packs.append(pack)
    return tuple(packs)


def _pack_files(root: Path, families: Collection[str]) -> list[Path]:
    """Return the pack files of all families, by family and name."""
    if not root.is_dir():
        raise BadInput(_("the folder of rule packs {folder} does not exist").format(folder=root))
    files: list[Path] = []
    for entry in _entries(root):
        if entry.name == _COMMON:
            continue
        if entry.is_dir():
            files += _files_of_family(entry, families)
        elif entry.suffix in _SUFFIXES:
            raise BadInput(
                _("{file}: a rule pack lies in a folder named after its experiment family").format(file=entry)
            )
    if not files:
        raise BadInput(_("the folder {folder} holds no rule pack (<family>/*.yaml)").format(folder=root))
    return files


def _entries(folder: Path) -> list[Path]:
    try:
        return sorted(entry for entry in folder.iterdir() if not entry.name.startswith((".", "__")))
    except OSError as error:
        raise BadInput(_("{folder} cannot be read: {why}").format(folder=folder, why=error.strerror)) from error


def _files_of_family(folder: Path, families: Collection[str]) -> list[Path]:
    files = [entry for entry in _entries(folder) if entry.suffix in _SUFFIXES]
    if folder.name not in families:
        if files and all(_names_family(path, folder.name) for path in files):
            return []
        raise BadInput(
            _('{folder}: "{name}" is no experiment family; known ones are {families}').format(
                folder=folder, name=folder.name, families=", ".join(sorted(families))
            )
        )
    if not files:
        raise BadInput(_("{folder} holds no rule pack (*.yaml)").format(folder=folder))
    return files


def _names_family(path: Path, family: str) -> bool:
    """Tell whether every rule of a pack says that it is for a family: one that is not installed, no misspelt folder."""
    content, _lines = read_yaml(_read_text(path), str(path))
    rules = content.get("rules") if isinstance(content, dict) else None
    if not isinstance(rules, list) or not rules:
        return False
    told = (rule.get("applies_to") if isinstance(rule, dict) else None for rule in rules)
    return all(isinstance(one, dict) and family in (one.get("families") or ()) for one in told)


def _load_common(roots: Iterable[Path]) -> Common:
    common = Common()
    for folder in (root / _COMMON for root in roots):
        for path in _entries(folder) if folder.is_dir() else ():
            if path.suffix in _SUFFIXES:
                content, lines = read_yaml(_read_text(path), str(path))
                keys = _("a file of common/ has the keys sentences and outcomes")
                common = common.with_file(_shaped(CommonShape, content, lines, keys), lines)
    return common


def _load_pack(path: Path, families: Collection[str], kinds: FactKinds, common: Common) -> Pack:
    content, lines = read_yaml(_read_text(path), str(path))
    if isinstance(content, dict):
        content, lines = completed(content, common, lines)
    shape = _shaped(PackShape, content, lines, _("a rule pack has the keys title, sources and rules"))
    return build_pack(shape, path.parent.name, families, kinds, lines)


def _shaped(kind: type[_Shape], content: object, lines: Lines, keys: str) -> _Shape:
    if not isinstance(content, dict):
        raise lines.error((), keys)
    try:
        return kind.model_validate(content)
    except ValidationError as error:
        raise _shape_error(error.errors(include_url=False)[0], content, lines) from error


def _read_text(path: Path) -> str:
    try:
        content = read_bytes(path)
    except OSError as error:
        raise BadInput(_("{file} cannot be read: {why}").format(file=path, why=error.strerror)) from error
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise BadInput(_("{file}, line {line}: the file is not UTF-8 text").format(file=path, line=line)) from error


def _check_once(rule: Rule, rule_by_id: dict[str, Rule]) -> None:
    first = rule_by_id.setdefault(rule.rule_id, rule)
    if first is not rule:
        raise BadInput(
            _('{file}, line {line}: rule "{rule}" exists already in {other}, line {other_line}').format(
                file=rule.file, line=rule.line, rule=rule.rule_id, other=first.file, other_line=first.line
            )
        )


def _shape_error(error: ErrorDetails, content: dict[str, object], lines: Lines) -> BadInput:
    """Return one sentence for pydantic's error: line, rule and key."""
    path = _known_path(error["loc"], lines, missing=error["type"] == "missing")
    rule = _rule_name(path, content)
    where = _('rule "{rule}": ').format(rule=rule) if rule else ""
    return lines.error(path, where + _shape_sentence(error, str(_key(error["loc"]))))


def _known_path(loc: tuple[str | int, ...], lines: Lines, *, missing: bool) -> KeyPath:
    """Return the part of pydantic's path that is in the file; it adds the tried types of a union at the end."""
    path: KeyPath = loc[:-1] if missing else loc
    while path and path not in lines.by_path:
        path = path[:-1]
    return path


def _key(loc: tuple[str | int, ...]) -> str | int:
    """Return the last key of a path that is a name in the file."""
    names = [part for part in loc if isinstance(part, str) and "[" not in part and part not in ("int", "float", "str")]
    return names[-1] if names else "rules"


def _rule_name(path: KeyPath, content: dict[str, object]) -> str:
    rules = content.get("rules")
    if len(path) < 2 or path[0] != "rules" or not isinstance(rules, list) or not isinstance(path[1], int):
        return ""
    rule = rules[path[1]]
    return str(rule.get("id", path[1] + 1)) if isinstance(rule, dict) else str(path[1] + 1)


def _shape_sentence(error: ErrorDetails, key: str) -> str:
    kind = error["type"]
    if kind == "missing":
        return _('the key "{key}" is missing').format(key=key)
    if kind == "extra_forbidden":
        return _('"{key}" is no key of a rule pack here').format(key=key)
    if kind in ("too_short", "string_too_short"):
        return _('"{key}" is empty').format(key=key)
    message = error["msg"].removeprefix("Input should be ")
    return _('"{key}" must be {what}, not "{value}"').format(
        key=key, what=message, value=shortened(str(error["input"]))
    )
