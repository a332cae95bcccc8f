"""Words of a script, and reading them one after the other, whatever the engine."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto


class Kind(Enum):
    """The kind of a word; a VARIABLE is of the client or the batch, with its sign before it."""

    TEXT = auto()
    NAME = auto()
    QUOTED = auto()
    VARIABLE = auto()
    NUMBER = auto()
    SIGN = auto()
    END = auto()


@dataclass(frozen=True)
class Token:
    """A word of a script.

    Attributes:
        text: as it means: a literal without quotes, a name without brackets.
        same: by which it is compared with keywords and other words: names in capitals.
        line: where it stands, from 1.
    """

    kind: Kind
    text: str
    same: str
    line: int


class Words(ABC):
    """The words of a script, the last of kind END, and where reading has come to."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        self.tokens = tokens
        self.at = 0

    @property
    def next(self) -> Token:
        """The next word."""
        return self.tokens[self.at]

    def is_next(self, *words: str) -> bool:
        """Tell whether these words are next."""
        ahead = self.tokens[self.at : self.at + len(words)]
        return tuple(token.same for token in ahead) == words

    def took(self, *words: str) -> bool:
        """Read these words where they are next, and tell whether they were."""
        if not self.is_next(*words):
            return False
        self.at += len(words)
        return True

    def need(self, *words: str) -> None:
        """Read these words; raises the engine's error where others are next."""
        for word in words:
            if not self.took(word):
                raise self.wrong()

    def take(self, *kinds: Kind) -> Token:
        """Read a word of one of these kinds; raises the engine's error where it is none."""
        token = self.next
        if token.kind not in kinds:
            raise self.wrong()
        self.at += 1
        return token

    def name(self) -> str:
        """Read a name, quoted or not."""
        return self.take(Kind.NAME, Kind.QUOTED).text

    def whole(self) -> int:
        """Read a whole number; raises the engine's error where another word is next."""
        if not self.next.text.isdecimal():
            raise self.wrong()
        return int(self.take(Kind.NUMBER).text)

    @abstractmethod
    def wrong(self) -> Exception:
        """Return the error that the next word fits nowhere."""
