"""python-oracledb and cx_Oracle, which is the same under its former name, behind one Protocol."""

import contextlib
import ctypes
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any, Final, Protocol

from app.drivers.oracle.catalogue import TOOL, OracleType
from app.drivers.oracle.errors import OracleError
from app.drivers.oracle.settings import DriverChoice, OracleSettings, SignIn, connect_descriptor
from app.foundation.secret import Secret

DRIVER_MISSING: Final = "IMPORT"


class RawCursor(Protocol):
    """The few calls of a DB-API cursor this program makes."""

    arraysize: int
    prefetchrows: int

    def var(self, kind: object) -> "RawVariable":
        """Return a variable for an OUT bind."""
        ...

    def setinputsizes(self, **kinds: object) -> object:
        """Declare the types of binds by name, so that a NULL has one, too."""
        ...

    def execute(self, text: str, binds: Mapping[str, object]) -> object:
        """Run a statement."""
        ...

    def fetchall(self) -> Sequence[Sequence[object]]:
        """Return the rows of a query."""
        ...

    def close(self) -> None:
        """Release it."""
        ...


class RawVariable(Protocol):
    """An OUT bind."""

    def getvalue(self) -> object:
        """Return its value after the statement ran."""
        ...


class RawConnection(Protocol):
    """The few calls of a DB-API connection this program makes."""

    autocommit: bool
    call_timeout: int
    module: str

    def cursor(self) -> RawCursor:
        """Return a cursor."""
        ...

    def cancel(self) -> None:
        """Cancel the running call, from another thread; it ends with ORA-01013."""
        ...

    def close(self) -> None:
        """Close it; an open transaction is rolled back."""
        ...


class DriverLibrary(Protocol):
    """One driver, loaded.

    Attributes:
        label: as a person knows it, with its version.
        errors: exceptions its calls raise.
        kinds: its types for binds, by those of the catalogue.
        has_call_timeout: whether a connection can end a statement by itself; a watchdog does it where not.
    """

    label: str
    errors: tuple[type[Exception], ...]
    kinds: Mapping[OracleType, object]
    has_call_timeout: bool

    def connect(
        self, settings: OracleSettings, password: Secret | None, wallet_password: Secret | None
    ) -> RawConnection:
        """Connect; raises one of `errors`."""
        ...


def oracle_error_of(error: BaseException, secrets: Sequence[Secret | None] = ()) -> OracleError:
    """Return a driver's exception as an error, with every secret in its text masked."""
    details: Any = str(error) if isinstance(error, OSError) or not error.args else error.args[0]
    text = str(getattr(details, "message", details)) or type(error).__name__
    cause = error.__cause__
    if cause is not None and str(cause) and str(cause) not in text:
        text = f"{text}\n{cause}"
    for secret in secrets:
        if secret is not None and secret.reveal():
            text = text.replace(secret.reveal(), "***")
    full_code = getattr(details, "full_code", "")
    oracle_error = OracleError.of_text(text)
    return OracleError(full_code, text) if full_code and not oracle_error.code else oracle_error


