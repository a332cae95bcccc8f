"""What `--target` accepts is taken apart, and no password survives in it."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.connection import ServerUrl
from app.domain.errors import BadInput
from app.foundation.secret import decoded, holds_password, without_password
from app.services.target.target_spec import (
    LabSpec,
    RemoteLabSpec,
    is_lab,
    parse_server,
    parse_target,
    server_of,
    with_option,
)
from tests.secret_forms import FORMS, leaks


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("sqlserver://anna@db1", ServerUrl("sqlserver", "anna", "db1")),
        ("sqlserver://anna@DB1:1433", ServerUrl("sqlserver", "anna", "db1", 1433)),
        ("sqlserver://anna@db1,1433", ServerUrl("sqlserver", "anna", "db1", 1433)),
        (
            "sqlserver://@db1\\SALES?auth=windows",
            ServerUrl("sqlserver", "", "db1", None, "SALES", "", (("auth", "windows"),)),
        ),
        ("sqlserver://db1/?trust=yes", ServerUrl("sqlserver", "", "db1", options=(("trust", "yes"),))),
        ("sqlserver://anna@contoso.com@db1", ServerUrl("sqlserver", "anna@contoso.com", "db1")),
        ("sqlserver://CONTOSO%5Canna@db1", ServerUrl("sqlserver", "CONTOSO\\anna", "db1")),
        ("sqlserver://anna@[fe80::1]:1433", ServerUrl("sqlserver", "anna", "fe80::1", 1433)),
        ("oracle://anna@db2:1521/sales", ServerUrl("oracle", "anna", "db2", 1521, "", "sales")),
        (
            "sqlserver://a@h?server.PUB1=10.0.0.7,1433",
            ServerUrl("sqlserver", "a", "h", options=(("server.PUB1", "10.0.0.7,1433"),)),
        ),
    ],
)
def test_addresses_are_taken_apart(text: str, url: ServerUrl) -> None:
    """User, host, port, instance, path and options, in every spelling people use; written in one."""
    assert parse_target(text) == url
    assert parse_server(url.text) == url


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("sqlserver://anna@db1", "sqlserver://bob@DB1?trust=yes", True),
        ("sqlserver://@db1\\SALES?auth=windows", "sqlserver://sa@db1\\sales", True),
        ("sqlserver://anna@db1\\SALES", "sqlserver://anna@db1", False),
        ("sqlserver://anna@db1:1433", "sqlserver://anna@db1:1434", False),
        ("oracle://strmadmin@ora1/orcl", "oracle://other@ora1/ORCL?source=x", True),
        ("oracle://strmadmin@ora1/orcl", "oracle://strmadmin@ora1/other", False),
        ("lab@127.0.0.1:5000", "lab@localhost:5000?driver=freetds", True),
        ("lab:wan-512k", "lab", False),
        ("of a newer program", "of a newer program", True),
    ],
)
def test_one_server_is_known_under_every_login(one: str, other: str, same: bool) -> None:
    """What was left changed under one login is not taken for the original under another."""
    assert (server_of(one) == server_of(other)) is same


def test_labs_are_told_from_servers() -> None:
    """Only the lab is simulated; a server never counts as one."""
    assert parse_target("lab:wan") == LabSpec("wan")
    assert parse_target("lab@localhost:51433") == RemoteLabSpec("127.0.0.1", 51433)
    options = (("driver", "freetds"), ("statement_timeout", "1"))
    assert parse_target("lab@127.0.0.1:1433?statement_timeout=1&driver=freetds") == RemoteLabSpec(
        "127.0.0.1", 1433, options
    )
    assert is_lab("lab@127.0.0.1:1433")
    assert is_lab("lab@127.0.0.1:1433?driver=freetds")
    assert not is_lab("sqlserver://anna@127.0.0.1:1433")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("nonsense", "the name of a saved target"),
        ("lab@10.0.0.1:1433", "unknown target"),
        ("lab@127.0.0.1:1433?driver", "each option is written once"),
        ("lab@127.0.0.1:1433?pwd=x", "holds no password"),
        ("nonsense", "oracle://user@host:port/service"),
        ("sqlserver://anna@db1:abc", "a port is a whole number from 1 to 65535"),
        ("sqlserver://anna@db1:", "a port is a whole number from 1 to 65535"),
        ("sqlserver://", "names no host"),
        ("sqlserver://anna@", "names no host"),
        ("sqlserver://anna@a b", "names no host"),
        ("sqlserver://anna@host:0", "from 1 to 65535"),
        ("sqlserver://anna@host:99999", "from 1 to 65535"),
        ("SQLSERVER//x://y", "no address of a server"),
        ("sqlserver://a@h?trust", "each option is written once"),
        ("sqlserver://a@h?trust=yes&trust=no", "each option is written once"),
        ("sqlserver://a@h#x", "no address of a server"),
    ],
)
def test_what_is_no_target_says_how_to_write_one(text: str, says: str) -> None:
    """Each misspelling is one sentence."""
    with pytest.raises(BadInput, match=says):
        parse_target(text)


@pytest.mark.parametrize("form", sorted(set(FORMS) - {"in a number"}))  # what a number is, each engine knows
def test_a_password_in_a_target_is_refused_and_not_repeated(form: str) -> None:
    """A target is written to files and shown on screens; whoever puts a password into one is told, without it."""
    with pytest.raises(BadInput) as caught:
        parse_target(FORMS[form])
    assert not leaks(str(caught.value))
    assert not leaks(without_password(FORMS[form], is_address=True))


@given(
    st.text(min_size=1).filter(lambda user: not set(":/") & set(decoded(user))),
    st.text().filter(lambda value: "://" not in value and not holds_password(value)),
    st.sampled_from(["h", "h.example", "10.0.0.1", "::1"]),
)
def test_any_user_and_option_come_back_as_they_were(user: str, value: str, host: str) -> None:
    """Whatever a name holds, the address in its one spelling means the same login and options."""
    url = ServerUrl("sqlserver", user, host, 1433, options=(("certificate_host", value),))
    assert parse_server(url.text) == url
    assert parse_server(url.login).user == user


@given(st.text())
def test_any_text_is_a_target_or_one_sentence(text: str) -> None:
    """Nothing a person types ends in anything else than a target or a sentence."""
    with contextlib.suppress(BadInput):
        parse_target(text)
    assert isinstance(without_password(text), str)


def test_bytes_that_are_no_text_are_refused() -> None:
    """What a shell passes on as it came could not be written to any file."""
    with pytest.raises(BadInput, match="no address of a server"):
        parse_target("sqlserver://\udcff@db1")


@pytest.mark.parametrize(
    ("target", "said"),
    [
        ("sqlserver://anna@db1?trust=yes", "sqlserver://anna@db1?database=Distribution%20Archiv&trust=yes"),
        ("sqlserver://db1?database=other", "sqlserver://db1?database=Distribution%20Archiv"),
        ("lab@127.0.0.1:51433", "lab@127.0.0.1:51433?database=Distribution%20Archiv"),
        ("lab:on-site", "lab:on-site"),
    ],
)
def test_an_option_is_said_in_place_of_what_was_said_before(target: str, said: str) -> None:
    """What is written reads back as it was meant."""
    assert with_option(target, "database", "Distribution Archiv") == said
    spec = parse_target(said)
    assert isinstance(spec, LabSpec) or dict(spec.options)["database"] == "Distribution Archiv"
