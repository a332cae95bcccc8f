"""The parameters of one agent: the value in effect, where it comes from, and how it stands to the default."""

from app.domain.server import EffectiveParameter
from app.domain.units import unit_word
from app.flows.table_view import Cell, Column, Emphasis, Row, TableContent, number_cell, text_cell
from app.flows.target.parameter_values import as_number, differs
from app.flows.topology_tree import NodeParameters
from app.flows.words import counted
from app.foundation.texts import _
from app.systems.transactional_replication.site import AgentParameters, Replication


def origin_text(origin: str) -> str:
    """Return where a value comes from, as shown."""
    return {
        "job step": _("job step"),
        "profile": _("agent profile"),
        "subscription": _("subscription"),
        "default": _("default"),
    }.get(origin, origin)


def origin_hint(origin: str) -> str:
    """Return in one sentence what it means that a value comes from there."""
    return {
        "job step": _("Named in the command of the agent's job step, which beats its profile."),
        "profile": _("Named in the profile assigned to this agent."),
        "subscription": _("Set for the subscription itself."),
        "default": _("Named nowhere: the agent uses its default."),
    }.get(origin, "")


def parameter_columns() -> tuple[Column, ...]:
    """Return the columns of the table of parameters."""
    return (
        Column("name", _("Parameter"), hint=_("The vendor's name.")),
        Column("value", _("In effect"), is_number=True, hint=_("What the agent really uses; bold: not the default.")),
        Column("unit", _("Unit"), hint=_("What the numbers of this row count.")),
        Column("origin", _("Comes from"), hint=_("The strongest place that names a value.")),
        Column("default", _("Default"), is_number=True, hint=_("What the agent uses where nothing names a value.")),
        Column("low", _("Smallest"), is_number=True, hint=_("Smallest value accepted, – where none is stated.")),
        Column("high", _("Largest"), is_number=True, hint=_("Largest value accepted, – where none is stated.")),
    )


def parameter_table(replication: Replication, agent: str, *, only_different: bool = False) -> TableContent:
    """Return the parameters of an agent, by name."""
    shown = [p for p in parameters_of(replication, agent) if not only_different or differs(p)]
    return TableContent(parameter_columns(), tuple(_parameter_row(parameter) for parameter in shown))


def parameters_of(replication: Replication, agent: str) -> tuple[EffectiveParameter, ...]:
    """Return the parameters in effect of an agent, none for an unknown one."""
    entry: AgentParameters | None = next((a for a in replication.agents if a.agent == agent), None)
    return () if entry is None else entry.parameters


def _parameter_row(parameter: EffectiveParameter) -> Row:
    emphasis = Emphasis.STRONG if differs(parameter) else Emphasis.PLAIN
    hint = _("Not the default, {default}.").format(default=parameter.default) if differs(parameter) else ""
    return Row(
        parameter.name,
        (
            text_cell(parameter.name, emphasis=emphasis, hint=hint),
            _value_cell(parameter.value, emphasis, hint),
            text_cell(unit_word(parameter.unit)),
            text_cell(origin_text(parameter.origin), hint=origin_hint(parameter.origin)),
            _value_cell(parameter.default, Emphasis.QUIET),
            number_cell(parameter.low, emphasis=Emphasis.QUIET),
            number_cell(parameter.high, emphasis=Emphasis.QUIET),
        ),
    )


def _value_cell(text: str, emphasis: Emphasis, hint: str = "") -> Cell:
    number = as_number(text)
    if number is None:
        return text_cell(text, emphasis=emphasis, hint=hint)
    return number_cell(number, emphasis=emphasis, hint=hint)


def parameters_summary(replication: Replication, agent: str) -> str:
    """Return in one sentence how many parameters an agent has and how many differ from their default."""
    parameters = parameters_of(replication, agent)
    different = [parameter for parameter in parameters if differs(parameter)]
    if not parameters:
        return _("This agent told no parameters.")
    number = counted(len(parameters), _("1 parameter"), _("{count} parameters"))
    if not different:
        return _("{number}, all at their defaults.").format(number=number)
    return _("{number}; {different} from the default (bold).").format(
        number=number, different=counted(len(different), _("1 differs"), _("{count} differ"))
    )


def nothing_shown(replication: Replication, agent: str, *, only_different: bool) -> str:
    """Return what stands in the table of parameters where it has no rows."""
    if only_different and parameters_of(replication, agent):
        return _("Every parameter of this agent is at its default.")
    return _("This agent told no parameters.")


def agent_parameters(replication: Replication, agent: str, *, only_different: bool) -> NodeParameters:
    """Return the parameters of an agent with what is said about them."""
    return NodeParameters(
        parameter_table(replication, agent, only_different=only_different),
        parameters_summary(replication, agent),
        nothing_shown(replication, agent, only_different=only_different),
    )
