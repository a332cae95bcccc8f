"""Addresses as other tools write them become targets; a password in them reaches none."""

import contextlib
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from app.bootstrap import connection_ways, understand_address
from app.domain.errors import BadInput
from app.flows.target.target_form import TargetForm, form_password, form_target, form_understood
from app.services.target.foreign_addresses import understand
from app.services.target.saved_targets import SavedTargets
from tests.rows import every_row
from tests.secret_forms import FORMS, leaks

WAYS = connection_ways()
DESCRIPTOR = (
    "(DESCRIPTION=(ADDRESS_LIST=(ADDRESS=(PROTOCOL=TCP)(HOST=Ora1)(PORT=1521)))"
    "(CONNECT_DATA=(SERVER=DEDICATED)(SERVICE_NAME=sales.example.com)))"
)
CASES = {
    "db1:1433": "sqlserver://db1:1433",
    " db1:1433 ": "sqlserver://db1:1433",
    "db1,1433": "sqlserver://db1:1433",
    "tcp:db1.database.windows.net,1433": "sqlserver://db1.database.windows.net:1433",
    "DB1\\SALES": "sqlserver://db1\\SALES",
    "db1\\SALES,1444": "sqlserver://db1:1444",
    "anna@db1:1433": "sqlserver://anna@db1:1433",
    "[fe80::1]:1433": "sqlserver://[fe80::1]:1433",
    "Server=db1,1433;Database=Sales;User Id=anna;Encrypt=True;TrustServerCertificate=Yes": (
        "sqlserver://anna@db1:1433?trust=yes"
    ),
    "Data Source=.\\SALES;Initial Catalog=master;Integrated Security=SSPI;Application Name=x": (
        "sqlserver://localhost\\SALES?auth=windows"
    ),
    "Driver={ODBC Driver 18 for SQL Server};Server=tcp:db1,1433;UID=anna;Encrypt=strict;HostnameInCertificate=db1.x": (
        "sqlserver://anna@db1:1433?certificate_host=db1.x&encrypt=strict"
    ),
    "Server=db1;Trusted_Connection=yes;ApplicationIntent=ReadOnly;MultiSubnetFailover=Yes": (
        "sqlserver://db1?auth=windows&intent=readonly&multi_subnet_failover=yes"
    ),
    "Server=db1;Authentication=Active Directory Interactive;User ID=anna@x.com": (
        "sqlserver://anna%40x.com@db1?auth=entra-interactive"
    ),
    "jdbc:sqlserver://db1\\SALES:1433;databaseName=x;user=anna;encrypt=false": ("sqlserver://anna@db1:1433?encrypt=no"),
    "jdbc:sqlserver://db1;instanceName=SALES;integratedSecurity=true;encrypt=true;trustServerCertificate=true": (
        "sqlserver://db1\\SALES?auth=windows&trust=yes"
    ),
    "jdbc:sqlserver://;serverName=db1;portNumber=1444;user={an;na}": "sqlserver://an%3Bna@db1:1444",
    "jdbc:jtds:sqlserver://db1:1433/sales;instance=SALES": "sqlserver://db1:1433",
    "mssql+pyodbc://anna@db1:1433/sales?driver=ODBC+Driver+18+for+SQL+Server&TrustServerCertificate=yes": (
        "sqlserver://anna@db1:1433?trust=yes"
    ),
    "mssql://anna@db1:1433/sales": "sqlserver://anna@db1:1433",
    "//db2:1521/SALES": "oracle://db2:1521/SALES",
    "db2:1521/sales.example.com": "oracle://db2:1521/sales.example.com",
    "scott@//db2/sales": "oracle://scott@db2/sales",
    "scott@db2:1521/sales:dedicated/inst1": "oracle://scott@db2:1521/sales",
    "tcps://db2:2484/sales?wallet_location=/w": "oracle://db2:2484/sales?protocol=tcps&wallet=/w",
    "//db2,db3:1521/sales": "oracle://db2:1521/sales?addresses=db3:1521",
    "jdbc:oracle:thin:@//db2:1521/sales": "oracle://db2:1521/sales",
    "jdbc:oracle:thin:scott@db2:1521:ORCL": "oracle://scott@db2:1521?sid=ORCL",
    "jdbc:oracle:thin:@SALES?TNS_ADMIN=/opt/tns": "oracle://sales?tns_admin=/opt/tns",
    f"jdbc:oracle:oci:@{DESCRIPTOR}": "oracle://ora1:1521/sales.example.com",
    DESCRIPTOR: "oracle://ora1:1521/sales.example.com",
    f"scott@{DESCRIPTOR}": "oracle://scott@ora1:1521/sales.example.com",
    f"# of the site\nSALES =\n  {DESCRIPTOR.replace('=(', '=' + chr(10) + '   (')}\n": (
        "oracle://ora1:1521/sales.example.com"
    ),
    "(DESCRIPTION=(ADDRESS=(PROTOCOL=tcps)(HOST=a)(PORT=2484))(ADDRESS=(PROTOCOL=tcps)(HOST=b)(PORT=2485))"
    '(CONNECT_DATA=(SID=ORCL))(SECURITY=(SSL_SERVER_CERT_DN="CN=a,E=x@y")))': (
        "oracle://a:2484?addresses=b:2485&certificate_dn=CN%3Da,E%3Dx%40y&protocol=tcps&sid=ORCL"
    ),
    "2001:db8::5": "sqlserver://[2001:db8::5]",
    "tcp:2001:db8::5,1444": "sqlserver://[2001:db8::5]:1444",
    "Server=2001:db8::5\\SALES;UID=anna": "sqlserver://anna@[2001:db8::5]\\SALES",
    "sqlcmd -S db1\\SALES -d db -U anna": "sqlserver://anna@db1\\SALES",
    "$ sqlcmd -Uanna -Stcp:db1,1444 -C -N s -Q 'SELECT 1'": "sqlserver://anna@db1:1444?encrypt=strict",
    "sqlcmd -C -S db1 -U anna -i 'C:\\My scripts\\a.sql'": "sqlserver://anna@db1?trust=yes",
    '"C:\\Program Files\\Tools\\SQLCMD.EXE" /S "db1" /E': "sqlserver://db1?auth=windows",
    "PS C:\\> sqlcmd --server=db1 --user-name anna": "sqlserver://anna@db1",
    "sqlcmd -S db1 -G": "sqlserver://db1?auth=entra-integrated",
    "osql -S db1": "sqlserver://db1?auth=windows",
    "sqlplus scott@//db2:1521/sales": "oracle://scott@db2:1521/sales",
    "sqlplus -L -S scott@db2/sales AS SYSDBA @report.sql": "oracle://scott@db2/sales",
    "sqlplus /@sales": "oracle://sales",
    f'sqlplus "scott@{DESCRIPTOR}"': "oracle://scott@ora1:1521/sales.example.com",
    "oracle+oracledb://scott@db2:1521/?service_name=sales": "oracle://scott@db2:1521/sales",
}


