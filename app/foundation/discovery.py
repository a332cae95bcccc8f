"""Finding plug-in folders: one sub-package per experiment family or database engine."""

import importlib
import pkgutil
from types import ModuleType


def load_subpackages(package: ModuleType) -> dict[str, ModuleType]:
    """Import every sub-package directly below `package` and return them by folder name, sorted.

    Raises:
        RuntimeError: none was found, as in a bundle built without them; better loud than empty.
    """
    names = sorted(m.name for m in pkgutil.iter_modules(package.__path__) if m.ispkg)
    if not names:
        raise RuntimeError(f"{package.__name__} holds no sub-package: the program is incomplete")
    return {name: importlib.import_module(f"{package.__name__}.{name}") for name in names}
