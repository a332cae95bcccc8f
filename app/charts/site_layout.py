"""Where the boxes of a site's picture stand: servers in columns, hops in the gaps between them, row by row."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QRectF

from app.domain.site_picture import Gap, SiteHop, SiteNode, SitePicture, gaps_of

FULL_HOPS: Final = 12
"""So many hops of a gap, the worst ones, are drawn with all their lines; the others in one line each."""

_ROW_GAP: Final = 10.0
_ARROW: Final = 14.0
_NODE_SHARE: Final = 0.46
"""Of the width without arrows: that of all servers; the rest is that of the hops."""
_MOST_NODE_SHARE: Final = 0.6
"""As much at most, where words of the servers need it."""


@dataclass(frozen=True)
class NodeBox:
    """A server's box; one that hops of several groups lead to has several."""

    node: SiteNode
    rect: QRectF


@dataclass(frozen=True)
class HopBox:
    """A hop's box, with the right edge of the server before it and the left edge of the one behind it."""

    hop: SiteHop
    rect: QRectF
    from_x: float
    to_x: float
    is_full: bool


@dataclass(frozen=True)
class PictureLayout:
    """All boxes, and the height they need."""

    nodes: tuple[NodeBox, ...]
    hops: tuple[HopBox, ...]
    height: float


@dataclass(frozen=True)
class Heights:
    """How high boxes must be at a width, and how wide a server's box for its longest word."""

    node: Callable[[SiteNode, float], float]
    word_width: Callable[[Sequence[SiteNode]], float]
    hop: Callable[[SiteHop, float, bool], float]


class _Placing:
    """Places the boxes of one picture."""

    def __init__(self, picture: SitePicture, width: float, heights: Heights, full_hops: int) -> None:
        self._picture = picture
        self._heights = heights
        self._full_hops = full_hops
        self._columns = sorted({node.column for node in picture.nodes})
        gaps = max(len(self._columns) - 1, 0)
        boxes = max(width - 2 * gaps * _ARROW, 1.0)
        columns = max(len(self._columns), 1)
        wanted = heights.word_width(picture.nodes) * columns / boxes
        share = min(max(_NODE_SHARE, wanted), _MOST_NODE_SHARE) if gaps else 1.0
        self.node_width = boxes * share / columns
        self.hop_width = boxes * (1 - share) / max(gaps, 1)

    def _node_x(self, column: int) -> float:
        return self._columns.index(column) * (self.node_width + self.hop_width + 2 * _ARROW)

    def placed(self) -> PictureLayout:
        """Return the layout."""
        gaps = gaps_of(self._picture)
        lone = max((self._heights.node(node, self.node_width) for node in self._picture.nodes), default=0.0)
        height = max((lone, *(sum(self._row_heights(gap)) for gap in gaps)))
        hops: list[HopBox] = []
        spans: dict[int, list[tuple[str, float, float]]] = {}
        for gap in gaps:
            rows = self._gap_rows(gap, height)
            hops += rows
            self._span_nodes(gap, rows, spans)
        nodes = [box for column in self._columns for box in self._column_boxes(column, spans.get(column, []), height)]
        bottom = max((height, *(box.rect.bottom() for box in nodes)))
        return PictureLayout(tuple(nodes), tuple(hops), bottom)

    def _row_heights(self, gap: Gap) -> list[float]:
        """Return the height of each group with the gap below it: at least that of the server it leads to."""
        return [self._group_height(gap, group) + _ROW_GAP for group in gap.groups]

    def _group_height(self, gap: Gap, group: Sequence[SiteHop]) -> float:
        own = sum(self._hop_height(gap, hop) + _ROW_GAP for hop in group) - _ROW_GAP
        many = self._picture.node(group[0].source if gap.gathers else group[0].destination)
        if many is None or not all(self._is_full(gap, hop) for hop in group):
            return own
        return max(own, self._heights.node(many, self.node_width))

    def _hop_height(self, gap: Gap, hop: SiteHop) -> float:
        return self._heights.hop(hop, self.hop_width, self._is_full(gap, hop))

    def _is_full(self, gap: Gap, hop: SiteHop) -> bool:
        full = sorted((one for group in gap.groups for one in group), key=lambda one: one.badness)[: self._full_hops]
        return hop in full

    def _gap_rows(self, gap: Gap, height: float) -> list[HopBox]:
        left = self._node_x(gap.column) + self.node_width
        right = left + 2 * _ARROW + self.hop_width
        rows, used = self._row_heights(gap), sum(self._row_heights(gap)) - _ROW_GAP
        spare = max(height - used, 0.0) / len(rows)
        boxes: list[HopBox] = []
        top = spare / 2
        for group, row in zip(gap.groups, rows, strict=True):
            own = sum(self._hop_height(gap, hop) + _ROW_GAP for hop in group) - _ROW_GAP
            y = top + (row - _ROW_GAP - own) / 2
            for hop in group:
                tall = self._hop_height(gap, hop)
                rect = QRectF(left + _ARROW, y, self.hop_width, tall)
                boxes.append(HopBox(hop, rect, left, right, self._is_full(gap, hop)))
                y += tall + _ROW_GAP
            top += row + spare
        return boxes

    @staticmethod
    def _span_nodes(gap: Gap, rows: Sequence[HopBox], spans: dict[int, list[tuple[str, float, float]]]) -> None:
        for column, keys in (
            (gap.column, [box.hop.source for box in rows]),
            (gap.column + 1, [box.hop.destination for box in rows]),
        ):
            own: list[tuple[str, float, float]] = []
            for key, box in zip(keys, rows, strict=True):
                if own and own[-1][0] == key:
                    own[-1] = (key, own[-1][1], box.rect.bottom())
                else:
                    own.append((key, box.rect.top(), box.rect.bottom()))
            if len(own) > len(spans.get(column, [])):
                spans[column] = own

    def _column_boxes(self, column: int, spans: Sequence[tuple[str, float, float]], height: float) -> list[NodeBox]:
        x = self._node_x(column)
        own = [node for node in self._picture.nodes if node.column == column]
        if len(own) == 1:
            return [NodeBox(own[0], QRectF(x, 0.0, self.node_width, height))]
        boxes: list[NodeBox] = []
        bottom = 0.0
        for key, top, end in spans:
            node = self._picture.node(key)
            if node is not None:
                least = self._heights.node(node, self.node_width) if len(spans) <= self._full_hops else 0.0
                tall = max(end - top, least)
                y = max((top + end - tall) / 2, bottom)
                boxes.append(NodeBox(node, QRectF(x, y, self.node_width, tall)))
                bottom = y + tall + _ROW_GAP / 2
        placed = {box.node.key for box in boxes}
        for node in own:
            if node.key not in placed:
                tall = self._heights.node(node, self.node_width)
                boxes.append(NodeBox(node, QRectF(x, bottom, self.node_width, tall)))
                bottom += tall + _ROW_GAP
        return boxes


def place(picture: SitePicture, width: float, heights: Heights, full_hops: int = FULL_HOPS) -> PictureLayout:
    """Return where everything stands at a width.

    Args:
        full_hops: how many hops of a gap are drawn with all their lines.
    """
    return _Placing(picture, width, heights, full_hops).placed()
