"""What the URL of an Oracle database says, and what a driver connects to."""

import pytest

from app.domain.connection import ServerUrl
from app.domain.errors import BadInput
from app.drivers.oracle import CONNECTION_WAYS, destination_of, needs_password, open_server, with_destination
from app.drivers.oracle.opening import target_key
from app.drivers.oracle.settings import DriverChoice, HostPort, SignIn, connect_descriptor
from app.drivers.oracle.url import read_settings
from app.services.target.target_spec import parse_server


def settings_of(text: str) -> object:
    """Return the settings of a URL as it is written."""
    return read_settings(parse_server(text))


def test_easy_connect() -> None:
    """Host, port and service become one listener, and limits on connecting stand in the descriptor."""
    settings = read_settings(parse_server("oracle://scott@db1:1522/sales.example?login_timeout=7"))
    assert settings.addresses == (HostPort("db1", 1522),)
    assert (settings.user, settings.service, settings.sid, settings.alias) == ("scott", "sales.example", "", "")
    assert settings.label == "db1:1522/sales.example"
    assert settings.name == "sales.example"
    assert connect_descriptor(settings) == (
        "(DESCRIPTION=(CONNECT_TIMEOUT=7)(TRANSPORT_CONNECT_TIMEOUT=7)(RETRY_COUNT=0)"
        "(ADDRESS_LIST=(LOAD_BALANCE=OFF)(FAILOVER=ON)(ADDRESS=(PROTOCOL=tcp)(HOST=db1)(PORT=1522)))"
        "(CONNECT_DATA=(SERVICE_NAME=sales.example)))"
    )


def test_sid() -> None:
    """A SID is asked for as one, at the usual port."""
    settings = read_settings(parse_server("oracle://scott@db1?sid=ORCL"))
    assert settings.label == "db1:1521 (SID ORCL)"
    assert settings.name == "ORCL"
    assert "(CONNECT_DATA=(SID=ORCL))" in connect_descriptor(settings)


def test_alias() -> None:
    """Without port and service the host is an alias of tnsnames.ora, passed on as it is."""
    settings = read_settings(parse_server("oracle://scott@sales?tns_admin=/etc/oracle"))
    assert (settings.alias, settings.tns_admin, connect_descriptor(settings)) == ("sales", "/etc/oracle", "sales")


def test_cluster() -> None:
    """Further listeners of a cluster follow in order, with the first one's port unless they say."""
    settings = read_settings(parse_server("oracle://scott@db1:1599/sales?addresses=db2,db3:1521,[fe80::1]"))
    assert settings.addresses == (
        HostPort("db1", 1599),
        HostPort("db2", 1599),
        HostPort("db3", 1521),
        HostPort("fe80::1", 1599),
    )
    descriptor = connect_descriptor(settings)
    assert descriptor.index("HOST=db1") < descriptor.index("HOST=db2") < descriptor.index("HOST=db3")


def test_encryption() -> None:
    """A wallet means TCPS at its own port; the certificate's name is compared unless told not to."""
    settings = read_settings(parse_server("oracle://scott@db1/sales?wallet=/w&certificate_dn=CN%3Ddb1"))
    assert (settings.is_encrypted, settings.addresses[0].port) == (True, 2484)
    descriptor = connect_descriptor(settings)
    assert '(SSL_SERVER_DN_MATCH=ON)(SSL_SERVER_CERT_DN="CN=db1")(MY_WALLET_DIRECTORY=/w)' in descriptor
    trusting = read_settings(parse_server("oracle://scott@db1/sales?protocol=tcps&trust=yes"))
    assert "(SSL_SERVER_DN_MATCH=OFF)" in connect_descriptor(trusting)


def test_proxy_user_and_external_sign_in() -> None:
    """A proxy user works as a schema; external sign-in has no user and needs no password."""
    proxy = parse_server("oracle://anna[strmadmin]@db1/sales")
    settings = read_settings(proxy)
    assert (settings.user, settings.schema, settings.login_name) == ("anna", "strmadmin", "anna[strmadmin]")
    assert needs_password(proxy)
    external = parse_server("oracle://db1/sales?sign_in=external")
    assert read_settings(external).sign_in is SignIn.EXTERNAL
    assert not needs_password(external)


