"""Reading the words of a batch one after the other."""

from collections.abc import Sequence
from typing import Final

from app.drivers.sqlserver.lab.script.tokens import Kind, ScriptError, Token

_SYNTAX: Final = 102


class Words:
    """The words of a batch, and where reading has come to."""

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
        """Read these words; raises ScriptError where others are next."""
        for word in words:
            if not self.took(word):
                raise self.wrong()

    def take(self, *kinds: Kind) -> Token:
        """Read a word of one of these kinds; raises ScriptError where it is none."""
        token = self.next
        if token.kind not in kinds:
            raise self.wrong()
        self.at += 1
        return token

    def name(self) -> str:
        """Read a name, in brackets or not."""
        return self.take(Kind.NAME, Kind.QUOTED).text

    def whole(self) -> int:
        """Read a whole number; raises ScriptError where another word is next."""
        if not self.next.text.isdecimal():
            raise self.wrong()
        return int(self.take(Kind.NUMBER).text)

    def wrong(self) -> ScriptError:
        """Return the error that the next word fits nowhere."""
        token = self.next
        return ScriptError(_SYNTAX, f"Incorrect syntax near '{token.text or 'the end of the batch'}'.", token.line, 15)
