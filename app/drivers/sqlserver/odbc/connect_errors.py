"""The reason of a failed connection, as one sentence that names the server and the remedy."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from app.domain.errors import ConnectionLost, LoginFailed, NotTrusted, StatementTimeout, TargetError, Unsupported
from app.drivers.sqlserver.errors import (
    OF_SYBASE,
    OPEN_ELSEWHERE,
    ConnectError,
    DatabaseUnavailable,
    ServerNotReached,
    SqlError,
    to_target_error,
)
from app.drivers.sqlserver.odbc.reaching import SQL_PORT, Reached, reach
from app.drivers.sqlserver.odbc.settings import ConnectionSettings, Encryption, ServerAddress, SignIn
from app.foundation.secret import Secret
from app.foundation.texts import _

Reach = Callable[[str, int], Reached]


@dataclass(frozen=True)
class Attempt:
    """One try to connect.

    Attributes:
        server: name of the server in the topology, or its address where it has not told its name.
        driver: label of the driver used.
        tells_encryption: the driver says so where a server refuses to encrypt.
    """

    server: str
    address: ServerAddress
    database: str
    driver: str
    settings: ConnectionSettings
    tells_encryption: bool = True


@dataclass(frozen=True)
class _Told:
    """A cause that stands in the driver's text: part of it in lower case, the error it is, and the sentence."""

    part: re.Pattern[str]
    kind: type[TargetError]
    sentence: Callable[[], str]


def connect_error(error: SqlError, attempt: Attempt, password: Secret | None, reached: Reach = reach) -> ConnectError:
    """Return the error for a failed try to connect.

    Args:
        error: as the driver told it; its text never shows the password.
        reached: looks whether the address answers at all; asked only where the driver does not say enough.
    """
    records = [SqlError(r.number, _scrubbed(r.text, password), r.state, r.native) for r in (error, *error.others)]
    cause, (kind, sentence) = _meaning(records, attempt, reached)
    where = attempt.address.label if attempt.server == attempt.address.label else _named(attempt)
    filled = (sentence.replace(": {text}", "") if OF_SYBASE in cause.text else sentence).format(
        where=where,
        host=attempt.address.host,
        port=attempt.address.port or SQL_PORT,
        instance=attempt.address.instance,
        user=attempt.settings.user,
        database=attempt.database,
        driver=attempt.driver,
        limit=attempt.settings.login_limit_s,
        number=cause.number,
        text=cause.text,
    )
    return ConnectError(kind, filled, cause)


def _named(attempt: Attempt) -> str:
    return _("{server} at {address}").format(server=attempt.server, address=attempt.address.label)


def _meaning(
    records: Sequence[SqlError], attempt: Attempt, reached: Reach
) -> tuple[SqlError, tuple[type[TargetError], str]]:
    """Return the record that tells the cause, and what it means: by numbers first, then by words, then by states."""
    for tells in (_of_number, _of_native, _of_words, _of_state):
        for record in records:
            meaning = tells(record, attempt)
            if meaning is not None:
                return record, meaning
    closed = next((record for record in records if record.native in _CLOSED_BY_OTHER), None)
    return closed or records[0], _of_network(attempt, reached, is_closed=closed is not None)


def _of_native(error: SqlError, _attempt: Attempt) -> tuple[type[TargetError], str] | None:
    """Read the driver's own number, which is the same in every language."""
    if error.native == _NO_ENCRYPTION and error.state == "08001":
        return ServerNotReached, _no_encryption()
    of_windows = _WINDOWS.get(error.native & _UNSIGNED)
    return None if of_windows is None else of_windows(_is_tls(error.text.casefold()))


def _of_words(error: SqlError, _attempt: Attempt) -> tuple[type[TargetError], str] | None:
    lowered = error.text.casefold()
    return next(((told.kind, told.sentence()) for told in _TOLD if told.part.search(lowered)), None)


def _of_state(error: SqlError, attempt: Attempt) -> tuple[type[TargetError], str] | None:
    if error.state == "28000":
        return LoginFailed, _login(attempt)
    if error.state in _NO_DRIVER_STATES:
        return Unsupported, _no_driver()
    if _is_tls(error.text.casefold()):
        return ServerNotReached, _no_tls()
    if error.state == "42000" and error.number == 0:  # mssql-python tells no number while connecting
        return DatabaseUnavailable, _database()
    return None


