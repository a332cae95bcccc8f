"""The pages of the help as plain data: contents, links, and a search."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from app.flows.shell.wizard import STEPS
from app.foundation.paths import resource_path
from app.foundation.texts import _, language_tag

START: Final = "start"

# Every page is written in English first; another language may lack some.
_SOURCE: Final = "en"

# Pages that are neither a step nor an experiment, in the order of the contents.
_MORE: Final = ("client_files", "compare", "import", "for_the_dba", "rules", "adding_a_family")


# Pages of the window that are no step, and where the help speaks of them.
_PAGES_ELSEWHERE: Final = {"runs": "compare", "engagement": "client_files", "import": "import"}


@dataclass(frozen=True)
class HelpPage:
    """One page.

    Attributes:
        name: of its file, without the suffix; stable in every language.
        title: its first heading.
        text: Markdown, links lead to the names of other pages.
    """

    name: str
    title: str
    text: str


@dataclass(frozen=True)
class HelpGroup:
    """Pages that stand under one heading of the contents."""

    title: str
    pages: tuple[HelpPage, ...]


def help_folders(language: str) -> tuple[Path, ...]:
    """Return the folders of the pages, the one looked into first first: of the language, then English.

    Args:
        language: "en" or "de".
    """
    return tuple(resource_path("help", tag) for tag in dict.fromkeys((language, _SOURCE)))


def help_groups(families: tuple[str, ...]) -> tuple[HelpGroup, ...]:
    """Return the contents: the start, the steps, the experiments, and the other pages.

    Args:
        families: ids of the experiment families, in the order they are shown; one without a page is left out.
    """
    groups = (
        (_("The steps"), (START, *(str(step) for step in STEPS))),
        (_("The experiments"), ("experiment", *families)),
        (_("More"), _MORE),
    )
    return tuple(
        HelpGroup(title, tuple(page for name in names if (page := read_page(name)))) for title, names in groups
    )


def read_page(name: str, folders: tuple[Path, ...] = ()) -> HelpPage | None:
    """Return a page, None where there is none of that name.

    Args:
        name: of its file, without the suffix.
        folders: to look into, in this order; none for those of the language of the program.
    """
    for folder in folders or help_folders(language_tag()):
        try:
            text = (folder / f"{name}.md").read_text(encoding="utf-8")
        except OSError:
            continue
        return HelpPage(name, text.partition("\n")[0].removeprefix("#").strip(), text)
    return None


def page_about(shown: str) -> str:
    """Return the name of the help page about a page of the window, of the first page where none is about it.

    Args:
        shown: name of the window's page, such as `page.plan`.
    """
    name = shown.removeprefix("page.")
    return name if name in STEPS else _PAGES_ELSEWHERE.get(name, START)


def page_of_link(target: str) -> str:
    """Return the name of the page a link such as "plan.md" leads to."""
    return Path(target).name.removesuffix(".md")


def find_pages(groups: tuple[HelpGroup, ...], words: str) -> tuple[str, ...]:
    """Return the names of the pages that hold every word, all pages for no word."""
    wanted = words.casefold().split()
    return tuple(
        page.name for group in groups for page in group.pages if all(word in page.text.casefold() for word in wanted)
    )