class DbApiLibrary:
    """Either module; they differ in the arguments of `connect` only.

    Args:
        module: `oracledb` or `cx_Oracle`, imported.
        is_thin: python-oracledb without a client library.
    """

    def __init__(self, module: ModuleType, *, is_thin: bool) -> None:
        self._module: Any = module
        self._is_thin = is_thin
        name = {"oracledb": "python-oracledb"}.get(module.__name__, module.__name__)
        mode = "" if module.__name__ == "cx_Oracle" else (" thin" if is_thin else " thick")
        self.label = f"{name} {self._module.__version__}{mode}"
        self.errors: tuple[type[Exception], ...] = (self._module.Error, OSError)
        self.kinds: Mapping[OracleType, object] = {
            OracleType.INTEGER: self._module.DB_TYPE_NUMBER,
            OracleType.NUMBER: self._module.DB_TYPE_NUMBER,
            OracleType.VARCHAR2: self._module.DB_TYPE_VARCHAR,
            OracleType.DATE: self._module.DB_TYPE_DATE,
        }
        # ODPI-C: a call timeout needs Oracle Client 18 (doc/src/api_manual/connection.rst).
        self.has_call_timeout = is_thin or self._client_version() >= (18,)
        if not is_thin:
            self.label = f"{self.label}, Oracle Client {'.'.join(map(str, self._client_version()))}"

    def _client_version(self) -> tuple[int, ...]:
        return (0,) if self._is_thin else tuple(self._module.clientversion())

    def connect(
        self, settings: OracleSettings, password: Secret | None, wallet_password: Secret | None
    ) -> RawConnection:
        """Connect; raises one of `errors`."""
        given: dict[str, object] = {"dsn": connect_descriptor(settings)}
        if settings.sign_in is SignIn.PASSWORD:
            given |= {"user": settings.login_name, "password": "" if password is None else password.reveal()}
        elif self._module.__name__ == "oracledb":
            given["externalauth"] = True
        if settings.is_sysdba:
            given["mode"] = self._module.SYSDBA
        if self._is_thin:
            given |= self._thin_arguments(settings, wallet_password)
        connection: RawConnection = self._module.connect(**given)
        # Shown in V$SESSION, so that a DBA sees whose connection it is; part of the first statement's round trip.
        connection.module = TOOL
        return connection

    def _thin_arguments(self, settings: OracleSettings, wallet_password: Secret | None) -> dict[str, object]:
        given: dict[str, object] = {"tcp_connect_timeout": float(settings.login_limit_s), "retry_count": 0}
        if settings.tns_admin:
            given["config_dir"] = settings.tns_admin
        if settings.wallet:
            given["wallet_location"] = settings.wallet
        if wallet_password is not None:
            given["wallet_password"] = wallet_password.reveal()
        if settings.trusts_certificate:
            given["ssl_server_dn_match"] = False
        return given


def load_thin() -> DbApiLibrary:
    """Import python-oracledb for this process; raises OracleError where it is not installed."""
    return DbApiLibrary(_import("oracledb"), is_thin=True)


def load_with_client(choice: DriverChoice, client: str, tns_admin: str) -> DbApiLibrary:
    """Import a driver and give it its client library; once for a process, and for no other mode afterwards.

    Raises:
        OracleError: the driver is not installed, or finds no client library.
    """
    module: Any = _import("cx_Oracle" if choice is DriverChoice.CX_ORACLE else "oracledb")
    if client:
        _preload(Path(client))
    given = {"lib_dir": client, "config_dir": tns_admin}
    try:
        module.init_oracle_client(**{name: value for name, value in given.items() if value})
        return DbApiLibrary(module, is_thin=False)
    except (module.Error, OSError) as error:
        raise oracle_error_of(error) from None


def _import(name: str) -> ModuleType:
    try:
        if name == "oracledb":
            import oracledb

            return oracledb
        import cx_Oracle  # type: ignore[import-not-found]  # an optional driver

        module: ModuleType = cx_Oracle
        return module
    except ImportError as error:
        raise OracleError(f"{DRIVER_MISSING}-{name}", str(error)) from None


# On Linux the loader looks for what libclntsh needs in its search path only, whatever folder the driver is given
# (python-oracledb user_guide/initialization.rst). A library already loaded is found by its name, so load them first.
_NEEDED_FIRST: Final = ("libclntshcore.so*", "libipc1.so*", "libmql1.so*", "libons.so*", "libnnz*.so*", "libclntsh.so*")


def _preload(folder: Path) -> None:
    waiting = [path for pattern in _NEEDED_FIRST for path in sorted(folder.glob(pattern))]
    while waiting:
        left = []
        for path in waiting:
            with contextlib.suppress(OSError):
                ctypes.CDLL(str(path), mode=ctypes.RTLD_GLOBAL)
                continue
            left.append(path)
        if len(left) == len(waiting):
            return
        waiting = left
