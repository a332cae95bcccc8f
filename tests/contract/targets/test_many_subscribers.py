"""A chain with nine hundred shops, a third of them switched off: the first picture, and what a look costs."""

from collections import Counter
from pathlib import Path

import pytest

from app.domain.site_picture import Standing
from app.domain.statement import StatementRecord
from app.flows.system_views import views_of
from app.services.look.discovering import read_discovery
from app.services.look.look_cost import LookCost
from app.services.look.looking import Looking, look_at
from tests.labs import SYSTEMS, lab_file, open_lab
from tests.shipped_rules import ADVISOR

SUBSCRIBERS = 900
FIRST_PICTURE_S = 10.0
WHOLE_S = 120.0
MOST_STATEMENTS = 60


@pytest.fixture(scope="module")
def chain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write the scenario: pull subscriptions of one publication, every third Subscriber off."""
    text = lab_file("lan").read_text(encoding="utf-8").replace("pairs = 3 ", f"pairs = {SUBSCRIBERS} ", 1)
    off = [number for number in range(1, SUBSCRIBERS + 1) if number % 10 in (1, 4, 7)]
    site = (
        f"\n[site]\nis_one_publication = true\nunreached_after_s = 15.0\noffline_subscribers = {off}\n"
        f"pull_subscriptions = {list(range(1, SUBSCRIBERS + 1, 2))}\n"
    )
    path = tmp_path_factory.mktemp("chain") / "chain.toml"
    path.write_text(text.replace('name = "lan"', 'name = "chain"') + site, encoding="utf-8")
    return path


def test_the_first_picture_is_there_at_once(chain: Path) -> None:
    """Discovery asks the Distributor and the Publisher, and lists what is alike once."""
    sent: list[StatementRecord] = []
    target = open_lab(chain, on_statement=sent.append)
    began_s = target.clock.monotonic_s()
    discovery = read_discovery(target, SYSTEMS)
    assert target.clock.monotonic_s() - began_s <= FIRST_PICTURE_S
    assert len(sent) <= MOST_STATEMENTS
    ((system, found),) = discovery.by_system
    assert len(found.topology.agents) == SUBSCRIBERS + 1
    lines = views_of(system).discovered_lines(found)
    assert len(lines) < 400
    assert "  Sales1.Sales1Orders → 447 more (pull)" in lines
    assert any("900 Subscribers are not asked" in line for line in lines)


def test_a_look_reads_a_few_agents_and_counts_the_others(chain: Path) -> None:
    """Observed within two minutes and sixty statements; nothing is left out unsaid."""
    cost = LookCost()
    target = open_lab(chain, on_statement=cost.add)
    began_s = target.clock.monotonic_s()
    looked = look_at(target, Looking(ADVISOR, cost))
    assert target.clock.monotonic_s() - began_s <= WHOLE_S
    assert cost.statements <= MOST_STATEMENTS
    ((system, seen),) = looked.by_system
    lines = "\n".join(views_of(system).look_lines(seen))
    assert "Distribution Agent: 896 more are counted" in lines
    assert "900 Subscribers are not asked" in lines
    findings = lines.partition("Findings:")[2]
    assert findings.strip().startswith("1. PUB1-Sales1-Sales1Orders-SUB4-4 fails and is started again and again")
    assert len(lines.splitlines()) < 250


def test_the_picture_tells_who_is_off(chain: Path) -> None:
    """Push agents try again, those of pull subscriptions have no history, and only the others have nothing to do."""
    target = open_lab(chain)
    ((system, found),) = read_discovery(target, SYSTEMS).by_system
    picture = views_of(system).picture(found, None, (system.read_now(target, found, None),))
    assert picture is not None
    states = Counter((hop.standing, hop.state) for hop in picture.hops)
    assert states == {
        (Standing.FAILING, "Tries again"): 90,
        (Standing.UNKNOWN, "No history"): 180,
        (Standing.KEEPS_UP, "Nothing to do"): 631,
    }
    troubles = [hop.trouble for hop in picture.hops if hop.trouble]
    assert troubles[:2] == ["SUB4: its agent fails again and again", "SUB14: its agent fails again and again"]
    assert len(troubles) == 90
