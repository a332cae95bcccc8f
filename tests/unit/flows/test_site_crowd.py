"""Of hundreds of servers the worst are drawn, or those searched for, and the others counted."""

from app.domain.site_picture import SiteHop, SiteNode, SitePicture, Standing
from app.flows.site_crowd import MOST_DRAWN, WORST_DRAWN, drawn_of, search_line

_TROUBLED = {7: Standing.STOPPED, 300: Standing.SILENT, 899: Standing.BEHIND}


def _hop(number: int) -> SiteHop:
    standing = _TROUBLED.get(number, Standing.KEEPS_UP)
    return SiteHop(f"hop/{number}", "dist", f"sub/{number}", f"Copy{number}", "Distribution Agent", standing, "state")


def _chain(subscribers: int) -> SitePicture:
    """By hand: one Publisher, one Distributor, and Subscribers of which three are in trouble."""
    nodes = (SiteNode("pub", 0, "PUB1", "Publisher"), SiteNode("dist", 1, "DIST1", "Distributor"))
    shops = tuple(SiteNode(f"sub/{number}", 2, f"SHOP{number}", "Subscriber") for number in range(1, subscribers + 1))
    reader = SiteHop("reader", "pub", "dist", "Sales", "Log Reader Agent", Standing.KEEPS_UP, "state")
    return SitePicture((*nodes, *shops), (reader, *(_hop(number) for number in range(1, subscribers + 1))))


def test_what_fits_is_drawn_as_it_is() -> None:
    """The boundary: so many hops, and one more."""
    few, many = _chain(MOST_DRAWN), _chain(MOST_DRAWN + 1)
    assert drawn_of(few).picture is few
    assert not drawn_of(few, "SHOP1").is_crowded
    assert len(drawn_of(many).picture.hops) == 1 + WORST_DRAWN + 1


def test_the_worst_of_nine_hundred_are_drawn_and_the_others_counted() -> None:
    """All in trouble are among those drawn; the box of the others counts what is not."""
    drawn = drawn_of(_chain(900))
    *shown, others = drawn.picture.hops
    assert {"hop/7", "hop/300", "hop/899", "reader"} < {hop.key for hop in shown}
    assert len(shown) == 1 + WORST_DRAWN
    assert (others.name, others.lines) == ("890 more", ("keeps up: 890",))
    assert [node.name for node in drawn.picture.nodes if node.key == others.destination] == ["890 more"]
    assert len(drawn.picture.nodes) == 2 + WORST_DRAWN + 1


def test_a_search_draws_what_it_finds() -> None:
    """By the name of a server or of a process, in any case; a box chosen stays."""
    chain = _chain(900)
    drawn = drawn_of(chain, "shop45", chosen="hop/600")
    keys = {hop.key for hop in drawn.picture.hops}
    assert {"hop/45", "hop/450", "hop/458", "hop/600", "reader"} < keys
    assert "hop/7" not in keys
    assert search_line([drawn], "shop45") == "11 found; the 10 worst of them are drawn"
    assert {hop.key for hop in drawn_of(chain, "copy899").picture.hops} >= {"hop/899", "reader"}
    assert search_line([drawn_of(chain, "nobody")], "nobody") == "0 found"
    assert search_line([drawn_of(chain, "shop")], "shop") == "900 found; the 10 worst of them are drawn"


def test_what_a_search_leaves_out_is_told_with_its_trouble() -> None:
    """A stopped agent that is not drawn is counted as stopped."""
    others = drawn_of(_chain(900), "shop450").picture.hops[-1]
    assert others.lines == ("stopped: 1", "no answer: 1", "falls behind: 1", "keeps up: 896")
    assert others.standing is Standing.STOPPED


def test_hundreds_of_databases_of_one_publisher_are_counted_at_it() -> None:
    """They lead from a server that is drawn to one that is drawn: no box stands for other servers."""
    nodes = (SiteNode("pub", 0, "PUB1", "Publisher"), SiteNode("dist", 1, "DIST1", "Distributor"))
    hops = tuple(
        SiteHop(f"hop/{number}", "pub", "dist", f"Db{number}", "Log Reader Agent", Standing.KEEPS_UP, "state")
        for number in range(300)
    )
    drawn = drawn_of(SitePicture(nodes, hops))
    assert drawn.picture.nodes == nodes
    assert drawn.picture.hops[-1].name == "290 more"
