"""The picture of a site with hundreds of servers: the worst ones, or those searched for, and the others counted."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import Final

from app.domain.setting import value_text
from app.domain.site_picture import Gap, SiteHop, SiteNode, SitePicture, Standing, gaps_of, standing_title
from app.foundation.texts import _

MOST_DRAWN: Final = 24
"""So many hops between two columns are all drawn: about three screens."""
WORST_DRAWN: Final = 10
"""Of more, so many: with the one chosen and the box of the others as many as are drawn with all their lines."""


@dataclass(frozen=True)
class DrawnPicture:
    """The part of a picture that is drawn.

    Attributes:
        is_crowded: whether others are counted only.
        found: how many hops have the words searched for in a name.
    """

    picture: SitePicture
    is_crowded: bool
    found: int


def drawn_of(picture: SitePicture, wanted: str = "", chosen: str = "") -> DrawnPicture:
    """Return the part of a picture that is drawn: of many hops the worst, and the others counted in a box.

    Args:
        wanted: words of a search; hops with them in a name, or in that of one of their servers, stand for the worst.
        chosen: key of a box that is drawn in any case.
    """
    crowded = [gap for gap in gaps_of(picture) if _count(gap) > MOST_DRAWN]
    if not crowded:
        return DrawnPicture(picture, is_crowded=False, found=0)
    parts = [_part(picture, gap, wanted.casefold().split(), chosen) for gap in crowded]
    drawn = reduce(_without, parts, picture)
    return DrawnPicture(drawn, is_crowded=True, found=sum(part.found for part in parts))


def _without(picture: SitePicture, part: "_Part") -> SitePicture:
    """Return a picture with the box that counts a gap's hops instead of them and of servers nothing else links."""
    hidden = {hop.key for hop in part.rest}
    hops = (*(hop for hop in picture.hops if hop.key not in hidden), *part.hops)
    gone = _linked(picture.hops) - _linked(hops)
    return replace(picture, hops=hops, nodes=(*(n for n in picture.nodes if n.key not in gone), *part.nodes))


@dataclass(frozen=True)
class _Part:
    """The hops of a crowded gap that are counted only, with the hops and servers that stand for them."""

    rest: Sequence[SiteHop]
    hops: Sequence[SiteHop]
    nodes: Sequence[SiteNode]
    found: int


def _part(picture: SitePicture, gap: Gap, words: Sequence[str], chosen: str) -> _Part:
    names = {node.key: node.name.casefold() for node in picture.nodes}
    own = sorted((hop for group in gap.groups for hop in group), key=lambda hop: hop.badness)
    hits = [hop for hop in own if all(word in _searched(hop, gap, names) for word in words)]
    kept = {hop.key for hop in hits[:WORST_DRAWN]}
    kept |= {hop.key for hop in own if chosen in (hop.key, _many(hop, gap))}
    rest = [hop for hop in own if hop.key not in kept]
    hops, nodes = _counted(picture, gap, rest, _linked([hop for hop in own if hop.key in kept]))
    return _Part(rest, hops, nodes, len(hits))


def search_line(crowded: Sequence[DrawnPicture], wanted: str) -> str:
    """Return how many a search found, and without one how many are drawn."""
    found = sum(drawn.found for drawn in crowded)
    if not wanted.strip():
        return _("The {shown} worst are drawn, the others are counted").format(shown=WORST_DRAWN)
    if any(drawn.found > WORST_DRAWN for drawn in crowded):
        words = _("{count} found; the {shown} worst of them are drawn")
        return words.format(count=value_text(found), shown=WORST_DRAWN)
    return _("{count} found").format(count=value_text(found))


def _count(gap: Gap) -> int:
    return sum(len(group) for group in gap.groups)


def _many(hop: SiteHop, gap: Gap) -> str:
    """Return the server of a hop on the side of which there are more."""
    return hop.source if gap.gathers else hop.destination


def _searched(hop: SiteHop, gap: Gap, names: dict[str, str]) -> str:
    return f"{hop.name.casefold()} {names[_many(hop, gap)]}"


def _linked(hops: Sequence[SiteHop]) -> set[str]:
    return {end for hop in hops for end in (hop.source, hop.destination)}


def _counted(
    picture: SitePicture, gap: Gap, rest: Sequence[SiteHop], drawn: set[str]
) -> tuple[list[SiteHop], list[SiteNode]]:
    """Return a hop, and a server where it leads to none that is drawn, for each group of hops that are counted only."""
    by_ends: dict[tuple[str, str], list[SiteHop]] = {}
    column = gap.column if gap.gathers else gap.column + 1
    crowd = f"others/{column}"
    servers: dict[str, SiteNode] = {}
    known = {node.key: node for node in picture.nodes}
    for hop in rest:
        one, many = (hop.destination, hop.source) if gap.gathers else (hop.source, hop.destination)
        if many not in drawn:
            servers[many] = known[many]
            many = crowd
        by_ends.setdefault((one, many), []).append(hop)
    hops = [_sum(gap, one, many, own) for (one, many), own in by_ends.items()]
    if not servers:
        return hops, []
    count = _("{count} more").format(count=value_text(len(servers)))
    role = next(iter(servers.values())).role
    worst = min((node.standing for node in servers.values()), key=list(Standing).index)
    return hops, [SiteNode(crowd, column, count, role, standing=worst)]


def _sum(gap: Gap, one: str, many: str, own: Sequence[SiteHop]) -> SiteHop:
    counts = Counter(hop.standing for hop in own)
    told = [standing for standing in Standing if counts[standing]]
    lines = tuple(f"{standing_title(standing)}: {value_text(counts[standing])}" for standing in told)
    source, destination = (many, one) if gap.gathers else (one, many)
    count = _("{count} more").format(count=value_text(len(own)))
    key = f"others/{source}/{destination}"
    # below all that stand alike
    return SiteHop(key, source, destination, count, own[0].kind, told[0], _("Counted only"), lines, waits=-1.0)
