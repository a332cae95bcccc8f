"""Standard output and error without characters that act on a terminal."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TextIO

from app.foundation.terminal_text import for_terminal


class ShownText:
    """A text stream that writes the codes of control characters; in all else the stream it stands for."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream

    def write(self, text: str) -> int:
        """Write a text; returns its length."""
        self.stream.write(for_terminal(text))
        return len(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


@contextmanager
def shown_safely() -> Iterator[None]:
    """Let all that is printed meanwhile go through the filter."""
    out, err = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = ShownText(out), ShownText(err)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = out, err