def test_sysdba_only_when_asked_for() -> None:
    """SYS is refused, SYSDBA comes with a URL that asks for it in so many words."""
    with pytest.raises(BadInput, match="SYS works as SYSDBA only"):
        settings_of("oracle://sys@db1/sales")
    assert read_settings(parse_server("oracle://sys@db1/sales?as=sysdba")).is_sysdba
    assert not read_settings(parse_server("oracle://scott@db1/sales")).is_sysdba


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("oracle://scott@db1:1521", "say which database"),
        ("oracle://scott@db1?addresses=db2", "say which database"),
        ("oracle://scott@db1/sales?sid=ORCL", "not both"),
        ("oracle://db1/sales", "write oracle://user@"),
        ("oracle://scott@db1/sales?sign_in=external", "leave out the user"),
        ("oracle://db1/sales?sign_in=external&driver=thin", "needs an Oracle Client"),
        ("oracle://scott@db1/sales?colour=red", 'no option "colour"'),
        ("oracle://scott@db1/sales?driver=odbc", "thin, thick or cx_Oracle"),
        ("oracle://scott@db1/sales?as=god", "write sysdba"),
        ("oracle://scott@db1/sales?protocol=udp", "tcp or tcps"),
        ("oracle://scott@db1/sales?trust=maybe", "yes or no"),
        ("oracle://scott@db1/sales?login_timeout=0", "whole seconds"),
        ("oracle://scott@db1/sales?addresses=db2:99999", "each is host:port"),
        ("oracle://scott@db1/sales?addresses=db2)(x", "each is host:port"),
        ("oracle://scott@db1/sal(es)", "character no address has"),
        ('oracle://scott@db1/sales?protocol=tcps&certificate_dn=a")(b', "quote or a bracket"),
        ("oracle://scott@db1/sales?certificate_dn=CN%3Dx", "belong to protocol=tcps"),
        ("oracle://anna[x@db1/sales", "user[schema]"),
        ("oracle://scott@db1\\INST/sales", "no instance"),
        ("oracle://scott@db1/sales?sid=", "sid: it is empty"),
    ],
)
def test_what_cannot_be_used_is_said(text: str, complaint: str) -> None:
    """Each thing that is wrong has a sentence with the target in it."""
    with pytest.raises(BadInput) as caught:
        settings_of(text)
    assert complaint in str(caught.value)
    assert "oracle://" in str(caught.value)


def test_destination_is_named_in_the_source() -> None:
    """The other database is a whole URL or a saved name inside the source's, and survives being written and read."""
    source = parse_server("oracle://strmadmin@db1:1521/SRC")
    assert destination_of(source) == ""
    other = "oracle://apply@db2:1522/DST?driver=thick&client=/opt/client"
    both = with_destination(source, other)
    assert destination_of(parse_server(both.text)) == other
    assert read_settings(both) == read_settings(source)
    assert with_destination(both, "") == source
    assert destination_of(with_destination(source, "warehouse")) == "warehouse"


def test_opening_without_the_destination_it_names_is_refused() -> None:
    """Nothing is connected where half of the pipeline is missing, or a destination has one of its own."""
    source = with_destination(parse_server("oracle://a@db1/SRC"), "warehouse")
    with pytest.raises(BadInput, match="destination was not opened"):
        open_server(source, None, lambda _record: None)
    with pytest.raises(BadInput, match="leave that out"):
        open_server(source, None, lambda _record: None, source, None)


def test_key_leads_to_the_same_pipeline() -> None:
    """The key a journal keeps holds both databases, and no limits of this run."""
    url = with_destination(parse_server("oracle://a@db1/SRC?login_timeout=3&driver=thick"), "oracle://b@db2/DST")
    key = parse_server(target_key(url))
    assert destination_of(key) == "oracle://b@db2/DST"
    assert dict(key.options).keys() == {"driver", "destination"}


def test_forms_make_these_urls() -> None:
    """Both forms make a URL that reads as what was entered; what is usual is left out."""
    by_address, by_alias, _of_a_lab = CONNECTION_WAYS
    assert by_address.make_target is not None
    assert by_alias.make_target is not None
    values = {field.name: field.usual for field in by_address.fields}
    values |= {"host": "DB1", "database": "SRC", "user": "anna", "destination": "warehouse"}
    assert by_address.make_target(values) == "oracle://anna@db1/SRC?destination=warehouse"
    sid = {**values, "database_by": "sid", "port": "1599", "destination": "", "driver": "thick", "client": "/c"}
    made = read_settings(parse_server(by_address.make_target(sid)))
    assert (made.sid, made.driver, made.client) == ("SRC", DriverChoice.THICK, "/c")
    alias = {field.name: field.usual for field in by_alias.fields} | {"alias": "SRC", "user": "anna"}
    assert by_alias.make_target(alias) == "oracle://anna@src"


@pytest.mark.parametrize("values", [{}, {"host": "db1"}, {"host": "db1", "database": "S", "port": "x", "user": "a"}])
def test_incomplete_form_is_refused(values: dict[str, str]) -> None:
    """A form without a host, a database or a port that is one makes no URL."""
    for way in CONNECTION_WAYS[:2]:
        assert way.make_target is not None
        with pytest.raises(BadInput):
            way.make_target(values)


def test_url_of_another_reader() -> None:
    """Settings depend on the parts of a URL alone, not on how it was written."""
    url = ServerUrl("oracle", "scott", "db1", path="sales", options=(("driver", "CX_ORACLE"),))
    assert read_settings(url).driver is DriverChoice.CX_ORACLE
