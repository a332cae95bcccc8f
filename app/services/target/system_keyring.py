"""The keyring of the system: Windows' Credential Manager, macOS' Keychain, or the Secret Service of a Linux desktop."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from app.foundation.secret import Secret
from app.services.target.credentials import KEYRING_SERVICE

if TYPE_CHECKING:  # loaded when the first password is looked for: it asks the desktop
    from keyring.backend import KeyringBackend

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
        import keyring.errors

        try:
            backend = (self._load or keyring.get_keyring)()
            return backend if float(backend.priority) >= _ENCRYPTED else None
        except (keyring.errors.KeyringError, RuntimeError):  # a backend tells by RuntimeError that it is not usable
            return None

    def is_there(self) -> bool:
        """Tell whether passwords can be kept, encrypted."""
        return self._backend() is not None

    def read(self, login: str) -> Secret | None:
        """Return the password kept, None where there is none or the keyring stays locked."""
        import keyring.errors

        backend = self._backend()
        if backend is None:
            return None
        try:
            value = backend.get_password(KEYRING_SERVICE, login)
        except keyring.errors.KeyringError:
            return None
        return None if value is None else Secret(value)

    def keep(self, login: str, password: Secret) -> bool:
        """Keep a password; tell whether it was kept."""
        import keyring.errors

        backend = self._backend()
        if backend is None:
            return False
        try:
            backend.set_password(KEYRING_SERVICE, login, password.reveal())
        except keyring.errors.KeyringError:
            return False
        return True

    def forget(self, login: str) -> None:
        """Remove a password; nothing happens where there is none."""
        import keyring.errors

        backend = self._backend()
        if backend is not None:
            try:
                backend.delete_password(KEYRING_SERVICE, login)
            except keyring.errors.KeyringError:
                return
