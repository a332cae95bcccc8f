"""Values that must never be printed, logged or stored, and how they are kept out of sentences."""

import json
import re
import weakref
from collections.abc import Sequence
from pathlib import PurePath
from typing import ClassVar, Final, cast
from urllib.parse import quote, unquote

MASK: Final = "***"

# An @ as it stands, or with its percent code, once or several times.
_AT: Final = re.compile(r"@|%(?:25)*40")
_SECRET_NAMES: Final = ("pass", "pwd", "secret", "token", "kennwort", "credential", "apikey", "accesskey")
_NAMES: Final = "|".join(_SECRET_NAMES)
# `Password = …`, as connection strings, drivers and options write it; what follows may hold any character.
_ASSIGNING: Final = re.compile(r"(?i)(?:=|%(?:25)*+3d)\s*+")
_NAME: Final = re.compile(r"[\w-]*+")
_SECRET_WORD: Final = re.compile(rf"(?i){_NAMES}|\bpw\Z")
_SCHEME: Final = re.compile(r"(?:--?[\w-]+=)?[A-Za-z][A-Za-z0-9+.-]{0,30}://")
_OPTION: Final = re.compile(r"[A-Za-z][\w.%-]{0,60}")
_LOGIN: Final = re.compile(r"[^\s:/@]+[:/].*@", re.DOTALL)
_PATH: Final = re.compile(r"[A-Za-z]:[\\/]|[\\/~.]")
_COLON: Final = re.compile(r":|%(?:25)*3[aA]")
# A command with its switches, or a login in its words: any of them may be a password.
_COMMAND: Final = re.compile(r"\s*[^\s:]+\s(?:.*\s)?(?:[-/][A-Za-z]|\S+/\S)", re.DOTALL)
# A command with a switch, or that of a client with a login: sqlplus user/password.
_CALLED: Final = re.compile(r"(?is)\s*\S+\s(?:.*\s)?[-/]{1,2}[a-z]|\s*\S*sql\S*\s+\S+/\S")
# `user:password`, which no drive, no lab and no time of day is written like.
_TIME: Final = r"[0-9]{1,2}(?::[0-9]{2}){1,2}\s*(?:[A-Za-z]{1,5}|[+-][0-9]{2}:?[0-9]{2})?\Z"
_PAIR: Final = re.compile(rf"(?!lab:|{_TIME})[^\s:/\\=]{{2,}}:[^\s\\/].*")
_PASSWORD_FLAG: Final = re.compile(rf"(?i)-P|--?[\w-]*(?:{_NAMES})[\w-]*")
_LAST_PORT: Final = 65_535


class Secret:
    """Wraps a password so that printing, logging or formatting it shows only `***`.

    Args:
        is_public: everybody may know it (a lab's, which is also part of its name): it is masked in no sentence.
    """

    __slots__ = ("__weakref__", "_value")
    _alive: ClassVar[set["weakref.ref[Secret]"]] = set()
    _public: ClassVar[set[str]] = set()

    def __init__(self, value: str, *, is_public: bool = False) -> None:
        self._value = value
        if is_public:
            self._public.add(value)
        else:
            self._alive.add(weakref.ref(self, self._alive.discard))

    @classmethod
    def mask_known(cls, text: str) -> str:
        """Return a text without any secret that is in use, however a driver, a log or an address spells it."""
        known = [secret for reference in tuple(cls._alive) if (secret := reference()) is not None]
        spellings = {s for secret in known if secret._value not in cls._public for s in _spellings(secret._value)}
        for spelling in sorted(spellings, key=len, reverse=True):
            if len(spelling) > _SHORT:
                text = text.replace(spelling, MASK)
            elif spelling:  # part of many a word
                text = re.sub(rf"(?<!\w){re.escape(spelling)}(?!\w)", MASK, text)
        return text

    def reveal(self) -> str:
        """Return the value itself; only a driver's connect call may need it."""
        return self._value

    def __repr__(self) -> str:
        return MASK

    __str__ = __repr__

    def __reduce__(self) -> str:
        raise TypeError("a secret cannot be pickled or copied to disk")


_SHORT: Final = 3


def _spellings(value: str) -> tuple[str, ...]:
    """Return a value as it may be written: in a connection string, in Python, JSON, SQL and an address."""
    braced = value.replace("}", "}}")
    written = (value, braced, value.replace('"', '""'), value.replace("'", "''"), value.replace("\\", "\\\\"))
    return (
        *written,
        repr(value)[1:-1],
        repr(braced)[1:-1],
        json.dumps(value)[1:-1],
        quote(value),
        quote(value, safe=""),
    )


# A longer argument is no target, and is masked whole.
_LONGEST_LOOKED_AT: Final = 500
_LONGEST_TARGET: Final = 2_000


def decoded(text: str) -> str:
    """Return a text without percent codes, however often they were applied."""
    plain = unquote(text)
    while plain != text:
        text, plain = plain, unquote(plain)
    return plain


def is_secret_name(name: str) -> bool:
    """Tell whether an option of this name would hold a password, however it is written (`Passwd`, `access_token`)."""
    letters = re.sub(r"[^a-z]", "", decoded(name).casefold())
    return letters == "pw" or any(word in letters for word in _SECRET_NAMES)


