"""Targets kept under a name, in one file of the user's data folder; it holds no password."""

import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from app.domain.connection import ForeignAddress, ServerUrl
from app.domain.errors import BadInput, ReplituneError, StoreError
from app.foundation.files import write_atomically
from app.foundation.input_file import json_of, read_text
from app.foundation.secret import holds_password, without_password
from app.foundation.texts import _
from app.services.target.target_spec import parse_target, refused_password

_SCHEMA: Final = 1
_LONGEST_NAME: Final = 60
_LABS: Final = ("lab:", "lab@")


@dataclass(frozen=True)
class SavedTarget:
    """One target and its name; `target` is as accepted by `--target`."""

    name: str
    target: str

    @property
    def url(self) -> ServerUrl | None:
        """Return the target's address, None for a lab, and for an entry of an older version that is no target."""
        try:
            spec = parse_target(self.target)
        except BadInput:
            return None
        return spec if isinstance(spec, ServerUrl) else None

    @property
    def shown(self) -> str:
        """The target as it may be shown: one that an older version kept with a password in it is masked."""
        try:
            parse_target(self.target)
        except BadInput:
            return without_password(self.target, is_address=True)
        return self.target


class SavedTargets:
    """The file of saved targets; a missing one holds none."""

    def __init__(self, path: Path, understand: Callable[[str], ForeignAddress | None] = lambda _text: None) -> None:
        """Use a file.

        Args:
            understand: returns the server that an address of another tool names; see `foreign_addresses.understand`.
        """
        self._path = path
        self._understand = understand

    def list(self) -> tuple[SavedTarget, ...]:
        """Return the targets by name.

        Raises:
            StoreError: the file cannot be read, or is none of this program.
        """
        try:
            text = read_text(self._path)
        except FileNotFoundError:
            return ()
        except UnicodeError as error:
            raise self._unusable(str(error)) from error
        except OSError as error:
            raise self._unusable(error.strerror or str(error)) from error
        try:
            kept = json_of(text)
            targets = [SavedTarget(str(entry["name"]), str(entry["target"])) for entry in kept["targets"]]
        except (ValueError, KeyError, TypeError) as error:
            raise self._unusable(_("it is no list of targets")) from error
        return tuple(sorted(targets, key=lambda entry: entry.name.casefold()))

    def add(self, name: str, target: str, instead_of: str = "") -> None:
        """Keep a target under a name nobody has yet.

        Args:
            instead_of: name of the target that it replaces, "" for none.

        Raises:
            BadInput: the name is taken or could be read as a target, or the target is none.
            StoreError: the file cannot be read or written.
        """
        kept, wanted = self.list(), name.strip()
        replaced = _find(kept, instead_of) if instead_of else None
        kept = tuple(entry for entry in kept if entry != replaced)
        _check_name(wanted)
        spec = parse_target(self.as_target(target))
        if any(entry.name.casefold() == wanted.casefold() for entry in kept):
            raise BadInput(
                _('a target "{name}" is saved already; give another name, or remove it first').format(name=wanted)
            )
        self._write((*kept, SavedTarget(wanted, spec.text if isinstance(spec, ServerUrl) else target)))

    def remove(self, name: str) -> SavedTarget:
        """Remove a target and return it.

        Raises:
            BadInput: there is none of that name.
            StoreError: the file cannot be read or written.
        """
        kept = self.list()
        entry = _find(kept, name)
        if entry is None:
            raise BadInput(_named_none(kept, name))
        self._write(tuple(other for other in kept if other != entry))
        return entry

    def resolve(self, text: str) -> str:
        """Return the target a name, a target or an address of another tool stands for, as `parse_target` accepts it.

        Raises:
            BadInput: it is none of them, or an address that holds a password.
            StoreError: the file cannot be read.
        """
        entry = None if _is_target(text) or "://" in text else _find(self.list(), text)
        return self.as_target(text) if entry is None else entry.target

    def as_target(self, text: str) -> str:
        """Return a target as it is, and an address of another tool as `parse_target` accepts it.

        Raises:
            BadInput: it is neither, or holds a password.
        """
        if text.startswith(_LABS):
            parse_target(text)
            return text
        found = self._understand(text)
        if found is None:
            parse_target(text)
            return text
        if found.password is not None:
            raise refused_password(found.url.text)
        return found.url.text

    def name_of(self, text: str) -> str:
        """Return the name of a saved target, given by its name or its address; "" where none can be read."""
        with suppress(ReplituneError):
            kept = self.list()
            named = _find(kept, text)
            return next((entry.name for entry in kept if named == entry or text == entry.target), "")
        return ""

    def _write(self, targets: tuple[SavedTarget, ...]) -> None:
        content = {"schema": _SCHEMA, "targets": [{"name": t.name, "target": t.target} for t in targets]}
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(self._path, (json.dumps(content, ensure_ascii=False, indent=2) + "\n").encode("utf-8"))
        except OSError as error:
            raise self._unusable(error.strerror or str(error)) from error

    def _unusable(self, why: str) -> StoreError:
        return StoreError(
            _("the list of saved targets, {path}, cannot be used: {why}; correct or delete it").format(
                path=self._path, why=why
            )
        )


def _is_target(text: str) -> bool:
    try:
        parse_target(text)
    except BadInput:
        return False
    return True


def _check_name(name: str) -> None:
    if _is_target(name) or "://" in name or name.startswith(_LABS) or holds_password(name):
        raise BadInput(
            _('"{name}" could be read as a target itself; give another name').format(
                name=without_password(name, is_address=True)
            )
        )
    if not name or len(name) > _LONGEST_NAME or not name.isprintable():
        raise BadInput(_("a name has 1 to {longest} printable characters").format(longest=_LONGEST_NAME))


def _find(kept: tuple[SavedTarget, ...], name: str) -> SavedTarget | None:
    wanted = name.strip().casefold()
    return next((entry for entry in kept if entry.name.casefold() == wanted), None)


def _named_none(kept: tuple[SavedTarget, ...], name: str) -> str:
    names = ", ".join(entry.name for entry in kept)
    return _('no target is saved as "{name}"; saved are: {names}').format(
        name=without_password(name), names=names or _("none")
    )
