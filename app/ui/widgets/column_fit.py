"""How wide the columns of a table are: as wide as they like where there is room, else without scrolling sideways."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

_MOST_LINES: Final = 3


@dataclass(frozen=True)
class Need:
    """The room one column asks for, pixels.

    Attributes:
        wide_px: with its heading on one line. narrow_px: with it on several.
        least_px: down to which its contents may be cut; as `narrow_px` for numbers, which are never cut.
        is_cut_first: it is cut before others are.
        drawn_px: for what is drawn beside its contents, the first that is given up.
        whole_px: with nothing of its contents cut, where there is room to spare.
        contents_px: of its contents on one line.
    """

    wide_px: int
    narrow_px: int
    least_px: int
    is_cut_first: bool = False
    whole_px: int = 0
    drawn_px: int = 0
    contents_px: int = 0


def fitted(needs: Sequence[Need], room_px: int) -> tuple[int, ...]:
    """Return the width of each column, pixels.

    Headings are broken where one line for each has no room, those that lack most first; then the widest columns of
    words are cut to one width.
    """
    wide = tuple(need.wide_px + need.drawn_px for need in needs)
    if sum(wide) <= room_px:
        return _stretched(wide, needs, room_px - sum(wide))
    widths = tuple(need.narrow_px for need in needs)
    spare_px = room_px - sum(widths)
    if spare_px >= 0:
        share_px = spare_px // max(1, sum(need.drawn_px > 0 for need in needs))
        drawn = tuple(width + min(need.drawn_px, share_px) for width, need in zip(widths, needs, strict=True))
        return _on_one_line(drawn, needs, room_px - sum(drawn))
    for cut in ([need.is_cut_first for need in needs], [True] * len(needs)):
        for most_px in range(max(widths, default=0), 0, -1):
            if sum(widths) <= room_px:
                return widths
            widths = tuple(
                min(width, max(need.least_px, most_px)) if may_cut else width
                for width, need, may_cut in zip(widths, needs, cut, strict=True)
            )
    return widths


def _on_one_line(widths: tuple[int, ...], needs: Sequence[Need], spare_px: int) -> tuple[int, ...]:
    """Return widths with the headings on one line that lack least for it, as many as have room."""
    widened = list(widths)
    for place in sorted(range(len(needs)), key=lambda place: needs[place].wide_px - needs[place].narrow_px):
        lack_px = needs[place].wide_px - needs[place].narrow_px
        if lack_px <= spare_px:
            widened[place] += lack_px
            spare_px -= lack_px
    return tuple(widened)


def _stretched(widths: tuple[int, ...], needs: Sequence[Need], spare_px: int) -> tuple[int, ...]:
    """Return widths with room to spare given to columns of which something is cut; who lacks least has it first."""
    lacks = {place: need.whole_px - width for place, (need, width) in enumerate(zip(needs, widths, strict=True))}
    cut = sorted((place for place, lack in lacks.items() if lack > 0), key=lacks.__getitem__)
    stretched = list(widths)
    for number, place in enumerate(cut):
        more_px = min(lacks[place], spare_px // (len(cut) - number))
        stretched[place] += more_px
        spare_px -= more_px
    return tuple(stretched)


def in_lines(text: str, room_px: int, measure: Callable[[str], int]) -> str:
    """Return a heading over as few lines as its longest has room on, three at most, those as short as they can be."""
    words = text.split(" ")
    tried = [text]
    for lines in range(1, min(_MOST_LINES, len(words)) + 1):
        broken = [_broken(words, places) for places in combinations(range(1, len(words)), lines - 1)]
        tried.append(min(broken, key=lambda one: longest_px(one, measure)))
        if longest_px(tried[-1], measure) <= room_px:
            return tried[-1]
    return min(tried, key=lambda one: longest_px(one, measure))


def longest_px(text: str, measure: Callable[[str], int]) -> int:
    """Return the width of the longest line of a text, pixels."""
    return max(measure(line) for line in text.split("\n"))


def _broken(words: Sequence[str], places: Sequence[int]) -> str:
    ends = (*places, len(words))
    begins = (0, *places)
    return "\n".join(" ".join(words[begin:end]) for begin, end in zip(begins, ends, strict=True))
