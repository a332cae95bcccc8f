"""Logon with the 12C password verifier (O5LOGON): the server's verifier of a password, and both phases."""

import hashlib
import secrets
from typing import Final

from app.drivers.oracle.wire.fields import FieldReader, counted_twice, number

_ROUNDS: Final = 4096
_SESSION_ROUNDS: Final = 3
_VERIFIER_12C: Final = 0x4815
_BLOCK_BYTES: Final = 16
_KEY_BYTES: Final = 32
_SALTED: Final = b"AUTH_PBKDF2_SPEEDY_KEY"
_PROOF: Final = b"SERVER_TO_CLIENT"
_STATUS: Final = b"\x09\0\0"

Pairs = dict[str, bytes]


def read_pairs(reader: FieldReader) -> tuple[str, Pairs]:
    """Return the user's name and the keys of a logon request, whose function byte and number were read."""
    has_user = reader.u8()
    reader.skip("nn")  # length of the name, mode
    reader.u8()
    count = reader.number()
    reader.skip("bb")
    user = (reader.counted() or b"") if has_user else b""
    pairs = {}
    for _pair in range(count):
        key = reader.counted_twice().decode()
        pairs[key] = reader.counted_twice()
        reader.number()
    return user.decode(), pairs


def pairs_reply(pairs: dict[str, tuple[str, int]]) -> bytes:
    """Return the reply to a phase: keys with their values and flags."""
    told = b"".join(
        counted_twice(key.encode()) + counted_twice(value.encode()) + number(flags)
        for key, (value, flags) in pairs.items()
    )
    return b"\x08" + number(len(pairs)) + told + _STATUS


class Verifier:
    """A server's verifier of one password; made once, since its many rounds take a while on purpose."""

    def __init__(self, password: str) -> None:
        self._password = password.encode()
        self.salt = secrets.token_bytes(16)
        stretched = hashlib.pbkdf2_hmac("sha512", self._password, self.salt + _SALTED, _ROUNDS, 64)
        self.key = hashlib.sha512(stretched + self.salt).digest()[:_KEY_BYTES]

    def is_password(self, given: bytes) -> bool:
        """Tell whether it is the password."""
        return secrets.compare_digest(given, self._password)


class Logon:
    """One logon: the server's half of the session key, and the values that follow from the client's."""

    def __init__(self, verifier: Verifier) -> None:
        self._verifier = verifier
        self._half = secrets.token_bytes(_KEY_BYTES)
        self._salt = secrets.token_bytes(16)

    def challenge(self) -> bytes:
        """Return the reply to the first phase."""
        verifier = self._verifier
        return pairs_reply(
            {
                "AUTH_SESSKEY": (_encrypted(verifier.key, self._half).hex().upper(), 0),
                "AUTH_VFR_DATA": (verifier.salt.hex().upper(), _VERIFIER_12C),
                "AUTH_PBKDF2_CSK_SALT": (self._salt.hex().upper(), 0),
                "AUTH_PBKDF2_VGEN_COUNT": (str(_ROUNDS), 0),
                "AUTH_PBKDF2_SDER_COUNT": (str(_SESSION_ROUNDS), 0),
            }
        )

    def proof(self, answer: Pairs) -> str | None:
        """Return the server's proof to the client, None where the password is another."""
        try:
            theirs = _decrypted(self._verifier.key, bytes.fromhex(answer["AUTH_SESSKEY"].decode()))
            both = (theirs + self._half).hex().upper().encode()
            key = hashlib.pbkdf2_hmac("sha512", both, self._salt, _SESSION_ROUNDS, _KEY_BYTES)
            padded = _decrypted(key, bytes.fromhex(answer["AUTH_PASSWORD"].decode()))
        except (KeyError, ValueError):
            return None
        given = padded[_BLOCK_BYTES : len(padded) - padded[-1]]
        if not self._verifier.is_password(given):
            return None
        return _encrypted(key, secrets.token_bytes(_BLOCK_BYTES) + _PROOF).hex().upper()


def _encrypted(key: bytes, plain: bytes) -> bytes:
    encryptor = _cipher(key).encryptor()
    return bytes(encryptor.update(plain) + encryptor.finalize())


def _decrypted(key: bytes, encrypted: bytes) -> bytes:
    decryptor = _cipher(key).decryptor()
    return bytes(decryptor.update(encrypted) + decryptor.finalize())


def _cipher(key: bytes):  # type: ignore[no-untyped-def]  # a type of a library that is loaded late
    from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

    return Cipher(algorithms.AES(key), modes.CBC(bytes(_BLOCK_BYTES)))