@every_row("text", CASES)
def test_addresses_of_other_tools_become_targets(text: str) -> None:
    """What a person copies from another tool opens the same server, in this program's one spelling."""
    found = understand_address(text)
    assert found is not None
    assert found.url.text == CASES[text]
    assert found.password is None
    assert SavedTargets(Path("none"), understand_address).resolve(text) == CASES[text]


@pytest.mark.parametrize(
    "text",
    ["2001:db8", "1::2::3", "bcp db.dbo.t out f -S db1 -T",
     "db1", "nonsense", "my site", "C:\\sites\\a", "db1:abc", "db1:99999", "a/b", "sales/orders", "x=1", "lab", "1433",
     "(DESCRIPTION=(ADDRESS=(PROTOCOL=IPC)(KEY=x))(CONNECT_DATA=(SID=A)))", "//db2:1521",
     "sqlserver://db1:abc", "https://db1/x"],
)  # fmt: skip
def test_what_names_no_server_is_not_understood(text: str) -> None:
    """A name, a path or half an address is left to what tells a person how to write one."""
    assert understand_address(text) is None


OTHER_WAYS = "Servers are reached over TCP here"
NO_SERVER = "This sqlcmd command names no server (-S)"
NO_DATABASE = "This sqlplus command names no database; write it as sqlplus user@//host:1521/service"
REFUSED = {
    "np:db1": OTHER_WAYS,
    "Server=np:\\\\db1\\pipe\\sql\\query;UID=anna": OTHER_WAYS,
    "\\\\db1\\pipe\\MSSQL$SALES\\sql\\query": OTHER_WAYS,
    "lpc:(local)": OTHER_WAYS,
    "(localdb)\\MSSQLLocalDB": OTHER_WAYS,
    "sqlcmd -S admin:db1 -E": OTHER_WAYS,
    "sqlcmd -U anna": NO_SERVER,
    "sqlplus / as sysdba": NO_DATABASE,
    "sqlplus scott": NO_DATABASE,
}


