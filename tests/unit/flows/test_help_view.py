"""The pages of the help: which language a page is read in, and that the German ones are the English ones."""

import re
from pathlib import Path

import pytest

from app.bootstrap import build_program
from app.flows.shell.help_view import help_folders, help_groups, page_of_link, read_page

ENGLISH = help_folders("en")
GERMAN = help_folders("de")
PAGES = sorted(path.stem for path in ENGLISH[0].glob("*.md"))


def test_a_page_is_read_in_german_where_there_is_one_else_in_english(tmp_path: Path) -> None:
    """Folders are looked into in their order; a page none of them has is None."""
    german, english = tmp_path / "de", tmp_path / "en"
    for folder, pages in ((german, {"run": "# Lauf"}), (english, {"run": "# Run", "plan": "# Plan\n\nFactors"})):
        folder.mkdir()
        for name, text in pages.items():
            (folder / f"{name}.md").write_text(text, encoding="utf-8")
    titles = {name: page.title for name in ("run", "plan") if (page := read_page(name, (german, english)))}
    assert titles == {"run": "Lauf", "plan": "Plan"}
    assert read_page("nothing", (german, english)) is None


def test_german_pages_come_before_english_ones() -> None:
    """German looks into its own folder first; English has one folder only."""
    assert [folder.name for folder in GERMAN] == ["de", "en"]
    assert [folder.name for folder in ENGLISH] == ["en"]


def test_every_page_is_in_the_contents() -> None:
    """No page is unreachable: steps, families and the rest name all files."""
    groups = help_groups(build_program().parts.family_ids)
    assert sorted(page.name for group in groups for page in group.pages) == PAGES


@pytest.mark.parametrize("name", PAGES)
def test_a_german_page_says_what_the_english_one_says(name: str) -> None:
    """Each page is there in German, with the same headings, list items, links and file names, in words of its own."""
    english, german = read_page(name, ENGLISH), read_page(name, GERMAN)
    assert english is not None
    assert german is not None
    assert german.text != english.text
    assert _shape(german.text) == _shape(english.text)


def test_every_link_leads_to_a_page() -> None:
    """A link of either language names a page there is."""
    for folder in GERMAN:
        for path in folder.glob("*.md"):
            for target in _links(path.read_text(encoding="utf-8")):
                assert page_of_link(target) in PAGES, (path, target)


def _shape(text: str) -> tuple[int, int, int, list[str], list[str]]:
    """Return what a translation keeps: headings, list items, paragraphs, links, and code such as names of files."""
    lines = text.splitlines()
    return (
        sum(line.startswith("#") for line in lines),
        sum(line.startswith(("- ", "1. ")) or line[:2].rstrip(".").isdigit() for line in lines),
        sum(not line for line in lines),
        sorted(_links(text)),
        sorted(re.findall(r"```.*?```|`[^`\n]+`", text, re.DOTALL)),
    )


def _links(text: str) -> list[str]:
    return re.findall(r"\]\(([^)]+)\)", text)
