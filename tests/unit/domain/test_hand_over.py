"""Names of scripts for a DBA: one pair for each server, whatever servers are called."""

import pytest

from app.domain.hand_over import common_files
from app.foundation.file_names import file_name_of

LONG = "replica-of-the-warehouse.3f2a9c1b7d.database.windows.example.net"


@pytest.mark.parametrize(
    ("server", "apply"),
    [
        ("", "apply.sql"),
        ("DIST1", "apply-DIST1.sql"),
        ("DIST1\\SALES", "apply-DIST1__SALES.sql"),
        ("db1.contoso.com", "apply-db1.contoso.com.sql"),
        ("SALES_PRD", "apply-SALES_PRD.sql"),
    ],
)
def test_a_script_is_called_after_its_server(server: str, apply: str) -> None:
    """As far as a file may be called so."""
    assert common_files().at(server).apply == apply


@pytest.mark.parametrize(
    "servers",
    [
        ("A\\B", "A_B", "A__B", "A.B", "A-B", "A\\_B"),
        ("db1,1433", "db1:1433", "db1_1433", "db1 1433"),
        (f"{LONG},3342", f"{LONG},1433", LONG),
        ("сервер", "база", ""),
        ("CON", "con.", "C:\\data", "\\\\server\\share"),
    ],
)
def test_no_server_gets_the_script_of_another(servers: tuple[str, ...]) -> None:
    """Instances, ports, names that are cut or of other letters: each has files of its own, which Windows takes, too."""
    made = [common_files().at(server) for server in servers]
    names = [name for files in made for name in (files.apply, files.rollback)]
    assert len({name.lower() for name in names}) == 2 * len(servers)
    assert all(name == file_name_of(name, most=100, otherwise="") for name in names)


def test_the_script_that_undoes_names_the_one_of_its_server() -> None:
    """A reader of a list of files looks for no file that is not there."""
    files = common_files().at("DIST1")
    assert files.rollback_purpose == "Undoes apply-DIST1.sql."
    assert files.takes_back == "undoes apply-DIST1.sql"
