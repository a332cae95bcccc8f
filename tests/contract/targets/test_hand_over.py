"""The scripts of recommendations name no other procedures and tables than the statements of a run."""

import re
from collections.abc import Callable, Sequence

import pytest

from app.domain.finding import Finding
from app.domain.session import SessionRecord
from app.drivers.sqlserver.catalogue import catalogue
from tests.contract.statements.tsql import names_of
from tests.report.sample import full_advice, full_session
from tests.report.scripts import apply_script, rollback_script

Make = Callable[[Sequence[Finding], SessionRecord], str]


def bare(name: str) -> str:
    """Return a name without its schema, in lower case: `sys.sp_x` and `sp_x` are one procedure."""
    return name.rpartition(".")[2].lower()


@pytest.mark.parametrize("make", [apply_script, rollback_script])
def test_nothing_is_called_or_read_that_no_statement_does(make: Make) -> None:
    """A profile, a job step and a job are changed by the same procedures, found in the same tables."""
    known = [names_of(statement.body) for statement in catalogue().values()]
    said = names_of(re.sub(r"(?m)^:.*$", "", make(full_advice().findings, full_session())))  # lines sqlcmd reads itself
    called = {bare(name) for name, _arguments in said.calls}
    assert called
    assert called <= {bare(name) for names in known for name, _arguments in names.calls}
    read = {bare(name) for name in said.tables if "." in name}
    assert read
    assert read <= {bare(name) for names in known for name in names.tables}
