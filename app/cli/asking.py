"""Asking the person at the terminal for a password."""

import getpass
import sys

from app.foundation.secret import Secret
from app.foundation.texts import _


def ask_password(login: str) -> Secret | None:
    """Ask for the password of a login without showing it; None where nobody sits at a terminal, or nothing was typed.

    The prompt goes to the terminal itself, or to standard error: standard output holds results only.
    """
    if not sys.stdin.isatty():
        return None
    try:
        typed = getpass.getpass(_("Password for {login}: ").format(login=login), stream=sys.stderr)
    except EOFError:
        return None
    return Secret(typed) if typed else None


def ask_nobody(_login: str) -> Secret | None:
    """Ask nobody, as where the output is read by a program."""
    return None
