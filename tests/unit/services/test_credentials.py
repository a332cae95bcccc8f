"""Where passwords come from, in which order, and where they never go."""

import keyring.errors
import pytest
from keyring.backend import KeyringBackend
from keyring.backends import fail

from app.domain.errors import BadInput
from app.foundation.secret import Secret
from app.services.target.credentials import Credentials
from app.services.target.system_keyring import SystemKeyring
from app.services.target.target_spec import parse_server

URL = parse_server("sqlserver://anna@db1:1433?trust=yes")
OTHER = parse_server("sqlserver://anna@db1:1433?intent=readonly")


class MemoryBackend(KeyringBackend):
    """A keyring that keeps passwords as long as the test runs, or stays locked."""

    priority = 5

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]  # keyring's own has no types
        self.kept: dict[tuple[str, str], str] = {}
        self.is_locked = False

    def get_password(self, service: str, username: str) -> str | None:
        """Return a password."""
        self._unlock()
        return self.kept.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        """Keep a password."""
        self._unlock()
        self.kept[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        """Remove a password."""
        self._unlock()
        if self.kept.pop((service, username), None) is None:
            raise keyring.errors.PasswordDeleteError("not found")

    def _unlock(self) -> None:
        if self.is_locked:
            raise keyring.errors.KeyringLocked("locked")


class PlainTextBackend(MemoryBackend):
    """A keyring that writes passwords into a file as they are, as keyring ranks such ones."""

    priority = 0.5  # type: ignore[assignment]  # keyring declares a class property


@pytest.fixture
def backend() -> MemoryBackend:
    """Return an empty keyring."""
    return MemoryBackend()


def credentials(backend: KeyringBackend, **environment: str) -> Credentials:
    """Return credentials over a keyring, with only these variables in the environment."""
    return Credentials(SystemKeyring(lambda: backend), environment)


def test_order_is_given_before_environment_keyring_person(backend: MemoryBackend) -> None:
    """The nearest source wins; a person is asked only where there is no other."""
    asked: list[str] = []

    def ask(login: str) -> Secret | None:
        asked.append(login)
        return Secret("typed")

    backend.kept["Replitune", "sqlserver://anna@db1:1433"] = "kept"
    both = credentials(backend, REPLITUNE_PASSWORD="given")
    both.ask_with(ask)
    assert both.password_for(URL).reveal() == "given"
    only_kept = credentials(backend)
    only_kept.ask_with(ask)
    assert only_kept.password_for(URL).reveal() == "kept"
    assert asked == []
    nothing = credentials(MemoryBackend())
    nothing.ask_with(ask)
    assert [nothing.password_for(URL).reveal() for _time in range(2)] == ["typed", "typed"]
    assert asked == ["sqlserver://anna@db1:1433"]
    nothing.remember(URL, Secret("newer"), is_kept=False)
    assert nothing.password_for(URL).reveal() == "newer"


def test_a_login_has_one_password_whatever_its_options(backend: MemoryBackend) -> None:
    """Options of a target say nothing about who signs in."""
    known = credentials(backend)
    assert known.remember(URL, Secret("s"), is_kept=True)
    assert known.password_for(OTHER).reveal() == "s"
    assert backend.kept == {("Replitune", "sqlserver://anna@db1:1433"): "s"}
    known.forget(OTHER)
    assert backend.kept == {}
    known.forget(OTHER)


def test_nobody_to_ask_is_a_sentence(backend: MemoryBackend) -> None:
    """Without any source the sentence names all of them."""
    with pytest.raises(BadInput, match=r"replitune target add.*REPLITUNE_PASSWORD.*without --json"):
        credentials(backend).password_for(URL)


def test_a_refused_password_is_asked_for_again(backend: MemoryBackend) -> None:
    """One the server did not take is not taken from the keyring a second time."""
    backend.kept["Replitune", URL.login] = "old"
    known = credentials(backend)
    known.ask_with(lambda _login: Secret("new"))
    assert known.password_for(URL).reveal() == "old"
    known.refuse(URL)
    assert known.password_for(URL).reveal() == "new"


def test_a_locked_or_missing_keyring_is_as_good_as_none(backend: MemoryBackend) -> None:
    """Nothing fails because of a keyring; nothing is kept in one that keeps plain text."""
    backend.is_locked = True
    locked = credentials(backend)
    assert not locked.remember(URL, Secret("s"), is_kept=True)
    locked.forget(URL)
    nothing: KeyringBackend = fail.Keyring()  # type: ignore[no-untyped-call]  # keyring's own has no types
    for unusable in (nothing, PlainTextBackend()):
        known = credentials(unusable)
        assert not known.can_keep()
        assert not known.remember(URL, Secret("s"), is_kept=True)
        assert known.password_for(URL).reveal() == "s"
        known.forget(URL)
        with pytest.raises(BadInput):
            known.password_for(URL)
    assert PlainTextBackend().kept == {}
    assert credentials(backend).can_keep()


def test_passwords_are_secrets(backend: MemoryBackend) -> None:
    """What is found cannot be printed by accident."""
    known = credentials(backend, REPLITUNE_PASSWORD="hunter2")
    assert "hunter2" not in f"{known.password_for(URL)} {known.password_for(URL)!r}"


class NoLogonSession(Exception):
    """What Credential Manager raises as it is: `pywintypes.error`, which is no error of the keyring library."""

    winerror = 1312


class WindowsBackend(MemoryBackend):
    """A keyring as that of Windows: `persist` says whether passwords roam; its errors are its own."""

    persist = "enterprise"

    def _unlock(self) -> None:
        if self.is_locked:
            raise NoLogonSession(1312, "CredRead", "A specified logon session does not exist.")


def test_what_a_system_raises_by_itself_means_no_keyring() -> None:
    """A person who came over the network has no Credential Manager: nothing is found or kept, and nothing fails."""
    backend = WindowsBackend()
    keyring = SystemKeyring(lambda: backend)
    assert keyring.is_there()
    assert keyring.keep("login", Secret("hunter2"))
    backend.is_locked = True
    assert not keyring.is_there()
    assert keyring.read("login") is None
    assert not keyring.keep("login", Secret("hunter2"))
    keyring.forget("login")
    known = Credentials(keyring, {"REPLITUNE_PASSWORD": "given"})
    assert known.password_for(URL).reveal() == "given"
    assert not known.can_keep()


def test_a_keyring_that_cannot_be_loaded_is_none() -> None:
    """Whatever its libraries raise while they look for one."""

    def fail_to_load() -> KeyringBackend:
        raise NoLogonSession

    assert not SystemKeyring(fail_to_load).is_there()


def test_passwords_are_kept_for_this_computer() -> None:
    """They do not roam with the profile of a domain's person to every computer they sign in to."""
    backend = WindowsBackend()
    assert SystemKeyring(lambda: backend).keep("login", Secret("hunter2"))
    assert backend.persist == "local machine"
