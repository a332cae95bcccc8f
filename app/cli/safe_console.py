"""Rich's console behind the filter of standard error; its bars alone may send characters that act on a terminal.

Apart from the filter, which each call of the program needs: rich takes a tenth of a second to load.
"""

import sys
from typing import Any

from rich.console import Console
from rich.text import Text

from app.cli.terminal import ShownText
from app.foundation.terminal_text import for_terminal


class SafeConsole(Console):
    """Rich's console on standard error: its own colours and bars, and texts as a terminal may be sent them."""

    def __init__(self) -> None:
        stream = sys.stderr
        super().__init__(file=stream.stream if isinstance(stream, ShownText) else stream)

    def on_broken_pipe(self) -> None:
        """Say no more where the reader has gone away; rich would end the program for it, in the midst of a run."""

    def print(self, *objects: Any, **options: Any) -> None:
        """Print as rich does; anything printed while bars are shown comes here, too."""
        super().print(*(_shown(item) for item in objects), **options)


def _shown(item: Any) -> Any:
    if isinstance(item, Text):
        return Text(for_terminal(item.plain))
    return for_terminal(item) if isinstance(item, str) else item
