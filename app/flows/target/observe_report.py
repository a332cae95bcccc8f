"""The report of a site that was only looked at: its limits, worthwhile experiments, and how it stands."""

from collections.abc import Iterator, Sequence
from datetime import datetime

from app.domain.plot import PlotSpec, SiteFigure
from app.domain.session import Advice, Environment, SessionRecord
from app.domain.site_picture import hop_sentence, node_sentence
from app.domain.view import TableContent
from app.flows.site_crowd import drawn_of, search_line
from app.flows.system_views import Content, ObservedPart, PartKind, views_of
from app.flows.target.night_log import MOST_EVENTS, NightLog
from app.flows.target.observe_view import cost_line, costs_table, look_content, look_history, look_line, observing_text
from app.flows.target.site_view import site_pictures, standing_line
from app.flows.topology_tree import Node, walk
from app.flows.words import counted, sentence
from app.foundation.texts import _
from app.foundation.version import VERSION
from app.reporting.blocks import Attachment, Block, Bullets, FigureBlock, Heading, Paragraph, Section, fields
from app.reporting.export.csv_export import readings_csv
from app.reporting.printed import printed
from app.reporting.request import ReportRequest
from app.services.look.discovering import Discovery
from app.services.look.looking import Look
from app.services.look.watching import LiveReading


def site_report(
    discovery: Discovery,
    looked: Look,
    issued_utc: datetime,
    night: NightLog | None = None,
    reading: LiveReading | None = None,
) -> ReportRequest:
    """Return the report of a target that was discovered and looked at; nothing was changed, and nothing is claimed.

    Args:
        night: of a watch that went before the look, None where there was none.
        reading: how the site stood with it, None where that was not read.
    """
    pictures = _pictures(discovery, looked, reading)
    plots: list[PlotSpec] = []
    sections = (
        Section(_("What the watch saw"), tuple(() if night is None else _night(night))),
        Section(_("What was found"), tuple(_found(looked, plots, len(pictures)))),
        Section(_("What is worth testing"), tuple(_worth_testing(looked))),
        Section(_("The site as it is now"), (*_drawn(pictures), *_site(discovery))),
        Section(_("Method"), tuple(_method(discovery, looked))),
    )
    session = SessionRecord(
        session_id=f"O{issued_utc:%Y%m%d-%H%M%S}",
        title=_("Replication as it is now"),
        client="",
        consultant="",
        created_utc=issued_utc,
        app_version=VERSION,
        environments=(Environment(discovery.target),),
        runs=(),
    )
    advice = Advice((), (), (), (), tuple(plots))
    history = look_history(looked)
    what = _("The history that was read, hour by hour.")
    files = () if history is None else (Attachment("history.csv", readings_csv(history), "text/csv", what),)
    observed = tuple(section for section in sections if section.blocks)
    return ReportRequest(
        session, advice, issued_utc, observed=observed, observed_figures=tuple(pictures), observed_files=files
    )


def _pictures(discovery: Discovery, looked: Look, reading: LiveReading | None) -> list[SiteFigure]:
    """Return the topology of each system; of a crowd the worst are drawn and the others counted, as in a window."""
    found: list[SiteFigure] = []
    for picture in site_pictures(discovery, looked, reading):
        part = drawn_of(picture)
        told = [_("The servers, and the processes that carry changes from left to right, the worst first.")]
        told += [f"{search_line([part], '')}."] if part.is_crowded else []
        told += [_("Read at {as_of}.").format(as_of=picture.as_of)] if picture.as_of else []
        alt = " ".join(
            [
                *map(sentence, map(node_sentence, part.picture.nodes)),
                *map(sentence, map(hop_sentence, part.picture.hops)),
            ]
        )
        found.append(SiteFigure(f"site/{len(found)}", " ".join(told), alt, part.picture))
    return found


def _drawn(pictures: Sequence[SiteFigure]) -> Iterator[Block]:
    for index, figure in enumerate(pictures):
        if figure.picture.hops:
            yield Paragraph(standing_line([figure.picture]))
        yield FigureBlock(index, figure.title, figure.alt)


