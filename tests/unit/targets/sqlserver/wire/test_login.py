"""Prelogin and login: read as drivers write them, refused where they are cut or point outside."""

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.drivers.sqlserver.wire.login import Encryption, answer_encryption, parse_login, parse_prelogin, prelogin_answer
from app.drivers.sqlserver.wire.reading import Malformed
from tests.unit.targets.sqlserver.wire.client import PRELOGIN_PLAIN, login_payload


@pytest.mark.parametrize("wish", list(Encryption))
def test_wish_for_encryption_is_read(wish: Encryption) -> None:
    """The server reads back what its own answer says."""
    assert parse_prelogin(prelogin_answer((16, 0, 4125), wish)) is wish


def test_client_that_says_nothing_wants_no_encryption() -> None:
    """A prelogin without the option is one of a client that cannot encrypt."""
    assert parse_prelogin(b"\xff") is Encryption.NOT_SUPPORTED


@pytest.mark.parametrize(
    ("wish", "answer"),
    [
        (Encryption.OFF, Encryption.OFF),
        (Encryption.ON, Encryption.ON),
        (Encryption.NOT_SUPPORTED, Encryption.NOT_SUPPORTED),
        (Encryption.REQUIRED, Encryption.ON),
    ],
)
def test_server_gives_the_encryption_that_is_wished_for(wish: Encryption, answer: Encryption) -> None:
    """With a certificate the wish is granted, without one nothing is encrypted."""
    assert answer_encryption(wish, has_certificate=True) is answer
    assert answer_encryption(wish, has_certificate=False) is Encryption.NOT_SUPPORTED


@pytest.mark.parametrize("payload", ["", "0100", "0100060001", "0100400001ff", "0100060001ff09", "0100060000ff"])
def test_faulty_prelogin_is_malformed(payload: str) -> None:
    """One that is cut, points outside of itself, or wants something unknown is refused."""
    with pytest.raises(Malformed):
        parse_prelogin(bytes.fromhex(payload))


@given(user=st.text(max_size=40), password=st.text(max_size=40), database=st.text(max_size=40))
def test_login_gives_its_texts(user: str, password: str, database: str) -> None:
    """User, password and database arrive whatever their characters, and the password shows in no picture of them."""
    login = parse_login(login_payload(user, password, database))
    assert (login.user, login.password, login.database) == (user, password, database)
    assert "password" not in repr(login)


def test_login_whose_texts_begin_where_older_versions_have_them_is_read() -> None:
    """DB-Library, and pymssql on top of it, says TDS 7.4 and leaves the last eight bytes of the fixed part out."""
    payload = bytearray(login_payload("somebody", "secret", "msdb"))
    del payload[86:94]
    for at in (0, *range(36, 72, 4)):
        layout = "<I" if at == 0 else "<H"
        (place,) = struct.unpack_from(layout, payload, at)
        struct.pack_into(layout, payload, at, place - 8)
    login = parse_login(bytes(payload))
    assert (login.user, login.password, login.database) == ("somebody", "secret", "msdb")


@pytest.mark.parametrize(("asked", "used"), [(0, 4096), (100, 512), (8192, 8192), (10_000_000, 32_767)])
def test_packet_size_is_kept_within_limits(asked: int, used: int) -> None:
    """No size means the default one, an impossible one the nearest possible."""
    assert parse_login(login_payload(size=asked)).packet_bytes == used


@pytest.mark.parametrize("size", [0, 35, 85, 100])
def test_truncated_login_is_malformed(size: int) -> None:
    """A login shorter than it says is refused."""
    with pytest.raises(Malformed):
        parse_login(login_payload()[:size])


def test_login_that_points_outside_is_malformed() -> None:
    """A text beyond the message, or within its fixed part, is refused."""
    for offset, characters in ((80, 5), (94, 60_000), (65_535, 65_535)):
        payload = bytearray(login_payload())
        struct.pack_into("<HH", payload, 40, offset, characters)
        with pytest.raises(Malformed):
            parse_login(bytes(payload))


@given(noise=st.binary(max_size=300))
def test_noise_is_a_login_or_malformed(noise: bytes) -> None:
    """Whatever bytes come, parsing ends in a value or in the one error that closes the connection."""
    for parse in (parse_prelogin, parse_login):
        try:
            parse(noise)
        except Malformed:
            continue
    assert parse_prelogin(PRELOGIN_PLAIN) is Encryption.NOT_SUPPORTED
