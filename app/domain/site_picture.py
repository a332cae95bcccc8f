"""The picture of a site: servers in columns and the flow of changes between them; systems fill it."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from app.foundation.texts import _


class Standing(StrEnum):
    """How a server or a hop stands."""

    STOPPED = "stopped"
    FAILING = "failing"
    SILENT = "silent"
    BEHIND = "behind"
    UNKNOWN = "unknown"
    KEEPS_UP = "keeps up"


_TROUBLED: Final = frozenset({Standing.STOPPED, Standing.FAILING, Standing.SILENT, Standing.BEHIND})
_WORST_FIRST: Final = {standing: place for place, standing in enumerate(Standing)}


def standing_title(standing: Standing) -> str:
    """Return a standing's title in the legend."""
    return {
        Standing.STOPPED: _("stopped"),
        Standing.FAILING: _("fails"),
        Standing.SILENT: _("no answer"),
        Standing.BEHIND: _("falls behind"),
        Standing.UNKNOWN: _("not known"),
        Standing.KEEPS_UP: _("keeps up"),
    }[standing]


@dataclass(frozen=True)
class SiteNode:
    """One server, or database, of the picture.

    Attributes:
        key: of what the tree shows of it; unique in the picture.
        column: from the left, where changes come from.
        lines: what is known of it, each with its unit.
        differing: what is not at its default there, a phrase each.
        trouble: one sentence on it; "" where nothing is.
    """

    key: str
    column: int
    name: str
    role: str
    lines: tuple[str, ...] = ()
    standing: Standing = Standing.KEEPS_UP
    differing: tuple[str, ...] = ()
    trouble: str = ""


@dataclass(frozen=True)
class SiteHop:
    """The process that carries changes from one server to the next.

    Attributes:
        key: of what the tree shows of it, or a key of its own; unique in the picture.
        source, destination: keys of nodes in neighbouring columns.
        name: of the process, database or path. kind: what it is.
        state: in a word or two, beside the icon of its standing.
        lines: rate, latency, what waits and what limits it, each with its unit.
        differing: parameters not at their default, with value and default.
        waits: by how much it is behind, to tell the worst of those that stand alike; its unit is the system's.
        trouble: one sentence on it, with figures; "" for name and state.
    """

    key: str
    source: str
    destination: str
    name: str
    kind: str
    standing: Standing
    state: str
    lines: tuple[str, ...] = ()
    differing: tuple[str, ...] = ()
    waits: float = 0.0
    trouble: str = ""

    @property
    def badness(self) -> tuple[int, float, str]:
        """Return a sort key, the worst first."""
        return _WORST_FIRST[self.standing], -self.waits, self.name


@dataclass(frozen=True)
class SitePicture:
    """One system at one moment.

    Attributes:
        as_of: when it was read, by the server's clock, with the clock's name; "" before the first reading.
        threshold: from which value on a hop counts as behind, one sentence; "" where the system has none.
    """

    nodes: tuple[SiteNode, ...]
    hops: tuple[SiteHop, ...]
    as_of: str = ""
    threshold: str = ""

    def node(self, key: str) -> SiteNode | None:
        """Return a node by its key."""
        return next((node for node in self.nodes if node.key == key), None)

    def hop(self, key: str) -> SiteHop | None:
        """Return a hop by its key."""
        return next((hop for hop in self.hops if hop.key == key), None)


@dataclass(frozen=True)
class Trouble:
    """One trouble at a site, in words.

    Attributes:
        key: of the box it is about.
    """

    key: str
    standing: Standing
    text: str


def troubles(pictures: Sequence[SitePicture]) -> tuple[Trouble, ...]:
    """Return the troubles of a site, the worst first: of hops, and of servers that cannot be read."""
    hops = sorted((hop for picture in pictures for hop in picture.hops), key=lambda hop: hop.badness)
    found = [
        Trouble(hop.key, hop.standing, hop.trouble or f"{hop.kind} {hop.name}: {hop.state}")
        for hop in hops
        if hop.trouble or hop.standing in _TROUBLED
    ]
    nodes = {node.name: node for picture in pictures for node in picture.nodes if node.trouble}
    found += [Trouble(node.key, node.standing, node.trouble) for node in nodes.values()]
    return tuple(sorted(found, key=lambda one: _WORST_FIRST[one.standing]))  # stable: the worst of a kind stays first


@dataclass(frozen=True)
class Gap:
    """The hops between two columns, in the order they stand.

    Attributes:
        gathers: whether many servers lead to one, so that hops are grouped by where they come from.
        groups: hops of one server each, the group with the worst first.
    """

    column: int
    gathers: bool
    groups: tuple[tuple[SiteHop, ...], ...]


def gaps_of(picture: SitePicture) -> tuple[Gap, ...]:
    """Return the hops gap by gap, grouped by the server on the side that has more of them, the worst first."""
    column_of = {node.key: node.column for node in picture.nodes}
    by_column: dict[int, list[SiteHop]] = {}
    for hop in picture.hops:
        if hop.source in column_of and hop.destination in column_of:
            by_column.setdefault(column_of[hop.source], []).append(hop)
    return tuple(_gap(column, hops) for column, hops in sorted(by_column.items()))


def _gap(column: int, hops: Sequence[SiteHop]) -> Gap:
    gathers = len({hop.source for hop in hops}) > len({hop.destination for hop in hops})
    groups: dict[tuple[str, str], list[SiteHop]] = {}
    for hop in sorted(hops, key=lambda hop: hop.badness):
        one, many = (hop.destination, hop.source) if gathers else (hop.source, hop.destination)
        groups.setdefault((one, many), []).append(hop)
    ones = list(dict.fromkeys(one for one, _many in groups))
    ordered = sorted(groups.items(), key=lambda group: ones.index(group[0][0]))  # stable: the worst stays first
    return Gap(column, gathers, tuple(tuple(own) for _key, own in ordered))


def hop_sentence(hop: SiteHop) -> str:
    """Return a hop as a screen reader says it, and as its tooltip has it."""
    return "; ".join((f"{hop.kind} {hop.name}", hop.state, *hop.lines, *hop.differing))


def node_sentence(node: SiteNode) -> str:
    """Return a server as a screen reader says it, and as its tooltip has it."""
    return "; ".join((f"{node.role} {node.name}", standing_title(node.standing), *node.lines, *node.differing))


def hop_heading(hop: SiteHop) -> str:
    """Return the heading below the picture of a chosen hop."""
    return f"{hop.kind} {hop.name}: {hop.state}"


def node_heading(node: SiteNode) -> str:
    """Return the heading below the picture of a chosen server."""
    return f"{node.role} {node.name}"
