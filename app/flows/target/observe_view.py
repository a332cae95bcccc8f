"""A look without an experiment, as pages of tables, plots and sentences: nothing was changed for it."""

from collections.abc import Collection, Mapping
from dataclasses import replace

from app.domain.plot import PlotSpec
from app.domain.system import System, in_order
from app.domain.view import TableContent
from app.flows.system_views import Content, Observed, ObservedPage, PartKind, views_of, watched_content, watched_page
from app.flows.target.observed_parts import costs_of_experiments
from app.flows.words import listed
from app.foundation.durations import duration
from app.foundation.texts import _
from app.reporting.numbers import number
from app.services.look.looking import Look


def observing_text(systems: Collection[System]) -> str:
    """Explain observing, with its effect at each system."""
    aim = _(
        "Observing changes nothing and writes no load, shows where time is lost, and says what an experiment takes."
    )
    return " ".join([aim, *(views_of(system).observing for system in in_order(systems))])


def look_line(looked: Look) -> str:
    """Return in one sentence the servers looked at, as the first system says it."""
    system, first = looked.by_system[0]
    return views_of(system).look_line(first)


def look_cost(looked: Look) -> Observed:
    """Return the part of a look with the cost of the whole: each part counts on."""
    newest: Observed = looked.by_system[-1][1]
    return newest


def cost_line(looked: Look) -> str:
    """Return the cost of the look itself for the servers."""
    cost = look_cost(looked)
    text = _("This observation sent {count} statements, all of them reading; together they took {time}.")
    return text.format(count=number(cost.statements), time=duration(cost.statement_ms / 1000))


def costs_table(looked: Look) -> TableContent:
    """Return the cost of an experiment that would find out more, for all systems."""
    parts: list[Observed] = [part for _system, part in looked.by_system]
    return costs_of_experiments([cost for part in parts for cost in part.costs])


def look_pages(systems: Mapping[str, System]) -> tuple[ObservedPage, ...]:
    """Return the pages of every system, each once; one that several share is called after all of them."""
    pages: dict[str, ObservedPage] = {}
    titles: dict[str, list[str]] = {}
    for system in in_order(systems.values()):
        for page in views_of(system).pages:
            pages.setdefault(page.page_id, page)
            titles.setdefault(page.page_id, []).append(page.title)
    return tuple(replace(page, title=_tab_title(titles[page_id])) for page_id, page in pages.items())


def _tab_title(titles: list[str]) -> str:
    together = listed(titles)
    return together if "&" in together else f"&{together}"


def shown_pages(looked: Look) -> frozenset[str]:
    """Return the ids of the pages a look has something for."""
    return frozenset(page.page_id for system, _seen in looked.by_system for page in views_of(system).pages)


def look_content(looked: Look) -> Mapping[str, Content]:
    """Return the contents of the pages' parts, by name; of a shared page, those of the first."""
    contents: dict[str, Content] = {}
    for system, part in looked.by_system:
        contents = {**views_of(system).look_content(part), **contents}
    return contents


def look_plots(looked: Look) -> tuple[PlotSpec, ...]:
    """Return the plots of a look's history, the last first: how late things were, then how much there was."""
    content = look_content(looked)
    plots = [
        content.get(part.name)
        for system, _seen in looked.by_system
        for page in views_of(system).pages
        for part in page.parts
        if part.kind is PartKind.PLOT
    ]
    return tuple(plot for plot in reversed(plots) if isinstance(plot, PlotSpec))


def look_watched(looked: Look) -> Mapping[str, Content]:
    """Return the figures of systems without a history, by the parts of `watched_page`; empty where no row was seen.

    A history too short for a plot is told by what limits each process, and what the rules say.
    """
    names = {part.name for part in watched_page("").parts}
    content = {name: part for name, part in look_content(looked).items() if name in names}
    if not content:
        pages = [page for system, _seen in looked.by_system for page in views_of(system).pages]
        content = next((told for page in pages if (told := _told(page, look_content(looked)))), {})
    return content if any(isinstance(part, TableContent) and part.rows for part in content.values()) else {}


def _told(page: ObservedPage, content: Mapping[str, Content]) -> dict[str, Content]:
    """Return the present table and the texts of a page as `watched_page` names them, empty where it has none."""
    table = next((content.get(p.name) for p in page.parts if p.kind is PartKind.TABLE and not p.is_history), None)
    texts = [content.get(part.name) for part in page.parts if part.kind in (PartKind.LINE, PartKind.TEXT)]
    if not isinstance(table, TableContent):
        return {}
    return dict(watched_content(table, ["\n\n".join(text for text in texts if isinstance(text, str) and text)]))


def look_history(looked: Look) -> TableContent | None:
    """Return the history that can be copied and exported, None where none was read."""
    kept = (views_of(system).history(part) for system, part in looked.by_system)
    return next((history for history in kept if history is not None), None)