def _of_number(error: SqlError, attempt: Attempt) -> tuple[type[TargetError], str] | None:
    if error.number in _LOGIN_NUMBERS:
        return LoginFailed, _LOGIN_NUMBERS[error.number]()
    if error.number == 0:
        return None
    kind = type(to_target_error(error, "", "", ""))
    if error.number == OPEN_ELSEWHERE:
        return kind, _closed()
    if kind is LoginFailed:
        return kind, _login(attempt)
    if kind is DatabaseUnavailable:
        return kind, _database()
    if kind in (ConnectionLost, StatementTimeout):
        return None  # numbers of the network, which say less than a look at it
    return TargetError, _("{where} refused the connection with error {number}: {text}")


def _of_network(attempt: Attempt, reached: Reach, *, is_closed: bool) -> tuple[type[TargetError], str]:
    address = attempt.address
    if address.instance and address.port is None:
        if reached(address.host, SQL_PORT) is Reached.UNKNOWN_HOST:
            return ServerNotReached, _unknown_host()
        return ServerNotReached, _instance()
    reach = reached(address.host, address.port or SQL_PORT)
    return ServerNotReached, _of_answer(attempt, is_closed=is_closed) if reach is Reached.ANSWERS else _NETWORK[reach]()


def _of_answer(attempt: Attempt, *, is_closed: bool) -> str:
    """Return the sentence on a server that listens and did not answer as SQL Server."""
    if attempt.settings.encryption is Encryption.STRICT:
        return _no_strict()
    if attempt.settings.encryption is not Encryption.NO and not attempt.tells_encryption:
        return _no_answer_or_encryption()
    return _closed_in_handshake() if is_closed else _NETWORK[Reached.ANSWERS]()


def _scrubbed(text: str, password: Secret | None) -> str:
    """No driver is known to repeat a password; one that does must not have it shown."""
    value = password.reveal() if password is not None else ""
    if value:
        text = re.sub(rf"(?<!\w){re.escape(value)}(?!\w)", "***", text)
    return " ".join(text.split()).rstrip(".")


def _login(attempt: Attempt) -> str:
    if attempt.settings.sign_in is SignIn.WINDOWS:
        return _("{where} refused this computer's account: {text}; ask its DBA for a login, or use another sign-in")
    return _('{where} refused user "{user}": {text}; check user name, password and sign-in')


def _database() -> str:
    return _(
        'database "{database}" cannot be opened at {where}: {text}; '
        "it is offline, being restored, missing, or this login is no user of it"
    )


def _closed() -> str:
    return _(
        'database "{database}" is closed to connections at {where}: {text}; connect to the server where it is open, or '
        "to an address that leads there"
    )


def _unknown_host() -> str:
    return _('there is no host "{host}" ({where}); check the name, and that this computer is in its network or VPN')


def _instance() -> str:
    return _(
        'instance "{instance}" was not found at {host}; check its name and that SQL Server Browser runs there '
        "(UDP 1434 must be open), or give its port"
    )


def _no_answer_or_encryption() -> str:
    return _(
        "what listens at {host}, port {port} ({where}) did not answer as SQL Server ({limit} s are allowed): {text}; "
        "check the port, that the server is not overloaded, and that it offers encryption ({driver} does not tell; "
        "encrypt=no connects without)"
    )


def _closed_in_handshake() -> str:
    return _(
        "what listens at {host}, port {port} ({where}) closed the connection in the handshake: {text}; check that "
        "it is SQL Server's port, which TLS both allow, and that no firewall on the way cuts connections"
    )


def _no_encryption() -> str:
    return _(
        "{where} offers no encryption; have it enabled there, or connect without (encrypt=no), "
        "which shows everything to whoever listens on the network"
    )


def _no_authority() -> str:
    return _(
        "Windows here could not reach the authority that proves who you are (LSA): {text}; sign in to the domain of "
        "{where} with a line to its controller, or use SQL sign-in"
    )


def _clock_apart() -> str:
    return _(
        "the clock of this computer is too far from that of the domain of {where}: {text}; set it right, or use SQL "
        "sign-in"
    )


def _not_checked() -> str:
    return _(
        "whether the certificate of {where} was revoked cannot be checked from here: {text}; let this computer reach "
        "its authority, or trust the certificate unverified (trust=yes), which the report then states"
    )


def _no_strict() -> str:
    return _(
        "what listens at {host}, port {port} ({where}) refused encrypt=strict: {text}; only SQL Server 2022 and later "
        "know it, with a certificate set up; leave it out"
    )


