"""The keyring of the system: Windows' Credential Manager, macOS' Keychain, or the Secret Service of a Linux desktop."""

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Final, TypeVar

from app.foundation.secret import Secret
from app.services.target.credentials import KEYRING_SERVICE

if TYPE_CHECKING:  # loaded when the first password is looked for: it asks the desktop
    from keyring.backend import KeyringBackend

T = TypeVar("T")
_log: Final = logging.getLogger(__name__)

# What keyring calls recommended: below it stand files in plain text, and what keeps nothing.
_ENCRYPTED = 1.0


class SystemKeyring:
    """Passwords in the keyring of the person who is signed in; as good as none where the system has none.

    Args:
        load: returns the backend; the one of this system where None.
    """

    def __init__(self, load: "Callable[[], KeyringBackend] | None" = None) -> None:
        self._load = load

    def _backend(self) -> "KeyringBackend | None":
        import keyring

        try:
            backend = (self._load or keyring.get_keyring)()
            if float(backend.priority) < _ENCRYPTED:
                return None
            _keep_on_this_computer(backend)
        except Exception as error:  # noqa: BLE001 - see `_tell`: whatever a system's keyring raises, there is none
            _tell(error)
            return None
        return backend

    def _call(self, act: "Callable[[KeyringBackend], T]") -> T | None:
        """Return the keyring's answer, None where there is none or it refuses."""
        backend = self._backend()
        if backend is None:
            return None
        try:
            return act(backend)
        except Exception as error:  # noqa: BLE001 - see `_tell`
            _tell(error)
            return None

    def is_there(self) -> bool:
        """Tell whether passwords can be kept, encrypted.

        Windows is asked: its Credential Manager is there for everybody, but refuses whoever came over the network
        (1312, ERROR_NO_SUCH_LOGON_SESSION). Elsewhere asking could open a window that wants a password itself.
        """
        backend = self._backend()
        if backend is None or not _is_of_windows(backend):
            return backend is not None
        return bool(self._call(lambda asked: (asked.get_password(KEYRING_SERVICE, ""), True)))

    def read(self, login: str) -> Secret | None:
        """Return the password kept, None where there is none or the keyring stays locked."""
        value = self._call(lambda backend: backend.get_password(KEYRING_SERVICE, login))
        return None if value is None else Secret(value)

    def keep(self, login: str, password: Secret) -> bool:
        """Keep a password; tell whether it was kept."""

        def keep(backend: "KeyringBackend") -> bool:
            backend.set_password(KEYRING_SERVICE, login, password.reveal())
            return True

        return bool(self._call(keep))

    def forget(self, login: str) -> None:
        """Remove a password; nothing happens where there is none."""
        self._call(lambda backend: backend.delete_password(KEYRING_SERVICE, login))


def _tell(error: Exception) -> None:
    """Note why a keyring is as good as none.

    Each system's raises errors of its own, which its library does not turn into `KeyringError`: Credential Manager
    `pywintypes.error`, a desktop those of its message bus. Their kind alone is told; a text might hold anything.
    """
    _log.info("no keyring: %s %s", type(error).__name__, getattr(error, "winerror", ""))


def _is_of_windows(backend: "KeyringBackend") -> bool:
    return "persist" in vars(type(backend))


def _keep_on_this_computer(backend: "KeyringBackend") -> None:
    """Let Credential Manager keep passwords for this computer: by default they roam with the person's account."""
    for each in (backend, *getattr(backend, "backends", ())):
        if _is_of_windows(each):
            each.persist = "local machine"
