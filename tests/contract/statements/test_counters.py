"""Performance counters are found on every build and under every collation, as far as the text of a query decides it."""

import re
from typing import Final

import pytest

from app.drivers.sqlserver.catalogue import Statement, catalogue

_COUNTERS: Final = "sys.dm_os_performance_counters"
_EQUALS: Final = re.compile(r"\w+\.instance_name(?P<mine> COLLATE DATABASE_DEFAULT)? = (?P<other>[@\w]+(?:\.\w+)?)")
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
