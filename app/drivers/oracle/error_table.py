"""Error codes of Oracle and its drivers: the product's own error for each, and a sentence with the remedy."""

from collections.abc import Callable
from typing import Final

from app.domain.errors import (
    Blocked,
    ConnectionLost,
    Deadlock,
    LoginFailed,
    PermissionDenied,
    ProcessDidNotRespond,
    ShortOfResources,
    StatementCancelled,
    StatementTimeout,
    TargetError,
    Unsupported,
)
from app.foundation.texts import _


class ConnectFailed(TargetError):
    """No connection came about; nothing was sent."""


class DriverMissing(Unsupported):
    """A driver or client library this machine lacks."""


# Sources: oracle/python-oracledb doc/src/user_guide/troubleshooting.rst, connection_handling.rst, appendix_c.rst and
# src/oracledb/errors.py (DPY-), odpi/src/dpiErrorMessages.c (DPI-); Oracle Database Error Messages (ORA-, TNS-).
Sentence = Callable[[], str]
Entry = tuple[type[TargetError], Sentence]


def _login() -> str:
    return _("{server} refused the login; check user name and password, upper and lower case matter")


def _locked() -> str:
    return _("{server} has locked this account; have a DBA unlock it (ALTER USER ... ACCOUNT UNLOCK)")


def _expired() -> str:
    return _("the password of this account at {server} has expired; set a new one with another client first")


def _no_session() -> str:
    return _("this login may not connect to {server}; grant it: CREATE SESSION")


def _sysdba() -> str:
    return _("{server} lets this account in as SYSDBA only; use an ordinary account with the privileges doctor names")


def _verifier() -> str:
    return _(
        "the account at {server} has only an old password verifier (10G) that thin mode does not know; "
        "have its password set again, or use a client library (driver=thick)"
    )


def _service() -> str:
    return _(
        "the listener at {server} knows no such service; look at `lsnrctl services` there, or give the SID with ?sid="
    )


def _sid() -> str:
    return _("the listener at {server} knows no such SID; give a service name instead, host:port/service")


def _no_handler() -> str:
    return _("the listener at {server} has no free handler for this service; the instance is starting, full or down")


def _refused() -> str:
    return _("nothing listens at {server}; check host and port, and that the listener runs")


def _host() -> str:
    return _("the host of {server} is unknown here; check its spelling and the name resolution of this machine")


def _connect_timeout() -> str:
    return _("{server} did not answer in time; check host, port and firewalls in between")


def _dropped() -> str:
    return _("{server} broke off while connecting; check that an Oracle listener answers at this port, and its log")


def _listener() -> str:
    return _("the listener at {server} refused the connection: {text}; look at its log")


def _alias() -> str:
    return _("the TNS alias of {server} is in no tnsnames.ora; give its folder with ?tns_admin= or TNS_ADMIN")


def _connect_string() -> str:
    return _("the connect string of {server} cannot be read; give oracle://user@host:port/service")


def _wallet() -> str:
    return _(
        "the wallet for {server} is missing or cannot be opened; give its folder with ?wallet= "
        "(thin mode needs ewallet.pem, a client library cwallet.sso) and its password if it has one"
    )


def _tls() -> str:
    return _(
        "the encrypted connection to {server} failed; check that the port speaks TCPS and whose certificate it shows"
    )


def _too_old() -> str:
    return _(
        "{server} is older than 12.1, which thin mode cannot reach; use driver=thick with an Oracle Client "
        "(12.1 for 10.2 and later, 11.2 for 9.2 and later) and give its folder with ?client="
    )


def _client_too_old() -> str:
    return _("the Oracle Client here and {server} do not work together; 12.1 reaches 10.2 and later, 19 reaches 11.2")


def _encryption() -> str:
    return _(
        "{server} asks for Oracle's own network encryption, which thin mode does not have; "
        "use driver=thick with an Oracle Client"
    )


def _client_library() -> str:
    return _(
        "no Oracle Client library was found; unpack Oracle Instant Client Basic (12.1 for databases before 11.2, "
        "else 19; same word size as this program) into a folder of your own and give it with ?client="
    )


