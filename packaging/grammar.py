"""Writes the tables of rule-engine's grammar, which the program reads instead of working them out.

To be run by itself after another rule-engine is pinned; `tests/unit/advice/test_grammar.py` says when.
"""

import json
import runpy
import tempfile
from pathlib import Path
from typing import Any, Final

from rule_engine._vendor.ply import yacc
from rule_engine.parser import Parser

TABLES: Final = Path(__file__).resolve().parents[1] / "resources" / "grammar" / "rule_engine.json"


def made_tables() -> str:
    """Return the tables of the rule-engine that is installed, as the program reads them."""
    with tempfile.TemporaryDirectory() as folder:
        yacc.yacc(module=Parser(), write_tables=True, outputdir=folder, tabmodule="made_tables", debug=False)
        made: dict[str, Any] = runpy.run_path(str(Path(folder) / "made_tables.py"))
    tables = {
        "version": made["_tabversion"],
        "method": made["_lr_method"],
        "signature": made["_lr_signature"],
        "action": made["_lr_action"],
        "goto": made["_lr_goto"],
        "productions": made["_lr_productions"],
    }
    return json.dumps(tables, separators=(",", ":")) + "\n"


if __name__ == "__main__":
    TABLES.write_text(made_tables(), encoding="utf-8")