_NETWORK: Final[dict[Reached, Callable[[], str]]] = {
    Reached.UNKNOWN_HOST: _unknown_host,
    Reached.REFUSED: lambda: _(
        "nothing listens at {host}, port {port} ({where}); check the port, that SQL Server runs and TCP/IP is enabled"
    ),
    Reached.SILENT: lambda: _(
        "{host}, port {port} does not answer ({where}); check the address and the firewalls on the way"
    ),
    Reached.ANSWERS: lambda: _(
        "what listens at {host}, port {port} ({where}) did not answer as SQL Server ({limit} s are allowed): {text}; "
        "check the port, and that the server is not starting or overloaded"
    ),
}

_LOGIN_NUMBERS: Final[dict[int, Callable[[], str]]] = {
    18451: lambda: _("only administrators may connect to {where} now; try again later"),
    18452: lambda: _(
        "{where} does not trust the domain of this computer's account; use SQL sign-in, or a computer of its domain"
    ),
    18461: lambda: _("{where} is in single-user mode and somebody else is connected; try again later"),
    18470: lambda: _('login "{user}" is disabled at {where}; ask its DBA to enable it'),
    18486: lambda: _('login "{user}" is locked at {where}; ask its DBA to unlock it'),
    18487: lambda: _('the password of "{user}" has expired at {where}; set a new one with SQL Server\'s own tools'),
    18488: lambda: _('the password of "{user}" must be changed at {where}; set a new one with SQL Server\'s own tools'),
}


def _untrusted() -> str:
    return _(
        "the certificate of {where} is not trusted by this computer; install its authority's "
        "certificate here, or trust it unverified (trust=yes), which the report then states"
    )


def _expired() -> str:
    return _("the certificate of {where} has expired; have it renewed, or choose to trust it (trust=yes)")


def _other_name() -> str:
    return _(
        "the certificate of {where} is made out to another name; connect by that name, or give it "
        "(certificate_host=NAME)"
    )


def _old_tls() -> str:
    return _(
        "{where} speaks only an old TLS this computer refuses: {text}; have TLS 1.2 enabled there by an update "
        "of SQL Server"
    )


def _no_tls() -> str:
    return _(
        "this computer and {where} could not agree on encryption: {text}; check its certificate, that you connect by "
        "the name in it, and which TLS both allow"
    )


def _no_account() -> str:
    return _(
        "this computer has no Windows account {where} could know: {text}; sign in to the domain, or use SQL sign-in"
    )


def _other_spn() -> str:
    return _(
        "{where} runs under another account than its service principal name (SPN) is registered for: {text}; have the "
        "domain's administrator register it for that account (setspn), give the right one with spn=, or use SQL sign-in"
    )


def _no_driver() -> str:
    return _("driver {driver} cannot be loaded: {text}; install it, or choose another one with driver=")


def _is_tls(lowered: str) -> bool:
    """Tell whether a driver's text, in any language, is of its "SSL Provider" ("SSL-Anbieter", …)."""
    return "ssl" in lowered


# The driver's own number for a server that cannot encrypt, with state 08001.
_NO_ENCRYPTION: Final = 20
# The other side closed the connection: WSAECONNABORTED, WSAECONNRESET (also on Linux), ECONNRESET of Linux and macOS.
_CLOSED_BY_OTHER: Final = frozenset({10053, 10054, 104, 54})
_UNSIGNED: Final = 0xFFFF_FFFF

Meaning = tuple[type[TargetError], str]


def _certificate(sentence: Callable[[], str]) -> Callable[[bool], Meaning]:
    return lambda _is_tls: (NotTrusted, sentence())