def _client_clash() -> str:
    return _("the Oracle Client library could not be prepared; check that ?client= names the folder of its libraries")


def _credentials() -> str:
    return _("no user name or password was given for {server}; write oracle://user@... and enter the password")


def _permission() -> str:
    return _('this login may not run "{statement}" at {server}; grant it: {permission}')


def _unsupported() -> str:
    return _(
        '{server} cannot run "{statement}": {text}; its version may lack the object, or the login may not see it '
        "({permission})"
    )


def _deadlock() -> str:
    return _('{server} ended "{statement}" as a deadlock victim; run it again')


def _timeout() -> str:
    return _('"{statement}" took longer than its limit at {server}; the server is busy, or something blocks it')


def _cancelled() -> str:
    return _('"{statement}" was cancelled at {server}')


def _lost() -> str:
    return _('the connection to {server} broke during "{statement}"; check the network and that the instance is up')


def _starting() -> str:
    return _("the instance at {server} is starting or shutting down; wait until it is open")


def _will_not_stop() -> str:
    return _('{server} could not stop the process for "{statement}" now: {text}; wait and look at its state')


def _parameter() -> str:
    return _('{server} does not take this parameter or value ("{statement}"): {text}')


def _space() -> str:
    return _('{server} ran out of space for "{statement}": {text}')


def _short() -> str:
    return _('{server} could not go on with "{statement}" at that moment: {text}')


def _other() -> str:
    return _('"{statement}" failed at {server}: {text}')


DRIVER_ENDED: Final = "DRIVER-ENDED"


def _ended() -> str:
    return _(
        'the process of the Oracle driver ended during "{statement}" at {server}, so the connection is lost; '
        "if it happens again, try another Oracle Client"
    )


def _no_oracledb() -> str:
    return _("python-oracledb is not installed; install it: pip install 'oracledb>=3.4.2,<4'")


def _no_cx_oracle() -> str:
    return _(
        "cx_Oracle is not installed; install it: pip install --no-build-isolation 'setuptools<75' cx_Oracle==8.3.0 "
        "(up to Python 3.11), or leave out driver=cx_Oracle and use python-oracledb"
    )


ENTRIES: Final[dict[str, Entry]] = {}


def _say(kind: type[TargetError], sentence: Sentence, *codes: str) -> None:
    ENTRIES.update(dict.fromkeys(codes, (kind, sentence)))


