"""The client's names in a session, of which kind each is, and the word that replaces it.

What holds a name is not told here: the records' types, the statements' headers, the engines' kinds of change and the
families' load fields declare it (`app.domain.naming`), and what nobody declares is a name.
"""

import json
import re
import types
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from functools import cache
from pathlib import PurePath
from typing import Final, Union, get_args, get_origin, get_type_hints
from urllib.parse import parse_qsl, unquote, urlsplit

from app.domain.change import Change
from app.domain.hand_over import own_name
from app.domain.happening import Happening
from app.domain.naming import NOTHING_DECLARED, DeclaredTexts, Holds
from app.domain.session import Environment, SessionRecord
from app.lab.scenario_file import shipped_scenarios

# Of a name so much stands in the name of what this program makes for its bearer.
LONGEST_IN_OWN: Final = len(own_name("x" * 999)) - len(own_name(""))

# The words names are replaced by, and those of this program: they identify nobody.
_PUBLIC_NAMES: Final = frozenset({"", "lab", "replitune", "localhost", "default"})

_PLAIN_OPTIONS: Final = frozenset({"yes", "no", "strict", "sql", "windows", "readonly", "freetds", "mssql-python"})

# With a unit behind it, or several of them with colons; never what could be an address.
_NUMBER: Final = re.compile(r"[-+]?\d+(?:\.\d+)?(?: ?[kmgt]b?)?|\d+(?::\d+)+")

# The folders that are called as their users are.
_HOME: Final = re.compile(r"(?i)(?:^/home/|^/users/|^[a-z]:[\\/](?:users|documents and settings)[\\/])([^\\/]+)")

_Found = Iterator[tuple[Holds, str]]


def client_names(
    sessions: Sequence[SessionRecord], also: Sequence[str] = (), declared: DeclaredTexts = NOTHING_DECLARED
) -> list[tuple[str, str]]:
    """Return (name, word) of every name some sessions know; a name has one word, whichever session it comes from.

    Args:
        also: further names, which no record tells.
        declared: whose words the texts are that sessions keep by a key.
    """
    names = _by_kind(sessions, also, declared)
    # A client's RUN_TIME is not our run_time: only what is spelt as a word of ours is one.
    own = program_words(sessions)
    public = _PUBLIC_NAMES | declared.public | {session.session_id.lower() for session in sessions}
    public |= {str(holds) for holds in names}
    replacements: list[tuple[str, str]] = []
    replaced: set[str] = set()
    for kind in declared.all_kinds():
        count = 0
        for name in names[kind.holds]:
            folded = name.lower()
            if folded in replaced or name in own or _identifies_nobody(folded, public):
                continue
            replaced.add(folded)
            count += 1
            is_the_client = kind.holds == Holds.CLIENT and count == 1
            replacements.append((name, kind.title if is_the_client else f"{kind.title} {count}"))
    return replacements


def _by_kind(
    sessions: Sequence[SessionRecord], also: Sequence[str], declared: DeclaredTexts
) -> Mapping[Holds, Iterable[str]]:
    """Return every name once by its kind, in the order they are met; one of a kind nobody declares is a name."""
    names = {kind.holds: dict[str, None]() for kind in declared.all_kinds()}
    names[Holds.NAME].update(dict.fromkeys(name.strip() for name in also))
    for holds, name in _all_names(sessions, declared):
        if holds.is_name:
            names[holds if holds in names else Holds.NAME][name.strip()] = None
    return names


def _identifies_nobody(folded: str, public: Set[str]) -> bool:
    is_public = folded.rstrip(".") in public or folded.startswith("replitune")
    return is_public or _NUMBER.fullmatch(folded) is not None


def program_words(sessions: Sequence[SessionRecord]) -> set[str]:
    """Return the program's own words in these sessions: a database called as a measure keeps its name."""
    words: set[str] = set()
    for session in sessions:
        measured = [m for run in session.runs for trial in run.trials for m in trial.measurements]
        for m in (*session.imported, *measured):
            words |= {m.family, m.metric, m.unit, m.phase.value, *m.setting, *m.conditions}
        for run in session.runs:
            words |= {run.plan.family, run.status.value, *(f.name for f in run.plan.factors)}
            words |= {*run.plan.load, *(name for name, _limit in run.plan.limits.items())}
    return words


def enumerated_words(sessions: Sequence[SessionRecord], declared: DeclaredTexts) -> set[str]:
    """Return the enumerated words of plans and of systems' records: nothing else could be read there."""
    words: set[str] = set()
    for session in sessions:
        kept = (open_kept(environment) for environment in session.environments for open_kept in declared.kept)
        words.update(word for record in kept for word in _enumerated(record))
        for run in session.runs:
            holds = declared.loads.get(run.plan.family, {})
            words |= {str(value) for key, value in run.plan.load.items() if holds.get(key) == Holds.WORD}
    return words