# What Windows tells a driver, whose texts are in Windows' language; the same name check fails for a certificate and for
# the name a service is registered under, which the driver's part that reports it tells apart. Numbers: winerror.h, as
# https://learn.microsoft.com/en-us/windows/win32/com/com-error-codes-4 has them; the SPN:
# https://learn.microsoft.com/en-us/troubleshoot/sql/database-engine/connect/cannot-generate-sspi-context-error
_WINDOWS: Final[dict[int, Callable[[bool], Meaning]]] = {
    0x80090325: _certificate(_untrusted),  # SEC_E_UNTRUSTED_ROOT
    0x80090327: _certificate(_untrusted),  # SEC_E_CERT_UNKNOWN
    0x800B0109: _certificate(_untrusted),  # CERT_E_UNTRUSTEDROOT
    0x800B010A: _certificate(_untrusted),  # CERT_E_CHAINING
    0x80090328: _certificate(_expired),  # SEC_E_CERT_EXPIRED
    0x800B0101: _certificate(_expired),  # CERT_E_EXPIRED
    0x800B010F: _certificate(_other_name),  # CERT_E_CN_NO_MATCH
    0x80090322: lambda is_tls: (
        (NotTrusted, _other_name()) if is_tls else (LoginFailed, _other_spn())
    ),  # SEC_E_WRONG_PRINCIPAL
    0x80090303: lambda _is_tls: (LoginFailed, _other_spn()),  # SEC_E_TARGET_UNKNOWN
    0x8009030E: lambda _is_tls: (LoginFailed, _no_account()),  # SEC_E_NO_CREDENTIALS
    0x80090311: lambda _is_tls: (LoginFailed, _no_account()),  # SEC_E_NO_AUTHENTICATING_AUTHORITY
    0x80090331: lambda _is_tls: (ServerNotReached, _old_tls()),  # SEC_E_ALGORITHM_MISMATCH
    0x80090326: lambda _is_tls: (ServerNotReached, _no_tls()),  # SEC_E_ILLEGAL_MESSAGE
    0x80090304: lambda is_tls: (
        (ServerNotReached, _no_tls()) if is_tls else (LoginFailed, _no_authority())
    ),  # SEC_E_INTERNAL_ERROR: the LSA cannot be contacted
    0x80090324: lambda _is_tls: (LoginFailed, _clock_apart()),  # SEC_E_TIME_SKEW
    0x80090349: _certificate(_untrusted),  # SEC_E_CERT_WRONG_USAGE
    0x800B0112: _certificate(_untrusted),  # CERT_E_UNTRUSTEDCA
    0x80092012: _certificate(_not_checked),  # CRYPT_E_NO_REVOCATION_CHECK
    0x80092013: _certificate(_not_checked),  # CRYPT_E_REVOCATION_OFFLINE
}

_TOLD: Final = (
    _Told(re.compile(r"certificate.*expired|expired.*certificate"), NotTrusted, _expired),
    _Told(
        re.compile(
            r"network interfaces: the target principal name is incorrect|cannot generate sspi context.*principal"
        ),
        LoginFailed,
        _other_spn,
    ),
    _Told(
        re.compile(r"hostname mismatch|target principal name is incorrect|subject name|host name.*certificate"),
        NotTrusted,
        _other_name,
    ),
    _Told(
        re.compile(r"certificate verify failed|self-signed|not trusted|issued by an authority|certificate mismatch"),
        NotTrusted,
        _untrusted,
    ),
    _Told(
        re.compile(r"encryption not supported|does not support encryption|encryption is not supported"),
        ServerNotReached,
        _no_encryption,
    ),
    _Told(
        re.compile(r"unsupported protocol|no protocols available|wrong version number|legacy sigalg|dh key too small"),
        ServerNotReached,
        _old_tls,
    ),
    _Told(
        re.compile(r"can't open lib|driver could not be loaded|no default driver|data source name not found"),
        Unsupported,
        _no_driver,
    ),
    _Told(re.compile(r"sspi|gssapi|kerberos|no credentials"), LoginFailed, _no_account),
    _Told(
        re.compile(r"authentication option|\b(?:azure|entra|aad\w*|msal|adal)\b"),
        LoginFailed,
        lambda: _("Entra sign-in to {where} failed: {text}; check user, tenant, and that the method is allowed"),
    ),
    _Told(
        re.compile(r"locating server/instance|\[xffffffff\]|server is not found or not accessible.*instance"),
        ServerNotReached,
        _instance,
    ),
)
_NO_DRIVER_STATES: Final = frozenset({"IM002", "IM003", "IM004"})


def refuse_old(version: str, attempt: Attempt) -> ConnectError | None:
    """Return the problem with a server of this version, None where there is none, or it told none."""
    major = version.split(".")[0]
    if not major.isdigit() or int(major) >= _OLDEST_MAJOR:
        return None
    sentence = _("{where} is SQL Server version {version}; this program needs SQL Server 2012 (11.0) or later").format(
        where=attempt.address.label, version=version
    )
    return ConnectError(Unsupported, sentence, SqlError(0, f"version {version}", "HYC00"))


_OLDEST_MAJOR: Final = 11  # SQL Server 2012, the oldest the statements' headers name