def _night(night: NightLog) -> Iterator[Block]:
    yield Paragraph(night.summary())
    yield from _titled("", night.table())
    if night.events:
        yield Heading(_("What changed when"), minor=True)
        yield Bullets(tuple(night.events[:MOST_EVENTS]), small=True)
    if (more := len(night.events) - MOST_EVENTS) > 0:
        yield Paragraph(counted(more, _("1 further change."), _("{count} further changes.")), quiet=True)


def _found(looked: Look, plots: list[PlotSpec], pictures: int) -> Iterator[Block]:
    """Yield the pages of a look, the findings of each first, but for its history row by row.

    Args:
        pictures: how many figures are counted before the plots.
    """
    content = look_content(looked)
    told: set[str] = set()
    for system, _observation in looked.by_system:
        for page in views_of(system).pages:
            parts = [part for part in page.parts if not part.is_history and part.name not in told]
            told |= {part.name for part in parts}
            for part in sorted(parts, key=lambda part: part.kind is not PartKind.TEXT):
                yield from _part(part, content.get(part.name), plots, pictures)


def _part(part: ObservedPart, content: Content, plots: list[PlotSpec], pictures: int) -> Iterator[Block]:
    if isinstance(content, PlotSpec):
        plots.append(content)
        yield FigureBlock(pictures + len(plots) - 1, content.title, content.alt)
    elif isinstance(content, TableContent):
        yield from _titled(part.title, content)
    elif content:
        yield from ([Heading(part.title, minor=True)] if part.title else [])
        lines = content.splitlines()
        yield from _said([line for line in lines if not part.title or line != _("Findings:")])


def _said(lines: Sequence[str]) -> Iterator[Block]:
    """Yield lines of text: those indented below another are a list, and those indented further tell its item."""
    items: list[list[str]] = []
    least = 0
    for line in (*filter(str.strip, lines), ""):
        text = line.lstrip()
        indent = len(line) - len(text)
        if indent:
            least = least if items else indent
            if indent > least:
                items[-1].append(text.rstrip())
            else:
                items.append([text.rstrip()])
            continue
        yield from _listed(items)
        items = []
        if line:
            yield Paragraph(line)


def _listed(items: Sequence[Sequence[str]]) -> Iterator[Block]:
    """Yield a list: an item with more to tell is a paragraph of its own."""
    if any(told for _item, *told in items):
        yield from (Paragraph(" ".join(told), label=f"{item}.") for item, *told in items)
    elif items:
        yield Bullets(tuple(item for item, *_told in items), small=True)


def _titled(title: str, content: TableContent) -> Iterator[Block]:
    if not content.rows:
        return
    if title:
        yield Heading(title, minor=True)
    yield printed(content)


def _worth_testing(looked: Look) -> Iterator[Block]:
    costs = costs_table(looked)
    if costs.rows:
        yield Paragraph(
            _("Each of these experiments shows by trials what observing alone cannot, and undoes what it changes.")
        )
        yield from _titled("", costs)


def _site(discovery: Discovery) -> Iterator[Block]:
    """Yield every node with its facts, and its parameters that somebody set to another value than the default."""
    for system, discovered in discovery.by_system:
        views = views_of(system)
        for node in (below for root in views.tree(discovered) for below in walk(root)):
            yield from _node(node)
            parameters = views.node_parameters(discovered, node, only_different=True) if node.tuned else None
            if parameters is not None:
                yield Paragraph(parameters.summary, quiet=True)
                yield from _titled("", parameters.content)


def _node(node: Node) -> Iterator[Block]:
    if node.facts or node.tuned or (node.details is not None and node.details.rows):
        yield Heading(node.heading or node.title, minor=True)
    if node.facts:
        yield fields(node.facts, columns=2)
    if node.details is not None:
        yield from _titled("", node.details)


def _method(discovery: Discovery, looked: Look) -> Iterator[Block]:
    yield Paragraph(observing_text([system for system, _observation in looked.by_system]))
    yield Paragraph(f"{look_line(looked)}. {cost_line(looked)}".replace("..", "."))
    yield Paragraph(
        _("Nothing was measured under this program's own workload, so it recommends no change of a setting.")
    )
    yield from (Paragraph(sentence(text)) for text in discovery.unread)
