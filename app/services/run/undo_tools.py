"""The undo tool of each engine, found by its folder; it makes one script of many undo scripts."""

import importlib
import pkgutil
from functools import cache

from app import drivers
from app.domain.undo_tool import UndoTool


@cache
def undo_tools() -> tuple[UndoTool, ...]:
    """Return the tools of every engine, in the order of their names; loaded when a script is first written."""
    names = sorted(m.name for m in pkgutil.iter_modules(drivers.__path__) if m.ispkg)
    return tuple(importlib.import_module(f"{drivers.__name__}.{name}.undo_tool").UNDO_TOOL for name in names)
