"""A server as a command line of sqlcmd names it, by the names that connection strings have here; pure.

Sources: learn.microsoft.com/sql/tools/sqlcmd/sqlcmd-utility (switches; without a login it is a Windows account's),
github.com/microsoft/go-sqlcmd (its long names), learn.microsoft.com/sql/tools/osql-utility.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from app.domain.errors import BadInput
from app.foundation.command_line import command_in
from app.foundation.texts import _

_PROGRAMS: Final = ("sqlcmd", "osql", "mssql-cli")
# Switches behind which a value stands, in the next word or in the same one.
_VALUED: Final = frozenset("SUPdHiohqQVvwscKyYalrtmzZFD")
_LONG: Final[Mapping[str, str]] = {
    "server": "S",
    "user-name": "U",
    "use-trusted-connection": "E",
    "trust-server-certificate": "C",
    "encrypt-connection": "N",
    "use-aad": "G",
    "application-intent": "K",
    "multi-subnet-failover": "M",
}
_FLAGS: Final[Mapping[str, str]] = {"C": "trust", "M": "multi_subnet_failover"}
_ENCRYPTION: Final = {"s": "strict", "strict": "strict", "o": "optional", "optional": "optional", "disable": "optional"}


def read_command(text: str) -> dict[str, str] | None:
    """Return server, login and options of a command of sqlcmd, None where it is none.

    Raises:
        BadInput: it names no server.
    """
    command = command_in(text)
    if command is None or command.program not in _PROGRAMS:
        return None
    said = dict(_switches(command.words))
    if not said.get("S"):
        raise BadInput(_("This {program} command names no server (-S)").format(program=command.program))
    flags = {name: "yes" for switch, name in _FLAGS.items() if switch in said}
    encrypt = _ENCRYPTION.get(said.get("N", "").lower(), "")
    return {"server": said["S"], "intent": said.get("K", ""), "encrypt": encrypt, **flags, **_sign_in(said)}


def _sign_in(said: Mapping[str, str]) -> dict[str, str]:
    """Return how a command signs in: without a login as a Windows account, with -G at Microsoft Entra ID."""
    user, password = said.get("U", ""), said.get("P", "")
    if "G" in said:
        way = "password" if password else "interactive" if user else "integrated"
        return {"user": user, "password": password, "auth": f"activedirectory{way}"}
    return {"is_windows": "yes"} if "E" in said or not user else {"user": user, "password": password}


def _switches(words: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield each switch with its value, "" where it has none; that of -N may be left out."""
    rest = list(words)
    while rest:
        switch, value = _switch(rest.pop(0))
        is_next = not value and switch in _VALUED
        if rest and (is_next or (switch == "N" and rest[0].lower() in _ENCRYPTION)):
            value = rest.pop(0)
        if switch:
            yield switch, value


def _switch(word: str) -> tuple[str, str]:
    """Return a switch by its letter, and the value in the same word; "" for a word that is none."""
    if word.startswith("--"):
        name, _equals, value = word[2:].partition("=")
        return _LONG.get(name, ""), value
    return (word[1:2], word[2:].removeprefix(":")) if word[:1] in ("-", "/") else ("", "")
