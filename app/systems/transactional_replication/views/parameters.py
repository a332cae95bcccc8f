"""The parameters of one agent: the value in effect, where it comes from, and how it stands to the default."""

from app.domain.server import EffectiveParameter, differs
from app.domain.view import TableContent
from app.flows.topology_tree import NodeParameters
from app.flows.words import counted
from app.foundation.texts import _
from app.systems.transactional_replication.site import AgentParameters, Replication
from app.systems.transactional_replication.tables import agent_parameters_table


def parameter_table(replication: Replication, agent: str, *, only_different: bool = False) -> TableContent:
    """Return the parameters of an agent, by name."""
    shown = [p for p in parameters_of(replication, agent) if not only_different or differs(p)]
    return agent_parameters_table(shown)


def parameters_of(replication: Replication, agent: str) -> tuple[EffectiveParameter, ...]:
    """Return the parameters in effect of an agent, none for an unknown one."""
    entry: AgentParameters | None = next((a for a in replication.agents if a.agent == agent), None)
    return () if entry is None else entry.parameters


def parameters_summary(replication: Replication, agent: str) -> str:
    """Return in one sentence how many parameters an agent has and how many differ from their default."""
    parameters = parameters_of(replication, agent)
    different = [parameter for parameter in parameters if differs(parameter)]
    if not parameters:
        return _("This agent reported no parameters.")
    number = counted(len(parameters), _("1 parameter"), _("{count} parameters"))
    if not different:
        return _("{number}, all at their defaults.").format(number=number)
    return _("{number}; {different} from the default.").format(
        number=number, different=counted(len(different), _("1 differs"), _("{count} differ"))
    )


def nothing_shown(replication: Replication, agent: str, *, only_different: bool) -> str:
    """Return the text of the table of parameters where it has no rows."""
    if only_different and parameters_of(replication, agent):
        return _("Every parameter of this agent is at its default.")
    return _("This agent reported no parameters.")


def agent_parameters(replication: Replication, agent: str, *, only_different: bool) -> NodeParameters:
    """Return the parameters of an agent with remarks on them."""
    return NodeParameters(
        parameter_table(replication, agent, only_different=only_different),
        parameters_summary(replication, agent),
        nothing_shown(replication, agent, only_different=only_different),
    )