_say(LoginFailed, _login, "ORA-01017", "ORA-01005", "ORA-28010")
_say(LoginFailed, _locked, "ORA-28000")
_say(LoginFailed, _expired, "ORA-28001", "ORA-28002", "ORA-28011")
_say(LoginFailed, _no_session, "ORA-01045")
_say(LoginFailed, _sysdba, "ORA-28009")
_say(LoginFailed, _verifier, "DPY-3015", "ORA-28040")
_say(LoginFailed, _credentials, "DPY-4001", "ORA-01004", "ORA-12638")
_say(ConnectFailed, _service, "ORA-12514", "DPY-6001", "ORA-12504", "TNS-12514")
_say(ConnectFailed, _sid, "ORA-12505", "DPY-6003", "TNS-12505")
_say(ConnectFailed, _no_handler, "ORA-12516", "ORA-12519", "ORA-12520", "ORA-12528", "ORA-12526", "ORA-12527")
_say(ConnectFailed, _refused, "ORA-12541", "ORA-12533", "TNS-12541")
_say(ConnectFailed, _host, "ORA-12545", "ORA-12543")
_say(ConnectFailed, _connect_timeout, "ORA-12170", "ORA-12535", "ORA-12606", "ORA-12609", "ORA-12571")
_say(ConnectFailed, _dropped, "DPY-6005", "DPY-5006", "ORA-12537", "ORA-12547", "ORA-12569")
_say(ConnectFailed, _listener, "DPY-6000")
_say(ConnectFailed, _alias, "ORA-12154", "DPY-4000", "DPY-4026", "DPY-4027", "TNS-03505")
_say(ConnectFailed, _connect_string, "DPY-4018", "DPY-4017", "DPY-4021")
_say(ConnectFailed, _wallet, "DPY-2018", "ORA-28759", "ORA-28750", "ORA-28864", "ORA-29024")
_say(ConnectFailed, _tls, "ORA-29002", "ORA-28860", "ORA-28862", "ORA-12560", "DPY-6002", "DPY-6006")
_say(Unsupported, _too_old, "DPY-3010", "ORA-03134")
_say(Unsupported, _client_too_old, "DPI-1050", "ORA-28041", "ORA-03137")
_say(Unsupported, _encryption, "DPY-3001", "ORA-12660")
_say(DriverMissing, _client_library, "DPI-1047")
_say(DriverMissing, _client_clash, "DPI-1072", "DPY-2019", "DPY-2017")
_say(PermissionDenied, _permission, "ORA-01031", "ORA-01749", "ORA-26723", "ORA-23327")
_say(Unsupported, _unsupported, "ORA-00904", "ORA-00942", "ORA-04043", "ORA-06550", "PLS-00201", "ORA-00439")
_say(ConnectionLost, _ended, DRIVER_ENDED)
_say(DriverMissing, _no_oracledb, "IMPORT-oracledb")
_say(DriverMissing, _no_cx_oracle, "IMPORT-cx_Oracle")
_say(Deadlock, _deadlock, "ORA-00060")
_say(StatementTimeout, _timeout, "DPY-4024", "DPI-1067", "ORA-03136")
_say(Blocked, _timeout, "ORA-00054", "ORA-30006", "ORA-04021")
# A reading's snapshot or library object went while it ran (1555, 8103, 4068), or memory was short (4030, 4031).
_say(ShortOfResources, _short, "ORA-01555", "ORA-04030", "ORA-04031", "ORA-04068", "ORA-08103")
_say(StatementCancelled, _cancelled, "ORA-01013")
_say(
    ConnectionLost,
    _lost,
    *("ORA-00028", "ORA-01012", "ORA-02396", "ORA-02399", "ORA-03113", "ORA-03114", "ORA-03135"),
    *("ORA-12153", "ORA-25408", "DPY-1001", "DPI-1010", "DPY-4011", "DPY-4033", "DPI-1080"),
)
_say(ConnectFailed, _starting, "ORA-01033", "ORA-01034", "ORA-01089", "ORA-01090", "ORA-01092", "ORA-27101")
_say(ProcessDidNotRespond, _will_not_stop, "ORA-26672", "ORA-26666", "ORA-26668")
_say(
    TargetError,
    _parameter,
    "ORA-23605",
    "ORA-23603",
    "ORA-26665",
    "ORA-02097",
    "ORA-00068",
    "ORA-04033",
    "ORA-02095",
    "ORA-20001",
    "ORA-20002",
    "ORA-20003",
)
_say(TargetError, _space, "ORA-01653", "ORA-01654", "ORA-01652", "ORA-30036", "ORA-00257", "ORA-01658")


# Wrappers say little by themselves; what they wrap decides.
WRAPPERS: Final = frozenset({"DPY-6000", "DPY-6005", "DPY-5006", "ORA-06512", "ORA-12560", "ORA-04088", "ORA-00604"})
# Texts of the operating system inside a wrapper, where no further code stands.
INSIDE: Final[tuple[tuple[str, Entry], ...]] = (
    ("[Errno 111]", (ConnectFailed, _refused)),
    ("[Errno 61]", (ConnectFailed, _refused)),
    ("[WinError 10061]", (ConnectFailed, _refused)),
    ("Connection refused", (ConnectFailed, _refused)),
    ("getaddrinfo", (ConnectFailed, _host)),
    ("Name or service not known", (ConnectFailed, _host)),
    ("name resolution", (ConnectFailed, _host)),
    ("timed out", (ConnectFailed, _connect_timeout)),
    ("timeout", (ConnectFailed, _connect_timeout)),
    ("CERTIFICATE", (ConnectFailed, _tls)),
    ("SSL", (ConnectFailed, _tls)),
)

OTHER: Final[Entry] = (TargetError, _other)
LOST: Final[Entry] = (ConnectionLost, _lost)
DROPPED: Final[Entry] = (ConnectFailed, _dropped)
PERMISSION: Final[Entry] = (PermissionDenied, _permission)
