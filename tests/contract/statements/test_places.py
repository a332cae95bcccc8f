"""Where statements run and whose words their texts are: headers name what their system declares, nothing else."""

import pytest

from app.domain.naming import DeclaredTexts, Holds
from app.domain.system import System, systems_of
from app.drivers.oracle import catalogue as oracle
from app.drivers.sqlserver import catalogue as sqlserver
from tests.labs import FAMILIES, asked_of_every_server, own_statements

SYSTEMS = {system.system_id: system for system in systems_of(FAMILIES)}


def is_said(holds: Holds, declared: DeclaredTexts) -> bool:
    """Tell whether a kind of names is a common one or declared."""
    return not holds.is_name or holds in {kind.holds for kind in declared.all_kinds()}


@pytest.mark.parametrize("system", SYSTEMS.values(), ids=list(SYSTEMS))
def test_a_header_names_places_its_system_has(system: System) -> None:
    """Servers and databases of a system are its own words, and each of them is used."""
    own = own_statements(system.system_id, "sqlserver")
    statements = [statement for name, statement in sqlserver.catalogue().items() if name in own]
    named = {place for statement in statements for place in (statement.runs_at, statement.database)}
    assert named - sqlserver.COMMON_DATABASES - {sqlserver.ANY_SERVER} == system.statement_places


@pytest.mark.parametrize("system", SYSTEMS.values(), ids=list(SYSTEMS))
def test_a_header_names_kinds_its_system_declares(system: System) -> None:
    """A kind that nobody declares would be replaced as any name, without a word of its own."""
    own = own_statements(system.system_id, system.engine)
    of_sqlserver = [
        (s.name, c.name, c.holds) for s in sqlserver.catalogue().values() for c in (*s.parameters, *s.columns)
    ]
    of_oracle = [(s.name, c.name, c.holds) for s in oracle.catalogue().values() for c in (*s.binds, *s.columns)]
    declared = system.declared_texts()
    listed = [entry for entry in (*of_sqlserver, *of_oracle) if entry[0] in own]
    assert listed
    assert [entry for entry in listed if not is_said(entry[2], declared)] == []


def test_what_a_driver_asks_every_server_needs_no_system() -> None:
    """A driver's own statements run at any server, and hold what every system has."""
    for statement in map(sqlserver.catalogue().__getitem__, asked_of_every_server()):
        assert statement.runs_at == sqlserver.ANY_SERVER
        assert statement.database in sqlserver.COMMON_DATABASES
        columns = (*statement.parameters, *statement.columns)
        assert all(is_said(column.holds, DeclaredTexts()) for column in columns)
