"""Whose word a text is: the client's own name, which redaction replaces, or one that may stay."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, Any, Final, TypeAlias


class Holds(StrEnum):
    """What a text holds; where nobody says, it is a name.

    The members are in the order in which names are counted: a name known as two things is called the first of them.

    Attributes:
        NAME: a name of the client's own that is nothing of the others.
        SENTENCE: the product's or the vendor's sentence; the names that are known otherwise are replaced in it.
        WORD: the product's or the vendor's word: state, mode, type, version, time, identifier, number as text.
    """

    CLIENT = "client"
    FILE = "file"
    TARGET = "target"
    AGENT = "agent"
    SERVER = "server"
    DOMAIN = "domain"
    DATABASE = "database"
    GROUP = "group"
    PUBLICATION = "publication"
    TABLE = "table"
    PROCESS = "process"
    QUEUE = "queue"
    LOGIN = "login"
    FOLDER = "folder"
    NAME = "name"
    SENTENCE = "sentence"
    WORD = "word"

    @property
    def is_name(self) -> bool:
        """Whether it is the client's own and replaced wherever it stands."""
        return self not in (Holds.SENTENCE, Holds.WORD)


# Fields of records say it by their type, such as `state: Word`; one that is only `str` is a name.
AgentName: TypeAlias = Annotated[str, Holds.AGENT]
ServerName: TypeAlias = Annotated[str, Holds.SERVER]
DatabaseName: TypeAlias = Annotated[str, Holds.DATABASE]
GroupName: TypeAlias = Annotated[str, Holds.GROUP]
PublicationName: TypeAlias = Annotated[str, Holds.PUBLICATION]
TableName: TypeAlias = Annotated[str, Holds.TABLE]
ProcessName: TypeAlias = Annotated[str, Holds.PROCESS]
QueueName: TypeAlias = Annotated[str, Holds.QUEUE]
FolderName: TypeAlias = Annotated[str, Holds.FOLDER]
Sentence: TypeAlias = Annotated[str, Holds.SENTENCE]
Word: TypeAlias = Annotated[str, Holds.WORD]

HoldsByKey: TypeAlias = Mapping[str, Mapping[str, Holds]]


@dataclass(frozen=True)
class DeclaredTexts:
    """What the engines and the families declare of the texts that sessions keep by a key; the rest are names.

    Attributes:
        parameters: of each statement's parameters, by the names of both.
        details: of each kind of change's details, by the names of both; "original" and "new" stand for what a change
            shows of them, which are sentences unless they are declared.
        loads: of each family's load fields, by the names of both.
        kept: each returns the record of its own that a system keeps in an environment, None where it keeps none.
        public: names every installation has, in small letters: they identify nobody.
    """

    parameters: HoldsByKey = field(default_factory=dict)
    details: HoldsByKey = field(default_factory=dict)
    loads: HoldsByKey = field(default_factory=dict)
    public: frozenset[str] = frozenset()
    kept: tuple[Callable[[Any], object | None], ...] = ()

    def __or__(self, other: "DeclaredTexts") -> "DeclaredTexts":
        """Return what both declare; where they contradict each other, a name is safer."""
        return DeclaredTexts(
            _joined(self.parameters, other.parameters),
            _joined(self.details, other.details),
            _joined(self.loads, other.loads),
            self.public | other.public,
            (*self.kept, *other.kept),
        )


def words(*keys: str) -> dict[str, Holds]:
    """Return keys that hold words."""
    return dict.fromkeys(keys, Holds.WORD)


def _joined(one: HoldsByKey, other: HoldsByKey) -> HoldsByKey:
    joined = {owner: dict(by_key) for owner, by_key in one.items()}
    for owner, by_key in other.items():
        held = joined.setdefault(owner, {})
        for key, holds in by_key.items():
            held[key] = holds if held.get(key, holds) is holds else Holds.NAME
    return joined


NOTHING_DECLARED: Final = DeclaredTexts()
"""Every text by a key is a name."""
