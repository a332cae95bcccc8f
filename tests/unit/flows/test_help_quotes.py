"""What the help quotes of the program is there: texts of the window, commands, files, scenarios and columns."""

import argparse
import importlib
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.cli.parser import Parser
from app.domain.hand_over import common_files
from app.flows.shell.help_view import help_folders
from app.foundation.catalogue import read_catalogue
from app.foundation.paths import resource_path
from tests.e2e.program import ROOT

# Pages about the window; in them words in italics, and no others, are texts that stand there.
ABOUT_THE_WINDOW = (
    "start", "target", "topology", "plan", "preflight", "run", "experiment", "findings", "hand_over", "compare",
    "client_files", "import",
)  # fmt: skip
# Placeholders of a command, and what may be given for them.
ANY_WORD = re.compile(r"[A-Z]+|…|<\w+>|\d[\d.]*|\S+\.(?:pdf|toml|sql)")
FILES_OF_THIS_CHECKOUT = re.compile(r"`((?:app|tests|resources|advisor_rules)/[\w./]*)`")


def page(language: str, name: str) -> str:
    """Return the text of a page in its own language."""
    return (help_folders(language)[0] / f"{name}.md").read_text(encoding="utf-8")


def all_pages() -> Iterator[tuple[str, str]]:
    """Yield name and text of every page in both languages."""
    for language in ("en", "de"):
        for path in sorted(help_folders(language)[0].glob("*.md")):
            yield f"{language}/{path.stem}", path.read_text(encoding="utf-8")


def in_italics(text: str) -> list[str]:
    """Return what stands between single stars, line breaks taken for blanks."""
    return [" ".join(words.split()) for words in re.findall(r"(?<![*\w`])\*(?![*\s])([^*`]+)\*(?!\*)", text)]


def bare(text: str) -> str:
    """Return a text of the window without its mnemonic, and without the dots and colon a sentence may leave out."""
    return re.sub(r"&(?=\w)", "", text).replace("\u00a0", " ").replace(" …", "…").rstrip("…:")


def german() -> dict[str, set[str]]:
    """Return every text of the program with its translations, both bare."""
    texts: dict[str, set[str]] = {}
    for english, translated in read_catalogue(resource_path("locale", "de", "LC_MESSAGES", "replitune.po")).items():
        texts.setdefault(bare(english), set()).add(bare(translated))
    return texts


@pytest.mark.parametrize("name", ABOUT_THE_WINDOW)
def test_texts_of_the_window_are_quoted_as_they_stand_there(name: str) -> None:
    """Each is a text of the program, and the German page quotes its translation, as often as the English one."""
    texts, quoted, translated = german(), in_italics(page("en", name)), in_italics(page("de", name))
    assert [words for words in quoted if bare(words) not in texts] == []
    assert len(quoted) == len(translated)
    left = [bare(words) for words in translated]
    for words in quoted:
        match = next((told for told in left if told in texts[bare(words)]), "")
        assert match, (words, left)
        left.remove(match)


def commands() -> list[str]:
    """Return every command the pages quote, once."""
    return sorted({one for _name, text in all_pages() for one in re.findall(r"`replitune ([^`]+)`", text)})


def parser_of(command: str) -> argparse.ArgumentParser:
    """Return the parser of a command, as its module makes it."""
    parser = Parser(prog=command)
    importlib.import_module(f"app.cli.commands.{'run_plan' if command == 'run' else command}").add_arguments(parser)
    return parser


@pytest.mark.parametrize("command", commands())
def test_commands_are_commands(command: str) -> None:
    """Each word is a command, an option of it, one of several commands joined by bars, or a placeholder."""
    first, *words = command.split()
    parser = parser_of(first)
    for word in words:
        options = {option for action in parser._actions for option in action.option_strings}
        choices = [action.choices for action in parser._actions if action.choices and not action.option_strings]
        if word.startswith("--"):
            assert word in options
        elif not ANY_WORD.fullmatch(word):
            assert choices
            assert set(word.split("|")) <= set(choices[0])
            if isinstance(choices[0], dict):
                parser = choices[0][word.split("|")[0]]


def test_files_are_called_as_the_program_calls_them() -> None:
    """Scripts for a server bear its name; files of this checkout are there."""
    names = common_files()
    for name, text in all_pages():
        assert not {f"`{names.apply}`", f"`{names.rollback}`"} & set(re.findall(r"`[^`\n]+`", text)), name
        for path in FILES_OF_THIS_CHECKOUT.findall(text):
            assert (ROOT / path).exists(), (name, path)


def test_scenarios_are_there() -> None:
    """A lab named on a page can be chosen."""
    scenarios = {path.stem for path in Path(resource_path("lab")).glob("*.toml")}
    for name, text in all_pages():
        named = set(re.findall(r"`([a-z]+-uneven)`", text))
        assert named <= scenarios, name
