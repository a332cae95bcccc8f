"""One backlog is one number: a look, its findings, the terminal, the report and the picture word it alike."""

import re
from collections.abc import Iterator

import pytest

from app.domain.site_picture import hop_sentence, node_sentence, troubles
from app.flows.system_views import views_of
from app.services.look.discovering import read_discovery
from app.services.look.look_cost import LookCost
from app.services.look.looking import Looking
from app.systems.transactional_replication.agent_kind import AgentKind
from app.systems.transactional_replication.observing import observe_agents
from app.systems.transactional_replication.offer import agent_ports
from app.systems.transactional_replication.server.agents import SqlServerAgents
from app.systems.transactional_replication.stored_backlog import MOST_COUNTED
from app.systems.transactional_replication.subjects import SYSTEM_ID
from app.systems.transactional_replication.topology import Agent
from tests.labs import SYSTEMS, open_lab
from tests.shipped_rules import ADVISOR

_BACKLOG = re.compile(r"(?:(?:[Oo]ver|[Mm]ore than|[Aa]t least) )?\d[\d,]* commands?\b(?!/s)|not counted")


class _Behind(SqlServerAgents):
    """A Distributor at which so much waits for one Distribution Agent, and nothing for the others."""

    behind = 0
    waits = 0

    def read_backlog(self, agent: Agent, at_most: int) -> int:
        """Count it, up to the bound."""
        super().read_backlog(agent, at_most)
        return min(self.waits, at_most) if agent.agent_id == self.behind else 0


def _told(waits: int, *, is_looked_first: bool) -> Iterator[tuple[str, str]]:
    """Yield every place that tells the backlog of a stopped agent of a lab, by its name."""
    target = open_lab("lan")
    agents = agent_ports(target).agents
    agents.__class__ = _Behind
    assert isinstance(agents, _Behind)
    agents.waits = waits
    agent = agents.discover().agents_of(AgentKind.DISTRIBUTION)[0]
    agents.behind = agent.agent_id
    agents.stop(agent)
    system, views = SYSTEMS[SYSTEM_ID], views_of(SYSTEMS[SYSTEM_ID])
    discovered = read_discovery(target, SYSTEMS).of(SYSTEM_ID)
    earlier = None if is_looked_first else system.read_now(target, discovered, None)
    looked = observe_agents(target, Looking(ADVISOR, LookCost()))
    picture = views.picture(discovered, looked, (system.read_now(target, discovered, earlier),))
    assert picture is not None
    yield "terminal", "\n".join(views.look_lines(looked)[:-6])  # without the costs of experiments
    yield "pages", "\n".join(str(part) for name, part in views.look_content(looked).items() if "text" in name)
    yield "line", str(views.look_content(looked)["waiting"])
    yield "findings", "\n".join(finding.title for finding in looked.findings)
    yield "servers", "\n".join(node_sentence(node) for node in picture.nodes)
    yield "agents", "\n".join(hop_sentence(hop) for hop in picture.hops)
    yield "troubles", "\n".join(trouble.text for trouble in troubles((picture,)))


@pytest.mark.parametrize("is_looked_first", [True, False])
@pytest.mark.parametrize(
    ("waits", "said"),
    [
        (3_400_000, "3,400,000 commands"),
        (MOST_COUNTED - 1, "9,999,999 commands"),
        (MOST_COUNTED, "at least 10,000,000 commands"),
        (200_000_000, "at least 10,000,000 commands"),
    ],
)
def test_one_backlog_is_one_number_everywhere(waits: int, said: str, is_looked_first: bool) -> None:
    """Neither a second bound nor a second wording stands beside it, and it is not called uncounted."""
    told = {
        place: set(_BACKLOG.findall(text.replace("\u00a0", " "))) - {"0 commands"}
        for place, text in _told(waits, is_looked_first=is_looked_first)
    }
    assert told == {place: {said} for place in told}
