"""The argument parser of this program: mistakes are one sentence, its own words in the language of the texts."""

import argparse
from typing import Final, NoReturn

from app.domain.errors import BadInput
from app.foundation.texts import _

# What argparse itself says and a user of this program can come to read, word for word as CPython 3.11 to 3.14 ask
# gettext for it (Lib/argparse.py); listed here so that the catalogue has them.
WORDS_OF_ARGPARSE: Final = (
    _("usage: "),
    _("positional arguments"),
    _("options"),
    _("show this help message and exit"),
    _("show program's version number and exit"),
    _("the following arguments are required: %s"),
    _("one of the arguments %s is required"),
    _("unrecognized arguments: %s"),
    _("argument %(argument_name)s: %(message)s"),
    _("not allowed with argument %s"),
    _("ambiguous option: %(option)s could match %(matches)s"),
    _("ignored explicit argument %r"),
    _("expected one argument"),
    _("expected at most one argument"),
    _("expected at least one argument"),
    _("invalid %(type)s value: %(value)r"),
    _("invalid choice: %(value)r (choose from %(choices)s)"),
)


class Parser(argparse.ArgumentParser):
    """An argument parser whose mistakes are one sentence, exit code 2."""

    def error(self, message: str) -> NoReturn:
        """Raise the mistake as one sentence: whoever called knows the arguments, and shows no password of them."""
        raise BadInput(_("{message}; see `{prog} --help`").format(message=message, prog=self.prog))


def speak_our_language() -> None:
    """Let argparse look up its own words in the program's catalogue.

    It binds the standard `gettext` at import, which reads compiled catalogues of the system alone; giving its module
    another `_` is the only way to change that.
    """
    vars(argparse)["_"] = _
