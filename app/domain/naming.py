"""Whose word a text is: the client's own name, which redaction replaces, or one that may stay."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar, Final, TypeAlias

from app.foundation.texts import _


class Holds(str):
    """Whose word a text is, by id, as a statement's header writes it; a name unless declared otherwise.

    A system's own kinds, such as `Holds("valve")`, are named by a `NameKind` among what it declares.

    Attributes:
        NAME: a name of the client's own that is nothing of the others.
        SENTENCE: the product's or the vendor's sentence; the names that are known otherwise are replaced in it.
        WORD: the product's or the vendor's word: state, mode, type, version, time, identifier, number as text.
    """

    CLIENT: ClassVar["Holds"]
    FILE: ClassVar["Holds"]
    TARGET: ClassVar["Holds"]
    SERVER: ClassVar["Holds"]
    DOMAIN: ClassVar["Holds"]
    DATABASE: ClassVar["Holds"]
    TABLE: ClassVar["Holds"]
    LOGIN: ClassVar["Holds"]
    FOLDER: ClassVar["Holds"]
    NAME: ClassVar["Holds"]
    SENTENCE: ClassVar["Holds"]
    WORD: ClassVar["Holds"]

    @property
    def is_name(self) -> bool:
        """Whether it is the client's own and replaced wherever it stands."""
        return self not in (Holds.SENTENCE, Holds.WORD)


for _member in Holds.__annotations__:
    setattr(Holds, _member, Holds(_member.lower()))


@dataclass(frozen=True)
class NameKind:
    """A kind of names, and the word that replaces one in redaction.

    Attributes:
        title: the word that stands for one, with a number behind it.
        position: where the kind stands when names are counted, ascending: a name known as two things is called the
            first of them.
        has_owner: one may be written with its owner and a dot in front.
    """

    holds: Holds
    title: str
    position: int
    has_owner: bool = False


def common_kinds() -> tuple[NameKind, ...]:
    """Return the kinds of names that every system has."""
    return (
        NameKind(Holds.CLIENT, _("Client"), 10),
        NameKind(Holds.FILE, _("File"), 20),
        NameKind(Holds.TARGET, _("Target"), 30),
        NameKind(Holds.SERVER, _("Server"), 50),
        NameKind(Holds.DOMAIN, _("Domain"), 60),
        NameKind(Holds.DATABASE, _("Database"), 70),
        NameKind(Holds.TABLE, _("Table"), 100, has_owner=True),
        NameKind(Holds.LOGIN, _("Login"), 130),
        NameKind(Holds.FOLDER, _("Folder"), 140),
        NameKind(Holds.NAME, _("Name"), 150),
    )


# Fields of records say it by their type, such as `state: Word`; one that is only `str` is a name.
ServerName: TypeAlias = Annotated[str, Holds.SERVER]
DatabaseName: TypeAlias = Annotated[str, Holds.DATABASE]
TableName: TypeAlias = Annotated[str, Holds.TABLE]
FolderName: TypeAlias = Annotated[str, Holds.FOLDER]
Sentence: TypeAlias = Annotated[str, Holds.SENTENCE]
Word: TypeAlias = Annotated[str, Holds.WORD]

HoldsByKey: TypeAlias = Mapping[str, Mapping[str, Holds]]


@dataclass(frozen=True)
class DeclaredTexts:
    """Declarations, by engines and families, of the texts that sessions keep by a key; undeclared ones are names.

    Attributes:
        parameters: of each statement's parameters, by the names of both.
        details: of each kind of change's details, by the names of both; "original" and "new" stand for what a change
            shows of them, which are sentences unless they are declared.
        loads: of each family's load fields, by the names of both.
        kept: each returns the record of its own that a system keeps in an environment, None where it keeps none.
        public: names every installation has, in small letters: they identify nobody.
        kinds: of names that only a system has; a text of a kind that nobody declares is a name.
        view_prefixes: what the names of a vendor's own views begin with, in any case: what stands behind it names a
            view, whatever a client calls something.
    """

    parameters: HoldsByKey = field(default_factory=dict)
    details: HoldsByKey = field(default_factory=dict)
    loads: HoldsByKey = field(default_factory=dict)
    public: frozenset[str] = frozenset()
    kept: tuple[Callable[[Any], object | None], ...] = ()
    kinds: tuple[NameKind, ...] = ()
    view_prefixes: frozenset[str] = frozenset()

    def __or__(self, other: "DeclaredTexts") -> "DeclaredTexts":
        """Return both declarations combined; where they contradict each other, a name is safer."""
        return DeclaredTexts(
            _joined(self.parameters, other.parameters),
            _joined(self.details, other.details),
            _joined(self.loads, other.loads),
            self.public | other.public,
            (*self.kept, *other.kept),
            tuple(dict.fromkeys((*self.kinds, *other.kinds))),
            self.view_prefixes | other.view_prefixes,
        )

    def all_kinds(self) -> tuple[NameKind, ...]:
        """Return these kinds and the common ones, as names are counted."""
        return tuple(sorted((*common_kinds(), *self.kinds), key=lambda kind: kind.position))


def words(*keys: str) -> dict[str, Holds]:
    """Return keys that hold words."""
    return dict.fromkeys(keys, Holds.WORD)


def _joined(one: HoldsByKey, other: HoldsByKey) -> HoldsByKey:
    joined = {owner: dict(by_key) for owner, by_key in one.items()}
    for owner, by_key in other.items():
        held = joined.setdefault(owner, {})
        for key, holds in by_key.items():
            held[key] = holds if held.get(key, holds) == holds else Holds.NAME
    return joined


NOTHING_DECLARED: Final = DeclaredTexts()
"""Every text by a key is a name."""
