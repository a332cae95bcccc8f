"""The exit code of a command, decided when its work has ended, whatever becomes of its output then."""

from collections.abc import Iterator
from contextlib import contextmanager


class EndedAs(Exception):
    """A command had ended when something failed, which is its cause: the exit code stands.

    Attributes:
        code: the exit code.
    """

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


def ended_before(error: BaseException) -> EndedAs | None:
    """Return that a command had ended before an error, also one that struck while files were closed after another."""
    found: BaseException | None = error
    while found is not None and not isinstance(found, EndedAs):
        found = found.__context__
    return found


@contextmanager
def ending_with(code: int) -> Iterator[None]:
    """Let a command end with a code whatever fails from here on: a pipe that was closed, a full disk, no memory left.

    Only where all went well what fails decides, such as a report that cannot be written.
    """
    try:
        yield
    except EndedAs:
        raise
    except (Exception, KeyboardInterrupt) as error:
        if not code:
            raise
        raise EndedAs(code) from error
