"""What a driver sends for a statement: parameters in front, values nowhere in the text."""

from dataclasses import replace

import pytest

from app.drivers.sqlserver.bound_text import PLACEHOLDER, bound_text
from app.drivers.sqlserver.catalogue import Column, Statement, catalogue
from tests.rows import every_row

STATEMENTS = sorted(catalogue().values(), key=lambda statement: statement.name)


@every_row("statement", STATEMENTS, ids=lambda statement: statement.name)
def test_one_placeholder_for_each_parameter(statement: Statement) -> None:
    """A driver finds as many placeholders as there are parameters, all of them before the statement's own text."""
    text = bound_text(statement)
    assert text.endswith(statement.text)
    declared = text.removesuffix(statement.text)
    assert declared.count(PLACEHOLDER) == len(statement.parameters)
    assert PLACEHOLDER not in statement.text


def test_parameters_are_declared_in_order_with_lengths_that_cut_nothing_off() -> None:
    """Each parameter is declared under its own name, texts without a limit, names as SQL Server limits them."""
    text = bound_text(catalogue()["set_profile_parameter"])
    assert text.splitlines()[:4] == [
        "DECLARE @agent_type int = ?;",
        "DECLARE @profile_name sysname = ?;",
        "DECLARE @parameter_name sysname = ?;",
        "DECLARE @parameter_value nvarchar(max) = ?;",
    ]


def test_an_unknown_type_is_a_fault_of_the_program() -> None:
    """A header with a type nobody knows how to declare stops the program, it is not guessed."""
    statement = replace(catalogue()["round_trip"], parameters=(Column("@when", "geography", False, "", "where"),))
    with pytest.raises(RuntimeError, match="@when is of type geography"):
        bound_text(statement)
