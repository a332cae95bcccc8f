"""Microsoft's own T-SQL parser (ScriptDom, grammar of SQL Server 2019), run inside this process by .NET.

The library comes inside one package and .NET inside another, both for tests only: nothing of them is redistributed.
"""

import json
import re
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

MISSING: Final = (
    "Microsoft's T-SQL parser is not installed here, so no T-SQL was checked by it: install "
    "packaging/requirements-test.txt on Linux with an x86_64 processor"
)
_PARTS: Final = ("mssqlcli", "dotnetcore2", "pythonnet")
_NAMESPACE: Final = "Microsoft.SqlServer.TransactSql.ScriptDom"
# Messages and case do not depend on the language of the computer, and no ICU is needed for it.
_RUNTIME: Final = {
    "runtimeOptions": {
        "tfm": "netcoreapp3.1",
        "framework": {"name": "Microsoft.NETCore.App", "version": "3.1.0"},
        "configProperties": {"System.Globalization.Invariant": True},
    }
}

KNOWN_GAPS: Final[dict[str, tuple[re.Pattern[str], str]]] = {
    "GO with a count, which sqlcmd and SSMS know": (re.compile(r"(?m)^GO [1-9]\d*$"), "GO"),
    "SEEDING_MODE of a replica": (re.compile(r"\bSEEDING_MODE = (?:MANUAL|AUTOMATIC)\b"), "FAILOVER_MODE = MANUAL"),
    "GRANT and DENY CREATE ANY DATABASE of a group": (
        re.compile(r"(?<=\] )(?:GRANT|DENY) CREATE ANY DATABASE\b"),
        "JOIN",
    ),
    "algorithm and level of a compressed backup": (
        re.compile(r"\bCOMPRESSION \(ALGORITHM = (?:MS_XPRESS|ZSTD, LEVEL = (?:LOW|MEDIUM|HIGH))\)"),
        "COMPRESSION",
    ),
}
"""What that grammar lacks, and what is read in its place, which it knows."""


def is_there() -> bool:
    """Tell whether the parser is installed."""
    return all(find_spec(part) is not None for part in _PARTS)


@dataclass(frozen=True)
class Node:
    """A piece of a syntax tree: its kind as ScriptDom calls it, its values by name, and what it is made of.

    Attributes:
        held: names, numbers and texts, by property.
        parts: other pieces, by property, in order.
    """

    kind: str
    held: dict[str, str]
    parts: dict[str, tuple["Node", ...]]

    def all(self, *kinds: str) -> Iterator["Node"]:
        """Give the pieces of some kinds, itself among them."""
        if self.kind in kinds:
            yield self
        for pieces in self.parts.values():
            for piece in pieces:
                yield from piece.all(*kinds)

    def of(self, name: str) -> tuple["Node", ...]:
        """Return the pieces of a property."""
        return self.parts.get(name, ())

    @property
    def names(self) -> tuple[str, ...]:
        """Return the identifiers of a name with dots."""
        return tuple(part.held["Value"] for part in self.of("Identifiers"))


@cache
def _dom() -> Any:
    """Start .NET and load the library."""
    packages = {part: Path(str(import_module(part).__file__)).parent for part in _PARTS[:2]}
    config = Path(tempfile.mkdtemp(prefix="replitune-parser-")) / "runtimeconfig.json"
    config.write_text(json.dumps(_RUNTIME), encoding="utf-8")
    runtime = import_module("clr_loader").get_coreclr(
        runtime_config=str(config), dotnet_root=str(packages["dotnetcore2"] / "bin")
    )
    import_module("pythonnet").set_runtime(runtime)
    clr: Any = import_module("clr")
    clr.AddReference(str(packages["mssqlcli"] / "mssqltoolsservice" / "bin" / f"{_NAMESPACE}.dll"))
    return import_module(_NAMESPACE)


def _parsed(text: str) -> tuple[Any, list[str]]:
    dom = _dom()
    reader = import_module("System.IO").StringReader(text)
    tree, problems = dom.TSql150Parser(True).Parse(reader, None)
    return tree, [f"line {one.Line}, column {one.Column}: {one.Message} ({one.Number})" for one in problems]


def problems_of(text: str) -> list[str]:
    """Return what Microsoft's parser says against a text as it stands."""
    return _parsed(text)[1]


def without_gaps(text: str) -> tuple[str, frozenset[str]]:
    """Return a text with what the grammar lacks replaced, and the names of the gaps it had."""
    met = set()
    for name, (pattern, instead) in KNOWN_GAPS.items():
        text, count = pattern.subn(instead, text)
        if count:
            met.add(name)
    return text, frozenset(met)


def tree_of(text: str) -> Node:
    """Return the syntax tree of a text; fails where it is no T-SQL."""
    tree, problems = _parsed(without_gaps(text)[0])
    assert not problems, problems
    return _node(tree)


@cache
def _properties(kind: Any) -> list[Any]:
    left_out = {"ScriptTokenStream", "FirstTokenIndex", "LastTokenIndex", "StartOffset", "FragmentLength"}
    left_out |= {"StartLine", "StartColumn", "Item", "Count", "BaseIdentifier", "SchemaIdentifier"}
    left_out |= {"DatabaseIdentifier", "ServerIdentifier", "ChildIdentifier"}  # the same as Identifiers
    return [one for one in kind.GetProperties() if one.Name not in left_out]


def _node(fragment: Any) -> Node:
    held: dict[str, str] = {}
    parts: dict[str, tuple[Node, ...]] = {}
    fragment_type = _dom().TSqlFragment
    for one in _properties(fragment.GetType()):
        value = one.GetValue(fragment)
        if value is None:
            continue
        if isinstance(value, fragment_type):
            parts[one.Name] = (_node(value),)
        elif one.PropertyType.IsGenericType:
            parts[one.Name] = tuple(_node(item) for item in value if isinstance(item, fragment_type))
        else:
            held[one.Name] = str(value)
    return Node(str(fragment.GetType().Name), held, parts)
