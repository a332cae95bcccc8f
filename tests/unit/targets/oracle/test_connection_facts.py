"""What a report says of a connection to Oracle: what is not encrypted is told so."""

import pytest

from app.drivers.oracle.opening import _facts
from app.drivers.oracle.settings import DriverChoice, OracleSettings


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        (OracleSettings(user="u", service="s"), "none: what is asked and answered can be read on the way"),
        (OracleSettings(user="u", service="s", driver=DriverChoice.CX_ORACLE), "none, unless sqlnet.ora"),
        (OracleSettings(user="u", alias="PRD"), "as its entry in tnsnames.ora says: none, unless"),
        (OracleSettings(user="u", service="s", is_encrypted=True), "TCPS, certificate verified"),
        (OracleSettings(user="u", service="s", is_encrypted=True, trusts_certificate=True), "TCPS, name in the"),
    ],
)
def test_encryption_is_told_as_it_is(settings: OracleSettings, told: str) -> None:
    """Thin mode encrypts with TCPS alone (python-oracledb, appendix B), a client where sqlnet.ora asks for it."""
    assert dict(_facts("Source", settings))["Source: encryption"].startswith(told)
