"""A keyring that keeps passwords for a test: implements the port of the system's keyring."""

from app.foundation.secret import Secret


class MemoryKeyring:
    """A keyring in memory."""

    def __init__(self) -> None:
        self.kept: dict[str, str] = {}

    def is_there(self) -> bool:
        """Passwords can be kept."""
        return True

    def read(self, login: str) -> Secret | None:
        """Return what was kept."""
        return Secret(self.kept[login]) if login in self.kept else None

    def keep(self, login: str, password: Secret) -> bool:
        """Keep it."""
        self.kept[login] = password.reveal()
        return True

    def forget(self, login: str) -> None:
        """Forget it."""
        self.kept.pop(login, None)
