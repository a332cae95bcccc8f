"""What is sent to a server, or run by a DBA, is written beside the declarations of changes, in `targets`."""

import ast
import re
from pathlib import Path

import pytest

from tests.rows import every_row

# Words that begin a statement of T-SQL or PL/SQL, in capitals as this program writes them.
STATEMENT = re.compile(
    r"(?m)^\s*(?:SELECT|EXEC(?:UTE)?|ALTER|DBCC|DECLARE|UPDATE|DELETE|INSERT|CREATE|DROP|GRANT|BEGIN|IF|WHILE|USE|SET|MERGE)"
    r"\b(?:\s+[@\[\w.#]|\s*\()"
)
ROOMS = ("reporting", "services", "runner", "flows", "ui", "cli", "experiments", "advice", "charts", "domain")
# Formatted texts, whose names or numbers come later, have a part for each text between.
FILES = sorted(path for room in ROOMS for path in Path("app", room).rglob("*.py"))


def texts_of(source: str) -> list[str]:
    """Return the texts of a module that are no docstrings."""
    tree = ast.parse(source)
    docstrings = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    constants = (node for node in ast.walk(tree) if isinstance(node, ast.Constant) and id(node) not in docstrings)
    return [node.value for node in constants if isinstance(node.value, str)]


@every_row("path", FILES, ids=str)
def test_no_statement_is_written_here(path: Path) -> None:
    """A generic room passes statements and scripts on; it does not know their language."""
    assert not [text for text in texts_of(path.read_text(encoding="utf-8")) if STATEMENT.search(text)]


@pytest.mark.parametrize("planted", ['x = "EXEC sp_stop_job @job_id"', 'x = f"DBCC TRACEON ({flag}, -1);"'])
def test_a_planted_statement_is_found(planted: str) -> None:
    """The check can fail."""
    assert any(map(STATEMENT.search, texts_of(planted)))