def _keyed(text: str) -> tuple[int, int] | None:
    """Return where a text gives a value to a name that holds a password: from the name to before the value.

    Each part is looked at once, so that time grows with the length alone.
    """
    since = 0
    for assigning in _ASSIGNING.finditer(text):
        before = text[since : assigning.start()].rstrip()
        name = cast("re.Match[str]", _NAME.match(before[::-1])).group()[::-1]
        if _SECRET_WORD.search(name):
            return since + len(before) - len(name), assigning.end()
        since = assigning.end()
    return None


def holds_password(value: str) -> bool:
    """Tell whether a value looks like a login with its password; a path does not.

    That is `user:…@`, `user/…@`, `Pwd=…`, a command with switches, or a client's with `user/…`.
    """
    if len(value) > _LONGEST_TARGET:
        return True  # nobody can tell
    plain = decoded(value)
    return bool(_keyed(plain) or _CALLED.match(plain) or (_LOGIN.match(plain) and not _PATH.match(plain)))


def without_password(text: str, *, is_address: bool = False) -> str:
    """Return a target as it may be shown: without the part before the last @, and without any value.

    Where it cannot be told what belongs to a password (an @ behind a question mark), nothing of it is shown.

    Args:
        is_address: what stands behind a colon is a port or no part of it, even where no engine is named; of a command,
            its first word is shown.
    """
    if is_address and _COMMAND.match(text):
        return f"{text.split(maxsplit=1)[0]} {MASK}"
    match = _SCHEME.match(text)
    scheme = match.group() if match else ""
    head, mark, query = text[len(scheme) :].partition("?")
    if _AT.search(query):
        return f"{scheme}{MASK}"
    return f"{scheme}{_without_login(head, is_address=is_address or bool(scheme))}{mark}{_without_values(query)}"


def without_passwords(sentence: str, arguments: Sequence[str]) -> str:
    """Return a sentence in which arguments that look as if they held a password are repeated with that masked."""
    for before, argument in zip(("", *arguments), arguments, strict=False):
        shown = MASK if _PASSWORD_FLAG.fullmatch(before) else _without_password_of_any(argument)
        if shown != argument:
            for spelling in (argument, repr(argument)[1:-1], argument.replace("\\", "\\\\")):
                sentence = sentence.replace(spelling, shown)
            for part in _parts_of_path(argument):
                sentence = sentence.replace(part, MASK) if part not in shown else sentence
    return sentence


def _parts_of_path(argument: str) -> list[str]:
    """Return how an argument that was taken for a path is told: without double slashes, its folder, its name."""
    path = PurePath(argument)
    parts = [str(path), *(str(parent) for parent in path.parents), path.name]
    return [part for part in parts if len(part) > 3]  # "." and a drive say nothing


def _without_password_of_any(argument: str) -> str:
    """As `without_password`, of an argument that need not be a target: a path or a number is left alone."""
    if len(argument) > _LONGEST_LOOKED_AT:
        return MASK
    if _PAIR.fullmatch(argument) or (_COMMAND.match(argument) and not _PATH.match(argument)):
        return without_password(argument, is_address=True)
    if _SCHEME.match(argument) or _keyed(argument):
        return without_password(argument)
    return without_password(argument) if _AT.search(argument) and not _PATH.match(argument) else argument


def _without_login(head: str, *, is_address: bool) -> str:
    keyed = _keyed(head)
    if keyed:  # a connection string: what the password holds, and where it ends, cannot be told
        start, end = keyed
        return f"{_without_login(head[:start], is_address=is_address)}{head[start:end]}{MASK}"
    ends = [match.end() for match in _AT.finditer(head)]
    is_lab = len(ends) == 1 and head.startswith("lab@")  # a lab on a port has no login
    shown = f"{MASK}@{head[ends[-1] :]}" if ends and not is_lab else head
    return _without_odd_port(shown) if ends or is_address else shown


def _without_odd_port(address: str) -> str:
    """Mask anything in the place of a port, unless it is one, and anything that is no part of an address."""
    address = re.sub(r"#.*", f"#{MASK}", address, flags=re.DOTALL)
    host, slash, path = address.partition("/")
    if host.startswith((f"{MASK}@[", "[")):
        return address  # IPv6
    colon = _COLON.search(host)
    if colon is None or _is_port(host[colon.end() :]):
        return address
    return f"{host[: colon.end()]}{MASK}{slash}{path}"


def _is_port(text: str) -> bool:
    return not text or (
        text.isascii() and text.isdigit() and len(text) <= len(str(_LAST_PORT)) and int(text) <= _LAST_PORT
    )


def _without_values(query: str) -> str:
    """Mask the value of every option; behind one that holds a password, everything: an & may be part of it."""
    shown: list[str] = []
    for part in query.split("&") if query else ():
        name, equals, _value = part.partition("=")
        if not equals or not _OPTION.fullmatch(name):
            return "&".join((*shown, MASK))
        shown.append(f"{name}={MASK}")
        if is_secret_name(name):
            break
    return "&".join(shown)
