"""Everything one can go to by its name: pages, parts of the site, parameters, runs, notes and help, as plain data."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final

from app.flows.shell.help_view import help_groups
from app.flows.shell.start_view import local_time
from app.flows.target.topology_found import found_tree, node_parameters
from app.flows.topology_tree import walk
from app.foundation.texts import _
from app.services.hand_over.engagement import read_engagement
from app.services.look.discovering import Discovery

MOST_SHOWN: Final = 60
_LONGEST_NOTE: Final = 120


class PlaceKind(StrEnum):
    """The kind of a place."""

    PAGE = "page"
    SITE = "site"
    PARAMETER = "parameter"
    RUN = "run"
    NOTE = "note"
    HELP = "help"

    @property
    def word(self) -> str:
        """The kind as a person reads it."""
        return {
            PlaceKind.PAGE: _("page"),
            PlaceKind.SITE: _("site"),
            PlaceKind.PARAMETER: _("parameter"),
            PlaceKind.RUN: _("run"),
            PlaceKind.NOTE: _("note"),
            PlaceKind.HELP: _("help"),
        }[self]


@dataclass(frozen=True)
class Place:
    """One place.

    Attributes:
        title: its name, with what it belongs to.
        key: names it among its kind: an action, a node of the site, a session and run with a blank between them, or a
            page of the help.
        file: of a run or note.
    """

    kind: PlaceKind
    title: str
    key: str
    file: Path | None = None


def site_places(discovery: Discovery | None) -> tuple[Place, ...]:
    """Return the nodes of a site, each with its own name, and their parameters with the values in effect."""
    if discovery is None:
        return ()
    nodes = [node for root in found_tree(discovery) for node in walk(root)]
    places = [Place(PlaceKind.SITE, node.heading, node.key) for node in nodes]
    for node in nodes:
        parameters = node_parameters(discovery, node, only_different=False)
        rows = () if parameters is None else parameters.content.rows
        for row in rows:
            name, value = (cell.text for cell in row.cells[:2])
            title = _("{parameter} {value} · {node}").format(parameter=name, value=value, node=node.heading)
            places.append(Place(PlaceKind.PARAMETER, title, node.key))
    return tuple(places)


def file_places(path: Path) -> tuple[Place, ...]:
    """Return the runs and notes of a session file, the newest first; for a worker thread.

    Raises:
        StoreError: the file cannot be read.
    """
    places: list[Place] = []
    for session in read_engagement(path).sessions:
        header = session.overview.header
        for run in reversed(session.runs):
            title = " · ".join((run.run_id, header.title, local_time(header.created_utc)))
            places.append(Place(PlaceKind.RUN, title, f"{session.session_id} {run.run_id}", path))
        for remark in reversed(session.remarks):
            text = " ".join(remark.text.split())[:_LONGEST_NOTE]
            places.append(Place(PlaceKind.NOTE, text, f"{session.session_id} {remark.run_id}", path))
    return tuple(places)


def help_places(families: tuple[str, ...]) -> tuple[Place, ...]:
    """Return the pages of the help."""
    pages = (page for group in help_groups(families) for page in group.pages)
    return tuple(Place(PlaceKind.HELP, page.title, page.name) for page in pages)


def matching(places: Iterable[Place], typed: str) -> Sequence[Place]:
    """Return the places that hold every word typed, in title or kind; those that begin with it come first."""
    words = typed.casefold().split()
    found = [place for place in places if all(word in f"{place.title} {place.kind.word}".casefold() for word in words)]
    start = typed.strip().casefold()
    found.sort(key=lambda place: not place.title.casefold().startswith(start))
    return found[:MOST_SHOWN]
