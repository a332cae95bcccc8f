"""Reading the words of a batch one after the other."""

from typing import Final

from app.drivers.sqlserver.lab.script.tokens import ScriptError
from app.lab import words

_SYNTAX: Final = 102


class Words(words.Words):
    """The words of a batch, and where reading has come to."""

    def wrong(self) -> ScriptError:
        """Return the error that the next word fits nowhere."""
        token = self.next
        return ScriptError(_SYNTAX, f"Incorrect syntax near '{token.text or 'the end of the batch'}'.", token.line, 15)