@pytest.mark.parametrize("text", REFUSED)
def test_what_cannot_be_used_is_refused_by_a_sentence_of_its_own(text: str) -> None:
    """Known for what it is: named pipes, shared memory, a command without a server."""
    with pytest.raises(BadInput) as caught:
        understand_address(text)
    assert str(caught.value).startswith(REFUSED[text])


@pytest.mark.parametrize("form", sorted(FORMS))
def test_a_password_is_refused_and_not_repeated(form: str, tmp_path: Path) -> None:
    """In every spelling of every tool; understood or not, no sentence and no file holds it."""
    saved = SavedTargets(tmp_path / "targets.json", understand_address)
    if form == "in a number":
        return  # what a number is, each engine knows
    for refused in (saved.resolve, lambda text: saved.add("a", text)):
        with pytest.raises(BadInput) as caught:
            refused(FORMS[form])
        assert not leaks(str(caught.value))
    assert not (tmp_path / "targets.json").exists()


def test_a_saved_name_goes_before_an_address_that_is_written_alike(tmp_path: Path) -> None:
    """Whoever called a target `db1:1433` means that target."""
    saved = SavedTargets(tmp_path / "targets.json", understand_address)
    saved.add("db1:1433", "db2:1444")
    assert saved.resolve("db1:1433") == "sqlserver://db2:1444"
    assert saved.resolve("db1:1434") == "sqlserver://db1:1434"


@every_row("text", CASES)
def test_the_form_takes_them_over(text: str) -> None:
    """Pasted into the form: the way that fits, its fields filled in, what was entered before kept."""
    entered = TargetForm(WAYS[0]).with_value("user", "bob")
    form = form_understood(text, entered, WAYS)
    assert form is not None
    assert form.way.engine == CASES[text].partition(":")[0]
    made = form_target(form)
    said = understand(text, WAYS)
    assert said is not None
    if said.url.user or (said.url.engine == "sqlserver" and not said.url.options):
        assert made in (CASES[text], CASES[text].replace("://", "://bob@"))


def test_a_password_that_is_pasted_goes_into_its_field() -> None:
    """It is in no target, and not in the form's own text."""
    form = form_understood(FORMS["a connection string"], TargetForm(WAYS[0]), WAYS)
    assert form is not None
    assert form_target(form) == "sqlserver://anna@db1"
    password = form_password(form)
    assert password is not None
    assert password.reveal() == "Hunter2Quagga"
    assert not leaks(repr(form))
    assert form_understood("nonsense", form, WAYS) is None


@given(st.text() | st.text(alphabet="()=;:/\\@?,&{}\"' aA1.HOST"))
@example("(ADDRESS=()")
def test_any_text_is_an_address_or_none(text: str) -> None:
    """Nothing a person pastes ends in anything else."""
    with contextlib.suppress(BadInput):
        SavedTargets(Path("none"), understand_address).resolve(text)
