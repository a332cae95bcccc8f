"""A site's picture as a figure of a report: every box in it, no taller than a page, whatever the site has."""

from itertools import pairwise
from xml.etree import ElementTree

import pytest

from app.charts.application import ensure_application
from app.charts.fonts import register_fonts
from app.charts.site_figure import MOST_HEIGHT_PX, site_svg
from app.charts.theme import LIGHT
from app.domain.plot import SiteFigure
from app.domain.site_picture import SiteHop, SiteNode, SitePicture, Standing
from app.flows.site_crowd import MOST_DRAWN, drawn_of

_SVG = "{http://www.w3.org/2000/svg}"
_LINES = ("1,000 commands/s · 20 ms", "0 commands wait", "Subscriber is the limit: the reader waits 40 %")


def _site(subscribers: int) -> SitePicture:
    """By hand: one Publisher, one Distributor, and Subscribers of which the third is behind."""
    nodes = (SiteNode("pub", 0, "PUB1", "Publisher"), SiteNode("dist", 1, "DIST1", "Distributor", ("16 CPUs",)))
    shops = tuple(
        SiteNode(f"sub/{number}", 2, f"SHOP{number}", "Subscriber", ("SQL Server 2019 (15.0.2000.5)", "8 CPUs"))
        for number in range(1, subscribers + 1)
    )
    agents = tuple(
        SiteHop(
            f"hop/{number}", "dist", f"sub/{number}", f"Copy{number}", "Distribution Agent",
            Standing.BEHIND if number == 3 else Standing.KEEPS_UP, "90 s behind" if number == 3 else "Keeps up", _LINES,
        )
        for number in range(1, subscribers + 1)
    )  # fmt: skip
    reader = SiteHop("reader", "pub", "dist", "Sales", "Log Reader Agent", Standing.KEEPS_UP, "Keeps up", _LINES)
    return SitePicture((*nodes, *shops), (reader, *agents))


def _drawn(picture: SitePicture) -> ElementTree.Element:
    ensure_application()
    register_fonts()
    return ElementTree.fromstring(
        site_svg(SiteFigure("site/0", "The site", "PUB1 and its Subscribers", picture), LIGHT)
    )


def _texts(root: ElementTree.Element) -> list[str]:
    return ["".join(text.itertext()) for text in root.iter(_SVG + "text")]


def test_every_server_and_process_stands_in_the_figure_as_text() -> None:
    """With its state and its lines, in the shipped font, so that a page can be searched."""
    root = _drawn(_site(4))
    texts = _texts(root)
    assert {"PUB1", "DIST1", "SHOP1", "SHOP4", "Copy3", "90 s behind", "16 CPUs"} <= set(texts)
    assert {text.get("font-family") for text in root.iter(_SVG + "text")} == {LIGHT.font_family}
    assert not any(group.get("font-family") for group in root.iter(_SVG + "g"))


def test_the_legend_tells_the_standings_that_occur() -> None:
    """No more of them: what nobody sees is not explained."""
    texts = _texts(_drawn(_site(4)))
    assert {"keeps up", "falls behind"} <= set(texts)
    assert not {"stopped", "no answer", "not known"} & set(texts)


@pytest.mark.parametrize("subscribers", [1, 12, MOST_DRAWN, 40])
def test_a_figure_fits_on_a_page(subscribers: int) -> None:
    """With every process named that a window draws; those there is no room for in full take one line each."""
    picture = drawn_of(_site(subscribers)).picture
    root = _drawn(picture)
    assert float(root.get("viewBox", "").split()[3]) <= MOST_HEIGHT_PX + 2
    told = " ".join(_texts(root))
    assert all(hop.name in told for hop in picture.hops)
    assert all(node.name in told for node in picture.nodes)


@pytest.mark.parametrize("subscribers", [12, MOST_DRAWN])
def test_no_text_is_written_over_another(subscribers: int) -> None:
    """Of each column, line by line: a box holds what is written into it."""
    columns: dict[float, list[float]] = {}
    for text in _drawn(_site(subscribers)).iter(_SVG + "text"):
        columns.setdefault(float(text.get("x", "0")), []).append(float(text.get("y", "0")))
    for below in columns.values():
        assert all(under - over >= 0.8 * LIGHT.font_px for over, under in pairwise(sorted(below)))
