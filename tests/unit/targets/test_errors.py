"""Error numbers and states become the product's errors, each with what to do."""

import pytest

from app.domain.errors import (
    Blocked,
    ConnectionLost,
    Deadlock,
    LoginFailed,
    PermissionDenied,
    StatementCancelled,
    StatementTimeout,
    TargetError,
    Unsupported,
)
from app.drivers.sqlserver.errors import DatabaseUnavailable, JobProblem, SqlError, to_target_error


@pytest.mark.parametrize(
    ("number", "state", "kind", "says"),
    [
        (18456, "28000", LoginFailed, "check user name"),
        (4064, "42000", LoginFailed, "check user name"),
        (4060, "42000", DatabaseUnavailable, "bring it online"),
        (942, "42000", DatabaseUnavailable, "bring it online"),
        (0, "HY008", StatementCancelled, "was cancelled"),
        (596, "HY000", ConnectionLost, "check the network"),
        (0, "HY000", ConnectionLost, "check the network"),
        (0, "IMC06", ConnectionLost, "check the network"),
        (0, "22018", TargetError, "the server's words"),
        (229, "42000", PermissionDenied, "grant it: db_owner"),
        (230, "42000", PermissionDenied, "grant it"),
        (297, "42000", PermissionDenied, "grant it"),
        (300, "42000", PermissionDenied, "grant it"),
        (15247, "42000", PermissionDenied, "grant it"),
        (21050, "42000", PermissionDenied, "grant it"),
        (21089, "42000", PermissionDenied, "grant it"),
        (1205, "40001", Deadlock, "run it again"),
        (-2, "", StatementTimeout, "longer than its limit"),
        (0, "HYT00", StatementTimeout, "longer than its limit"),
        (1222, "", Blocked, "longer than its limit"),
        (0, "", ConnectionLost, "check the network"),
        (10054, "", ConnectionLost, "check the network"),
        (0, "08S01", ConnectionLost, "check the network"),
        (14262, "42000", JobProblem, "check the job"),
        (22022, "42000", JobProblem, "check the job"),
        (208, "42S02", Unsupported, "version"),
        (2812, "42000", Unsupported, "version"),
        (8134, "22012", TargetError, "error 8134"),
    ],
)
def test_number_and_state_decide_the_error(number: int, state: str, kind: type[TargetError], says: str) -> None:
    """Each known number or state has its error type and a sentence that names the server and says what to do."""
    error = to_target_error(SqlError(number, "the server's words", state), "agents", "db_owner", "DIST1")
    assert type(error) is kind
    assert says in str(error)
    assert "DIST1" in str(error)
    assert error.server_error == f"Msg {number}: the server's words"
    assert error.exit_code == 3
