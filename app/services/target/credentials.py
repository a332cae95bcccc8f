"""Passwords: from the environment, the keyring of the system, or the person; kept in memory, never in a file."""

import os
from collections.abc import Callable, Mapping
from typing import Protocol

from app.domain.connection import ServerUrl
from app.domain.errors import BadInput
from app.foundation.secret import Secret
from app.foundation.texts import _

PASSWORD_VARIABLE = "REPLITUNE_PASSWORD"
KEYRING_SERVICE = "Replitune"

Ask = Callable[[str], Secret | None]
"""Asks the person for the password of a login; None where there is nobody to ask, or they gave up."""


class Keyring(Protocol):
    """Where a system keeps passwords, by login such as "sqlserver://anna@db1:1433"."""

    def is_there(self) -> bool:
        """Tell whether passwords can be kept, encrypted."""
        ...

    def read(self, login: str) -> Secret | None:
        """Return the password kept, None where there is none or it cannot be read."""
        ...

    def keep(self, login: str, password: Secret) -> bool:
        """Keep a password; tell whether it was kept."""
        ...

    def forget(self, login: str) -> None:
        """Remove a password; nothing happens where there is none."""
        ...


class Credentials:
    """Finds the password of a login, and remembers it as long as the program runs."""

    def __init__(self, keyring: Keyring, environment: Mapping[str, str] = os.environ) -> None:
        self._keyring = keyring
        self._environment = environment
        self._ask: Ask = lambda _login: None
        self._known: dict[str, Secret] = {}
        self._refused: set[str] = set()

    def ask_with(self, ask: Ask) -> None:
        """Set how the person is asked."""
        self._ask = ask

    def password_for(self, url: ServerUrl) -> Secret:
        """Return the password of a login.

        Looked for in this order: given before in this process, the environment, the keyring, the person. One that a
        server has refused is not taken from the keyring again.

        Raises:
            BadInput: there is none, and nobody can be asked.
        """
        login = url.login
        if login in self._known:
            return self._known[login]
        given = self._environment.get(PASSWORD_VARIABLE)
        password = Secret(given) if given else None
        if password is None and login not in self._refused:
            password = self._keyring.read(login)
        if password is None:
            password = self._ask(login)
        if password is None:
            raise BadInput(
                _(
                    "no password for {login}: save one with `replitune target add`, set {variable}, or call the "
                    "program from a terminal without --json to be asked"
                ).format(login=login, variable=PASSWORD_VARIABLE)
            )
        self._known[login] = password
        return password

    def remember(self, url: ServerUrl, password: Secret, *, is_kept: bool) -> bool:
        """Use a password from now on; tell whether it is also in the keyring, which `is_kept` asks for."""
        self._known[url.login] = password
        self._refused.discard(url.login)
        return is_kept and self._keyring.keep(url.login, password)

    def refuse(self, url: ServerUrl) -> None:
        """Take note that a server did not accept the password, so that the person is asked next time."""
        self._known.pop(url.login, None)
        self._refused.add(url.login)

    def forget(self, url: ServerUrl) -> None:
        """Remove a password from memory and keyring."""
        self._known.pop(url.login, None)
        self._keyring.forget(url.login)

    def can_keep(self) -> bool:
        """Tell whether there is a keyring to keep passwords in."""
        return self._keyring.is_there()
