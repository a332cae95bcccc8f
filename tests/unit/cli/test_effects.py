"""No option of a command is passed over in silence: it has an effect, or it is refused with what it goes with."""

import argparse
from collections.abc import Iterator

import pytest

from app.cli.effects import GoesWith, refuse_without_effect
from app.cli.main import _COMMANDS, _parser
from app.domain.errors import BadInput

# Options whose effect depends on no other, by command; a new one is declared here or beside what it goes with.
ALWAYS = {
    "demo": {"--family", "--seed", "--out", "--journal", "--json"},
    "advise": {"--family", "--condition", "--baseline", "--noise-cv", "--say", "--out", "--json"},
    # what is run without --dry-run is shown with it, so that one word makes the other of a command line
    "run": {"--target", "--dry-run", "--resume", "--extend", "--seed", "--out", "--journal", "--json", "--guided"},
    "target add": {"--no-password"},
    "target list": {"--json"},
    "target test": {"--json"},
    "doctor": {"--target", "--record", "--script", "--from", "--json"},
    "discover": {"--target", "--json"},
    "observe": {"--target", "--hours", "--watch", "--until", "--out", "--json"},
    "report": {"--out", "--session", "--all", "--scripts", "--redact", "--hide", "--client", "--consultant"},
    "verify": {"--session", "--target", "--since", "--json"},
    "engagement list": {"--json"},
    "engagement search": {"--json"},
    "engagement note": {"--remove", "--session"},
    "engagement tag": {"--remove", "--session", "--run"},
    "compare": {"--published", "--json"},
    "bundle export": {"--out", "--redact", "--hide"},
    "bundle import": {"--out"},
    "undo": {"--journal", "--hands-on"},
    "restore": {"--journal", "--script"},
}
# Refused by the command itself, in words of its own.
BY_THE_COMMAND = {"run": {"--hands-on", "--keep", "--agree-to-keep"}}

# The least that is given beside an option that has then no effect.
PASSED_OVER = {
    ("run", "--session"): "plan.toml --target lab --session S",
    ("run", "--for-dba"): "--resume --dry-run --for-dba x.pdf",
    ("doctor", "--mode"): "--mode observe",
    ("doctor", "--engine"): "--engine oracle",
    ("doctor", "--journal"): "--script x.sql --journal j",
    ("report", "--keep"): "x --out y.pdf --keep Text",
    ("report", "--keep-rest"): "x --out y.pdf --keep-rest",
    ("report", "--window"): "x --out y.pdf --window 2026-12-05T22:00",
    ("report", "--paper"): "x --out y.html --paper us-letter",
    ("report", "--notes"): "x --out y.csv --notes",
    ("report", "--logo"): "x --out y.docx --logo l.png",
    ("report", "--template"): "x --out y.docx --template t",
    ("bundle export", "--keep"): "x --out y.zip --keep Text",
    ("bundle export", "--keep-rest"): "x --out y.zip --keep-rest",
    ("engagement note", "--run"): "x --remove 1 --run E1",
    ("restore", "--keep-others"): "--script x.sql --keep-others",
    ("restore", "--hands-on"): "--script x.sql --hands-on",
    ("lab", "--target"): "serve --target lab@127.0.0.1:1",
    ("lab", "--hours"): "serve --hours 3",
    ("lab", "--scenario"): "pass --target lab@127.0.0.1:1 --scenario lan",
    ("lab", "--port"): "pass --target lab@127.0.0.1:1 --port 3",
    ("lab", "--speed"): "pass --target lab@127.0.0.1:1 --speed 3",
    ("lab", "--seed"): "pass --target lab@127.0.0.1:1 --seed 3",
}


def _actions_of(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    found = [action.choices for action in parser._actions if isinstance(action, argparse._SubParsersAction)]
    return dict(found[0]) if found else {}


def _commands() -> Iterator[tuple[str, argparse.ArgumentParser]]:
    """Yield each command with its parser, those of a command's actions one by one."""
    for name in _COMMANDS:
        command = _actions_of(_parser([name]))[name]
        actions = _actions_of(command)
        yield from (
            ((f"{name} {action}", parser) for action, parser in actions.items()) if actions else [(name, command)]
        )


def _rules(parser: argparse.ArgumentParser) -> tuple[GoesWith, ...]:
    return parser.get_default("effects") or ()


def test_each_option_of_each_command_is_known_to_have_an_effect_or_says_what_it_goes_with() -> None:
    """A new one stands in one of the three lists, and no list names one that is gone."""
    places = {"--decision", "--title"}  # what is written into a report has a list of its own, `engagement write`
    for name, parser in _commands():
        options = {option for action in parser._actions for option in action.option_strings if option[:2] == "--"}
        declared = {rule.option for rule in _rules(parser)}
        if places <= options:
            continue
        assert options - {"--help"} == ALWAYS.get(name, set()) | BY_THE_COMMAND.get(name, set()) | declared, name
        assert {option for command, option in PASSED_OVER if command == name} == declared, name


@pytest.mark.parametrize(("command", "option"), PASSED_OVER)
def test_an_option_without_effect_is_refused(command: str, option: str) -> None:
    """Before anything is opened, in one sentence that names it and what it goes with."""
    arguments = [*command.split(), *PASSED_OVER[command, option].split()]
    options = _parser(arguments).parse_args(arguments)
    (others,) = {rule.others for rule in options.effects if rule.option == option}
    with pytest.raises(BadInput, match="has no effect here") as refused:
        refuse_without_effect(options)
    assert str(refused.value) == f"{option} has no effect here: it goes with {others}"