def _enumerated(value: object) -> Iterator[str]:
    if isinstance(value, Enum):
        yield str(value.value)
    elif isinstance(value, tuple):
        yield from (word for item in value for word in _enumerated(item))
    elif is_dataclass(value):
        yield from (word for field in fields(value) for word in _enumerated(getattr(value, field.name)))


def _all_names(sessions: Sequence[SessionRecord], declared: DeclaredTexts) -> _Found:
    with_owner = frozenset(kind.holds for kind in declared.all_kinds() if kind.has_owner)
    for session in sessions:
        yield Holds.CLIENT, session.client
        yield from ((Holds.FILE, name) for name in _file_names(session.imported_from))
        for target in _targets(session):
            yield Holds.TARGET, target
            yield from _names_of_scenario(target) if target.startswith("lab:") else _names_of_target(target)
        yield from _parted(_texts_of_session(session, declared), with_owner)


def _texts_of_session(session: SessionRecord, declared: DeclaredTexts) -> _Found:
    for environment in session.environments:
        yield from _texts_of_environment(environment, declared)
    yield from ((Holds.SERVER, statement.server) for statement in session.statements)
    for run in session.runs:
        yield from _keyed(run.plan.load.items(), declared.loads.get(run.plan.family, {}))
        for trial in run.trials:
            yield from _texts_in(trial.happenings, tuple[Happening, ...])
    for entry in session.changes:
        yield from _texts_of_change(entry.change, declared.details.get(entry.change.kind, {}))
    for name, parameters in dict.fromkeys((s.name, s.parameters) for s in session.statements):
        yield from _texts_of_statement(parameters, declared.parameters.get(name, {}))


def _texts_of_environment(environment: Environment, declared: DeclaredTexts) -> _Found:
    """Yield the texts of systems' records, as they declare them; a record that no system opens holds names."""
    yield from _texts_in(replace(environment, kept=()), None)
    opened = [record for open_kept in declared.kept if (record := open_kept(environment)) is not None]
    for record in opened:
        yield from _texts_in(record, None)
    names = {field.name for record in opened if is_dataclass(record) for field in fields(record)}
    for key, text in environment.kept:
        alone = replace(environment, kept=((key, text),))
        if key not in names and all(open_kept(alone) is None for open_kept in declared.kept):
            yield from _keyed([(key, json.loads(text))], {})


def _texts_in(value: object, hint: object) -> _Found:
    """Yield the texts of a record, however deep they stand, with their declared kinds."""
    record: type = type(value)
    if isinstance(value, Enum):
        return  # of this program, whatever it reads
    if isinstance(value, str):
        yield next((h for h in get_args(hint)[1:] if isinstance(h, Holds)), Holds.NAME), value
    elif isinstance(value, tuple):
        members = get_args(_without_none(hint))
        hints = members if len(members) == len(value) and Ellipsis not in members else members[:1] * len(value)
        for item, of_item in zip(value, hints, strict=True):
            yield from _texts_in(item, of_item)
    elif is_dataclass(value):
        hints_by_name = _hints_of(record)
        for field in fields(value):
            yield from _texts_in(getattr(value, field.name), _without_none(hints_by_name[field.name]))


@cache
def _hints_of(record: type) -> Mapping[str, object]:
    return get_type_hints(record, include_extras=True)


def _without_none(hint: object) -> object:
    if get_origin(hint) in (Union, types.UnionType):
        return next(member for member in get_args(hint) if member is not type(None))
    return hint


def _texts_of_change(change: Change, declared: Mapping[str, Holds]) -> _Found:
    """Yield the details, and the shown values before and after where these are declared to be no sentence."""
    shown = (("original", change.original), ("new", change.new))
    yield from _keyed((*change.details, *((key, text) for key, text in shown if key in declared)), declared)


def _texts_of_statement(parameters: str, declared: Mapping[str, Holds]) -> _Found:
    try:
        named = json.loads(parameters) if parameters else {}
    except ValueError:
        named = None
    yield from _keyed(named.items() if isinstance(named, dict) else [("", parameters)], declared)


def _keyed(pairs: Iterable[tuple[str, object]], declared: Mapping[str, Holds]) -> _Found:
    for key, value in pairs:
        if isinstance(value, str):
            yield declared.get(key, Holds.NAME), value
        elif isinstance(value, list | tuple):
            yield from _keyed(((key, item) for item in value), declared)
        elif isinstance(value, dict):
            yield from _keyed(value.items(), {})


