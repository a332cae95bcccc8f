"""Replacing the client's names: the same name by the same word, everywhere."""

import json
import re
from collections.abc import Iterable
from functools import lru_cache
from pathlib import PurePath
from typing import TypeVar
from urllib.parse import unquote, urlsplit

from app.domain.session import Advice, SessionRecord
from app.domain.topology import Topology
from app.foundation.texts import _
from app.reporting.records import map_texts

_T = TypeVar("_T")

# Names every installation has: they identify nobody, and replacing them would garble the vendor's own terms.
_PUBLIC_NAMES = frozenset({"", "all", "distribution", "master", "msdb", "lab", "dbo", "sa"})
_SHORT = 3


class Redactor:
    """Replaces names in texts and in whole records.

    A name is found whatever its case, where letters or digits do not go on at either end.
    """

    def __init__(self, replacements: Iterable[tuple[str, str]]) -> None:
        self._words: dict[str, str] = {}
        for name, word in replacements:
            for spelling in _spellings(name):
                self._words.setdefault(spelling if len(spelling) <= _SHORT else spelling.casefold(), word)
        longest_first = sorted(self._words, key=lambda name: (-len(name), name))
        # A short name is most likely a word of the language as well: only its own spelling counts.
        names = "|".join(re.escape(n) if len(n) > _SHORT else f"(?-i:{re.escape(n)})" for n in longest_first)
        self._pattern = re.compile(rf"(?<![^\W_])(?:{names})(?![^\W_])", re.IGNORECASE) if names else None
        self._cached = lru_cache(maxsize=4096)(self._replace)

    def text(self, text: str) -> str:
        """Return a text with every known name replaced."""
        return self._cached(text) if text and self._pattern else text

    def _replace(self, text: str) -> str:
        if self._pattern is None:
            return text
        return self._pattern.sub(self._word_of, text)

    def _word_of(self, match: re.Match[str]) -> str:
        found = match.group()
        return self._words.get(found) or self._words.get(found.casefold(), "…")

    def record(self, value: _T) -> _T:
        """Return a record (a frozen dataclass, a tuple, a text) with the names replaced in all it holds."""
        return map_texts(value, self.text)


def redact(session: SessionRecord, advice: Advice) -> tuple[SessionRecord, Advice]:
    """Return both with names of servers, databases, publications, agents, tables, logins and the client replaced."""
    redactor = Redactor(_replacements(session))
    return redactor.record(session), redactor.record(advice)


def _replacements(session: SessionRecord) -> list[tuple[str, str]]:
    """Return (name, word) of every name the session knows."""
    kinds = (
        (_("Client"), {session.client: None}, False),
        (_("File"), _file_names(session), True),
        (_("Target"), dict.fromkeys(_targets(session)), True),
        (_("Agent"), _agent_names(session), True),
        (_("Server"), _server_names(session), True),
        (_("Database"), _database_names(session), True),
        (_("Publication"), _publication_names(session), True),
        (_("Table"), _table_names(session), True),
        (_("Login"), _login_names(session), True),
    )
    replacements: list[tuple[str, str]] = []
    seen: set[str] = set()
    for word, names, is_counted in kinds:
        count = 0
        for name in names:
            if name.casefold() in _PUBLIC_NAMES or name.casefold() in seen:
                continue
            seen.add(name.casefold())
            count += 1
            replacements.append((name, f"{word} {count}" if is_counted else word))
    return replacements


def _targets(session: SessionRecord) -> list[str]:
    keys = [environment.target for environment in session.environments]
    keys += [run.target for run in session.runs]
    keys += [entry.target for entry in session.changes]
    return [key for key in dict.fromkeys(keys) if not key.startswith("lab")]


def _file_names(session: SessionRecord) -> dict[str, None]:
    path = session.imported_from
    return dict.fromkeys([path, PurePath(path).name, path.replace("\\", "/").rsplit("/", 1)[-1]] if path else [])


def _agent_names(session: SessionRecord) -> dict[str, None]:
    names = [agent.agent for environment in session.environments for agent in environment.agents]
    names += [agent.name for topology in _topologies(session) for agent in topology.agents]
    return dict.fromkeys(names)


def _server_names(session: SessionRecord) -> dict[str, None]:
    names: list[str] = []
    for topology in _topologies(session):
        names += [server.name for server in topology.servers]
        names += [name for agent in topology.agents for name in (agent.publisher, agent.subscriber)]
        names += [publication.publisher for publication in topology.publications]
        names += [subscription.subscriber for subscription in topology.subscriptions]
    names += [statement.server for statement in session.statements]
    names += [host for key in _targets(session) if (host := _parts(key)[1])]
    # Without its instance or domain a name still says whose server it is.
    heads = [re.split(r"[\\.,]", name)[0] for name in names]
    names += [head for head in heads if not head.isdigit()]
    return dict.fromkeys(names)


def _database_names(session: SessionRecord) -> dict[str, None]:
    names: list[str] = []
    for topology in _topologies(session):
        names.append(topology.distribution_db)
        names += [name for agent in topology.agents for name in (agent.publisher_db, agent.subscriber_db)]
        names += [publication.publisher_db for publication in topology.publications]
        names += [name for s in topology.subscriptions for name in (s.publisher_db, s.subscriber_db)]
    return dict.fromkeys(names)


def _publication_names(session: SessionRecord) -> dict[str, None]:
    names: list[str] = []
    for topology in _topologies(session):
        names += [publication.name for publication in topology.publications]
        names += [agent.publication for agent in topology.agents]
        names += [subscription.publication for subscription in topology.subscriptions]
    return dict.fromkeys(names)


def _table_names(session: SessionRecord) -> dict[str, None]:
    names: list[str] = []
    for topology in _topologies(session):
        for publication in topology.publications:
            for article in publication.articles:
                names += [article, article.rsplit(".", 1)[-1]]
    return dict.fromkeys(names)


def _login_names(session: SessionRecord) -> dict[str, None]:
    return dict.fromkeys(_parts(key)[0] for key in _targets(session))


def _parts(key: str) -> tuple[str, str]:
    """Return (login, host) of a target given as an address, "" where it has none."""
    try:
        parts = urlsplit(key)
        return unquote(parts.username or ""), unquote(parts.hostname or "")
    except ValueError:
        return "", ""


def _topologies(session: SessionRecord) -> list[Topology]:
    return [environment.topology for environment in session.environments if environment.topology is not None]


def _spellings(name: str) -> list[str]:
    """Return a name as it may be written in SQL, in JSON and in an address."""
    return list(
        dict.fromkeys(
            [
                name,
                name.replace("'", "''"),
                name.replace("]", "]]"),
                name.replace("\\", "\\\\"),
                json.dumps(name)[1:-1],
            ]
        )
    )
