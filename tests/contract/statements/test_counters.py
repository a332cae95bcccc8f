"""Performance counters are found on every build and under every collation, as far as the text of a query decides it."""

import re
from typing import Final

import pytest

from app.drivers.sqlserver.catalogue import Statement, catalogue

_COUNTERS: Final = "sys.dm_os_performance_counters"
_EQUALS: Final = re.compile(r"\w+\.instance_name(?P<mine> COLLATE DATABASE_DEFAULT)? = (?P<other>[@\w]+(?:\.\w+)?)")
_OBJECTS: Final = re.compile(r"object_name LIKE N'([^']+)'")
# MicrosoftDocs/sql-docs:docs/relational-databases/performance-monitor/use-sql-server-objects.md, and names alike
DOCUMENTED: Final = (
    *("Availability Group", "Availability Replica", "Broker Statistics", "Broker/DBM Transport", "Catalog Metadata"),
    *("Database Mirroring", "Database Replica", "Databases", "Replication Agents", "Replication Dist."),
    *("Replication Logreader", "Replication Merge", "Replication Snapshot"),
)
READING: Final = [statement for statement in catalogue().values() if _COUNTERS in statement.body]


@pytest.mark.parametrize("statement", READING, ids=lambda statement: statement.name)
def test_counters_are_compared_under_one_collation(statement: Statement) -> None:
    """Against a column, whose collation is the database's, the server's gives way; a variable gives way by itself."""
    for equals in _EQUALS.finditer(statement.body):
        assert equals["other"].startswith("@") or equals["mine"], equals[0]


@pytest.mark.parametrize("statement", READING, ids=lambda statement: statement.name)
def test_transport_counters_are_found_with_either_name(statement: Statement) -> None:
    """The instance is called _Total on newer builds and has no name on 2014."""
    for said in statement.body.split(_COUNTERS)[1:]:
        query = said.partition(";")[0]
        if "Transport%" in query.partition("(SELECT")[0]:
            assert "instance_name IN (N'_Total', N'')" in query


@pytest.mark.parametrize("statement", READING, ids=lambda statement: statement.name)
def test_counters_of_a_named_instance_are_found(statement: Statement) -> None:
    """Objects are called SQLServer:… at a default instance, and MSSQL$NAME:… at a named one; blanks fill them up."""
    asked = _OBJECTS.findall(statement.body)
    assert asked or "counter_name LIKE" in statement.body, "counters of every object there is"
    assert statement.body.count("object_name ") == len(asked), "an object's name is compared by LIKE alone"
    for pattern in asked:
        found = re.compile("".join(".*" if part == "%" else re.escape(part) for part in pattern), re.DOTALL)
        own = [name for name in DOCUMENTED if found.fullmatch(f"SQLServer:{name}".ljust(128))]
        assert len(own) == 1, pattern
        assert found.fullmatch(f"MSSQL$EU_1:{own[0]}".ljust(128)), pattern


@pytest.mark.parametrize("statement", READING, ids=lambda statement: statement.name)
def test_the_language_of_counters_is_stated(statement: Statement) -> None:
    """Whoever reads the statement at a German server knows why it asks for English names."""
    assert "in English at a server of any language" in statement.source
