"""What the bodies of statements name, as Microsoft's parser reads them: kept beside them for the lab.

`python -m tests.tsql.named_objects` writes the files anew; a test holds them to the bodies.
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from app.drivers.sqlserver.catalogue import catalogue
from app.drivers.sqlserver.lab.named_objects import FILE, folders
from tests.tsql.parser import Node, tree_of
from tests.tsql.texts import dynamic, statements

_WRITTEN: Final = {"InsertSpecification": "INSERT", "UpdateSpecification": "UPDATE", "DeleteSpecification": "DELETE"}
Named = dict[str, list[str]]


def read_all() -> Mapping[Path, Named]:
    """Return what each statement names, by file and statement, as `SELECT on dbo.table` and the like."""
    read = {name: set(_named(tree_of(text))) for name, text in statements().items()}
    for name, text in dynamic().items():
        read[name.rpartition(" ")[0]] |= set(_named(tree_of(text)))
    return {
        folder / FILE: {name: sorted(read[name]) for name in sorted(catalogue()) if (folder / f"{name}.sql").is_file()}
        for folder in folders()
    }


def write_all() -> None:
    """Write every file anew."""
    for path, named in read_all().items():
        path.write_text(json.dumps(named, indent=1) + "\n", encoding="utf-8")


def _named(tree: Node) -> Iterator[str]:
    written: dict[int, str] = {}
    for kind, verb in _WRITTEN.items():
        targets = [target for node in tree.all(kind) for target in node.of("Target")]
        written |= {id(one): verb for target in targets for one in target.all("NamedTableReference")}
    for node in tree.all("NamedTableReference", "SchemaObjectFunctionTableReference"):
        names = node.of("SchemaObject")[0].names
        if len(names) > 1 and "name" not in names:
            yield f"{written.get(id(node), 'SELECT')} on {'.'.join(names)}"
    yield from _run(tree)


def _run(tree: Node) -> Iterator[str]:
    """Give what is run rather than read."""
    for node in tree.all("ProcedureReference"):
        if node.of("Name"):
            yield f"EXECUTE on {'.'.join(node.of('Name')[0].names)}"
    yield from (f"DBCC {node.held['Command'].upper()}" for node in tree.all("DbccStatement"))
    for node in tree.all("AlterAvailabilityGroupStatement"):
        yield f"ALTER AVAILABILITY GROUP {node.held['AlterAvailabilityGroupStatementType'].upper()}"


if __name__ == "__main__":
    write_all()
