"""rule-engine, with the tables of its grammar at hand; else it works them out at each start, in a third of a second.

Its parser generator takes ready ones from a module of a fixed name, where they carry the signature of the same grammar,
and works them out where not. `packaging/grammar.py` writes them.

Source: PLY 3.11, `ply/yacc.py`: `yacc`, `LRTable.read_table`, `LRGeneratedTable.write_table`.
"""

import json
import sys
from collections.abc import Mapping
from types import ModuleType
from typing import Any, Final

from app.foundation.paths import resource_path

_TABLES: Final = "rule_engine.parser.parsetab"


def _keep_ready(tables: Mapping[str, Any]) -> None:
    """Put tables where the parser generator looks for them.

    Args:
        tables: `version`, `method` and `signature` of the grammar, its `productions`; `action` and `goto` say for each
            state what follows after which symbol.
    """
    module: Any = ModuleType(_TABLES)
    module._tabversion, module._lr_method = tables["version"], tables["method"]
    module._lr_signature, module._lr_productions = tables["signature"], tables["productions"]
    module._lr_action, module._lr_goto = (
        {int(state): follows for state, follows in tables[name].items()} for name in ("action", "goto")
    )
    sys.modules[_TABLES] = module


_keep_ready(json.loads(resource_path("grammar", "rule_engine.json").read_text(encoding="utf-8")))

from rule_engine import Context, DataType, Rule, ast, errors, type_resolver_from_dict  # noqa: E402  # tables come first

__all__ = ["Context", "DataType", "Rule", "ast", "errors", "type_resolver_from_dict"]
