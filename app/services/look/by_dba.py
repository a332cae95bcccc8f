"""Asking servers through their DBA before a visit: the script that is written, and the answers that come back."""

import importlib
import importlib.util
import pkgutil
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Final

from app import drivers
from app.domain.errors import BadInput
from app.domain.preflight import Preflight
from app.domain.system import System
from app.domain.target import Target
from app.foundation.files import write_atomically
from app.foundation.input_file import read_text
from app.foundation.script_text import script_bytes
from app.foundation.texts import _
from app.services.target.assembling import assemble

_MODULE: Final = "preflight"
_MOST_BYTES: Final = 20_000_000


@cache
def preflights() -> Mapping[str, Preflight]:
    """Return the pre-flight of each engine that has one, by its id."""
    names = (f"{drivers.__name__}.{m.name}.{_MODULE}" for m in pkgutil.iter_modules(drivers.__path__) if m.ispkg)
    found = (importlib.import_module(name).PREFLIGHT for name in names if importlib.util.find_spec(name) is not None)
    return {one.engine: one for one in found}


def write_script(path: Path, engine: str, systems: Mapping[str, System]) -> None:
    """Write the script a DBA runs before a visit at servers of an engine.

    Raises:
        BadInput: the file cannot be written.
    """
    one = preflights()[engine]
    asked = [system.asked_unseen for system in systems.values() if system.engine == one.engine]
    try:
        write_atomically(path, script_bytes(one.script(asked, path.name), has_mark=one.has_mark))
    except OSError as error:
        raise BadInput(
            _("{path} cannot be written: {why}; give another file").format(path=path, why=error.strerror)
        ) from error


def answered(paths: Sequence[Path], systems: Mapping[str, System]) -> Target:
    """Return a target that answers from the printed lines of a DBA's script, a file for each server.

    Raises:
        BadInput: a file cannot be read, holds nothing that a script printed, or they are of several engines.
    """
    texts = []
    for path in paths:
        try:
            texts.append(read_text(path, _MOST_BYTES))
        except (OSError, ValueError) as error:
            why = getattr(error, "strerror", None) or str(error)
            raise BadInput(_("{path} cannot be read: {why}").format(path=path, why=why)) from error
    text, name = "\n".join(texts), ", ".join(map(str, paths))
    found = [one for one in preflights().values() if one.has_printed(text)]
    if not found:
        raise BadInput(_("{name} does not hold what the script printed; give the file it wrote").format(name=name))
    if len(found) > 1:
        raise BadInput(_("{name} holds answers of several engines; give those of one").format(name=name))
    return assemble(found[0].answers(text, name), systems)
