"""Drivers' exceptions as number, text and state: messages as the drivers write them."""

from typing import Any

import pyodbc  # type: ignore[import-not-found]  # its stub is not marked as one
import pytest
from mssql_python import exceptions as mssql_errors

from app.drivers.sqlserver.odbc.mssql_python_library import MssqlPythonLibrary
from app.drivers.sqlserver.odbc.pyodbc_library import PyodbcLibrary

MS = "[Microsoft][ODBC Driver 18 for SQL Server]"


@pytest.mark.parametrize(
    ("state", "message", "number", "text", "told_state"),
    [
        (
            "42000",
            f"[42000] {MS}[SQL Server]The EXECUTE permission was denied on 'a (b)'. (229) (SQLExecDirectW)",
            229,
            "The EXECUTE permission was denied on 'a (b)'.",
            "42000",
        ),
        (
            "40001",
            f"[40001] {MS}[SQL Server]Deadlock victim. (1205) (SQLExecDirectW); [40001] {MS}[SQL Server]More (3621)",
            1205,
            "Deadlock victim.",
            "40001",
        ),
        ("08S01", f"[08S01] {MS}TCP Provider: Error code 0x68 (104) (SQLExecDirectW)", 0, None, "08S01"),
        ("HYT00", f"[HYT00] {MS}Login timeout expired (0) (SQLDriverConnect)", 0, "Login timeout expired", "HYT00"),
        ("HY008", f"[HY008] {MS}Operation canceled (0) (SQLExecDirectW)", 0, "Operation canceled", "HY008"),
        (
            "42000",
            "[42000] [FreeTDS][SQL Server]Login failed for user 'x'. (18456) (SQLDriverConnect)",
            18456,
            None,
            "42000",
        ),
        (
            "08S01",
            "[08S01] [FreeTDS][SQL Server]Unable to connect: Adaptive (20009) (SQLDriverConnect)",
            0,
            None,
            "08001",
        ),
        (
            "01000",
            "[01000] [FreeTDS][SQL Server]Unexpected EOF from the server (20017) (SQLExecDirectW)",
            0,
            None,
            "08S01",
        ),
        ("HY000", "[HY000] [FreeTDS][SQL Server]Unknown error (0) (SQLExecDirectW)", 0, None, "08S01"),
        (
            "42000",
            "[42000] [FreeTDS][SQL Server]The article 'x' could not be added. (20009) (SQLExecDirectW)",
            20009,
            None,
            "42000",
        ),
        (
            "01000",
            "[01000] [unixODBC][Driver Manager]Can't open lib '/x.so' : file not found (0) (SQLDriverConnect)",
            0,
            None,
            "01000",
        ),
        ("HY000", "no record at all", 0, "no record at all", "HY000"),
    ],
)
def test_odbc_records_are_read(state: str, message: str, number: int, text: str | None, told_state: str) -> None:
    """The record that says most counts; a number is the server's only where the server reported it."""
    error = PyodbcLibrary().to_sql_error(pyodbc.Error(state, message), None)
    assert (error.number, error.state) == (number, told_state)
    assert text is None or error.text == text


BROKEN = "Connection may have been terminated by the server."
UNRECOVERED = "The connection is broken and recovery is not possible."


@pytest.mark.parametrize(
    ("records", "told"),
    [
        (
            [("HY000", f"{MS}{BROKEN}", 0), ("IMC06", f"{MS}{UNRECOVERED}", 0)],
            (0, "HY000"),
        ),
        ([("42000", f"{MS}[SQL Server]Denied.", 229), ("08S01", f"{MS}Communication link failure", 0)], (0, "08S01")),
        ([("22001", f"{MS}String data, right truncation", 0), ("IMC06", f"{MS}{UNRECOVERED}", 0)], (0, "IMC06")),
        ([("01000", f"{MS}[SQL Server]Changed database.", 5701), ("IMC02", f"{MS}Broken", 0)], (0, "IMC02")),
        ([("HY000", f"{MS}[SQL Server]Shutdown is in progress.", 6005), ("08S01", f"{MS}Gone", 0)], (6005, "HY000")),
        (
            [("28000", f"{MS}[SQL Server]Login failed for user 'x'.", 18456),
             ("42000", f"{MS}[SQL Server]Cannot open database.", 4060)],
            (4060, "42000"),
        ),
        ([("40001", f"{MS}[SQL Server]Deadlock.", 1205), ("42000", f"{MS}[SQL Server]Ended.", 3621)], (1205, "40001")),
    ],
)  # fmt: skip
def test_all_records_of_an_error_are_looked_at(records: list[tuple[str, str, int]], told: tuple[int, str]) -> None:
    """What says that the connection is gone counts, wherever it stands, in each library."""
    text = "; ".join(f"[{state}] {message} ({number})" for state, message, number in records)
    through_odbc = PyodbcLibrary().to_sql_error(pyodbc.Error(records[0][0], text), None)

    class Failed:
        """A cursor with these records."""

    cursor: Any = Failed()
    cursor.records = tuple((f"[{state}] ({number})", message) for state, message, number in records)
    through_wheel = MssqlPythonLibrary().to_sql_error(mssql_errors.OperationalError("General error", "x"), cursor)
    for error in (through_odbc, through_wheel):
        assert (error.number, error.state) == told


def test_pooling_is_off() -> None:
    """A pooled connection would outlive its close, and bring settings of another one."""
    PyodbcLibrary()
    assert pyodbc.pooling is False


@pytest.mark.parametrize(
    ("state", "message", "text"),
    [
        ("28000", f"{MS}[SQL Server]Login failed for user 'x'.", "Login failed for user 'x'."),
        ("08001", f"{MS}TCP Provider: Error code 0x2749", "TCP Provider: Error code 0x2749"),
        ("HYT00", f"{MS}Query timeout expired", "Query timeout expired"),
        ("HY008", f"{MS}Operation canceled", "Operation canceled"),
    ],
)
def test_phrases_of_mssql_python_are_states(state: str, message: str, text: str) -> None:
    """While connecting the library tells a phrase for the state, and no number."""
    raised = mssql_errors.sqlstate_to_exception(state, message)
    assert raised is not None
    error = MssqlPythonLibrary().to_sql_error(raised, None)
    assert (error.number, error.state, error.text) == (0, state, text)


class FailedCursor:
    """A cursor that kept the diagnostic records of its failed statement."""

    records = (("[42000] (229)", f"{MS}[SQL Server]Permission denied."), ("[42000] (1)", "more"))


def test_records_of_mssql_python_hold_the_number() -> None:
    """After a statement the server's number is known, as with the other drivers."""
    raised = mssql_errors.ProgrammingError("Syntax error or access violation", f"{MS}[SQL Server]Permission denied.")
    error = MssqlPythonLibrary().to_sql_error(raised, FailedCursor())  # type: ignore[arg-type]  # only its records count
    assert (error.number, error.state, error.text) == (229, "42000", "Permission denied.")


def test_native_trouble_of_mssql_python_is_an_error_too() -> None:
    """What its native part raises outside of its own exceptions is told as it is."""
    error = MssqlPythonLibrary().to_sql_error(RuntimeError("handle is gone"), None)
    assert (error.number, error.state, error.text) == (0, "HY000", "handle is gone")