def _parted(texts: Iterable[tuple[Holds, str]], with_owner: Set[Holds]) -> _Found:
    """Yield names with those that stand in them: of a list, a server's without its domain, a table's owner …"""
    for holds, text in texts:
        if holds.is_name:
            for name in _several(text):
                yield holds, name
                yield from _parts_of(holds, name, with_owner)


def _parts_of(holds: Holds, name: str, with_owner: Set[Holds]) -> _Found:
    if holds in (Holds.SERVER, Holds.DATABASE):
        yield from ((holds, head) for head in _heads(name))
    elif re.search(r"[\\/]", name):
        yield from _parts_of_path(name)
    elif (holds in with_owner or holds == Holds.NAME) and re.fullmatch(r"[^\s.]+(\.[^.]+)+", name):
        owner, _dot, last = re.sub(r'["\[\]]', "", name).rpartition(".")
        yield holds, last
        yield from ((Holds.LOGIN, owner),) if holds != Holds.NAME else ()


def _parts_of_path(path: str) -> _Found:
    """Yield the folder around a path, and the server of one on the network."""
    folder = re.sub(r"[\\/]+[^\\/]*[\\/]*$", "", path)
    host = re.match(r"[\\/]{2}([^\\/]+)", path)
    if len(folder) > len("C:\\"):
        yield Holds.FOLDER, folder
    if host is not None:
        yield from ((Holds.SERVER, head) for head in _heads(host[1]))


def _several(value: str) -> list[str]:
    """Return the names of a list written as JSON or with bars, or the one name; a drive by itself is no name."""
    if value.startswith("["):
        try:
            listed = json.loads(value)
        except ValueError:
            listed = None
        if isinstance(listed, list):
            return [item for item in listed if isinstance(item, str)]
    return [part for part in value.split("|") if part and not re.fullmatch(r"[A-Za-z]:[\\/]?", part)]


def _targets(session: SessionRecord) -> list[str]:
    keys = [environment.target for environment in session.environments]
    keys += [run.target for run in session.runs]
    keys += [entry.target for entry in session.changes]
    return [key for key in dict.fromkeys(keys) if not _is_lab_of_ours(key)]


def _is_lab_of_ours(key: str) -> bool:
    """Tell whether a target is a lab of a shipped scenario, or on a port of this computer: any other names a file."""
    return key == "lab" or key.startswith("lab@") or key.removeprefix("lab:") in shipped_scenarios()


def _file_names(path: str) -> list[str]:
    return [path, PurePath(path).name, path.replace("\\", "/").rsplit("/", 1)[-1]] if path else []


def _names_of_scenario(key: str) -> _Found:
    """Yield the path of a scenario somebody made, its name, the folders it lies in and whose they are."""
    path = key.removeprefix("lab:")
    yield from ((Holds.FILE, file) for file in (path, re.split(r"[\\/]", path)[-1]))
    folder = path
    while (above := re.sub(r"[\\/]+[^\\/]*$", "", folder)) != folder and len(above) > len("C:\\"):
        yield Holds.FOLDER, above
        folder = above
    if home := _HOME.match(path):
        yield Holds.LOGIN, home[1]


def _names_of_target(key: str) -> _Found:
    """Yield login, host, service and the names in the options of a target given as an address."""
    try:
        parts = urlsplit(key)
        login, host = unquote(parts.username or ""), unquote(parts.hostname or "")
    except ValueError:
        return
    yield from ((Holds.SERVER, name) for name in _heads(host))
    yield Holds.LOGIN, login
    domain, slash, account = login.partition("\\")
    yield from ((Holds.DOMAIN, domain), (Holds.LOGIN, account)) if slash else ()
    account, at, realm = login.partition("@")
    yield from ((Holds.LOGIN, account), (Holds.DOMAIN, realm)) if at else ()
    if parts.scheme:
        yield Holds.DATABASE, unquote(parts.path.strip("/"))
    for name, value in parse_qsl(parts.query):
        named = name.partition(".")[2]
        yield from ((Holds.SERVER, head) for head in _heads(named))
        if value.lower() not in _PLAIN_OPTIONS and not value.startswith("entra-") and not value.isdigit():
            yield from ((Holds.SERVER, head) for head in _heads(value.split(",")[0]))


def _heads(name: str) -> tuple[str, ...]:
    """Return a server's name, and the parts of it that still say whose it is: without instance or domain, and the
    domain."""
    host = re.split(r"[\\,]", name)[0]
    head, _dot, domain = host.partition(".")
    if re.fullmatch(r"[\d.]+", host):
        return name, host
    return (name, host, head, domain) if "." in domain else (name, host, head)
