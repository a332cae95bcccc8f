"""The report of an unexpected error: complete enough to mend it, and free of secrets."""

import collections
import logging
import platform
import re
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from app.foundation.secret import Secret, without_passwords
from app.foundation.texts import _
from app.foundation.version import VERSION

KEPT_LINES: Final = 200
"""How many log lines are kept for a report."""

# What looks like a password in a text of a driver, a connection string or a URL.
_SECRETS: Final = (
    (
        re.compile(
            r"(?i)(password|passwd|pwd|secret|token)(\s*(?:[=:]|%(?:25)*3d)\s*)('[^']*'|\"[^\"]*\"|\{(?:[^}]|\}\})*\}|[^\s;,)]+)"
        ),
        r"\1\2***",
    ),
    (re.compile(r"(?i)(-\w*Password\s+)(\[[^\]]*\]|\S+)"), r"\1***"),
    (re.compile(r"(://[^/\s:@]+(?::|%(?:25)*3[aA]))[^\s'\"]+(?:@|%(?:25)*40)"), r"\1***@"),
    (re.compile(r"(?<![\w:/\\.~-])([A-Za-z][\w$#.]*/)[^\s'\"/@]+@(?=[\w/\[])"), r"\1***@"),
)


class RecentLog(logging.Handler):
    """Keeps the last lines of the log in memory; any thread may log."""

    def __init__(self, kept: int = KEPT_LINES) -> None:
        super().__init__(logging.INFO)
        self._lines: collections.deque[str] = collections.deque(maxlen=kept)
        self.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(threadName)s %(name)s: %(message)s"))

    def emit(self, record: logging.LogRecord) -> None:
        """Keep one line (the logging module calls this)."""
        try:
            self._lines.append(self.format(record))
        except Exception:  # noqa: BLE001 - a line that cannot be formatted must not break what was logging it
            self.handleError(record)

    def lines(self) -> tuple[str, ...]:
        """Return the lines kept, oldest first."""
        return tuple(self._lines)


def error_headline(error: BaseException) -> str:
    """Return an unexpected error in one sentence."""
    return _(
        "Something unexpected happened ({kind}). Replitune keeps running; what was measured so far is kept."
    ).format(kind=type(error).__name__)


def make_report(
    error: BaseException, log_lines: Sequence[str], parts: Sequence[str] = (), arguments: Sequence[str] = ()
) -> str:
    """Return a report that can be copied: versions, traceback and the last log lines, without secrets.

    Args:
        parts: versions of further parts, such as "Qt 6.10.3".
        arguments: of the command line, which may hold a password; they are masked as they were given, before all else.
    """
    versions = ", ".join((f"Replitune {VERSION}", f"Python {platform.python_version()}", *parts, platform.platform()))
    trace = "".join(traceback.format_exception(error)).rstrip()
    log = "\n".join(log_lines) if log_lines else _("(nothing was logged)")
    text = "\n\n".join((versions, trace, _("The last lines of the log:") + "\n" + log)) + "\n"
    return without_secrets(Secret.mask_known(without_passwords(text, arguments)))


def without_secrets(text: str) -> str:
    """Return a text without passwords, and without the name of the person's home folder."""
    for pattern, replacement in _SECRETS:
        text = pattern.sub(replacement, text)
    home = str(Path.home())
    return text.replace(home, "~") if len(home) > 1 else text
