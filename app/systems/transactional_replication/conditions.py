"""Conditions that the replication agents' families accept from measurements made elsewhere: those of a
`WorkloadSpec`."""

from typing import Final

from app.domain.condition import Condition
from app.systems.transactional_replication.load import Scenario

AGENT_CONDITIONS: Final = (
    Condition(
        "commands_per_transaction",
        "commands",
        may_be_range=True,
        called=("commands/transaction", "cmds/tran", "cmds per tran", "commands per tran", "rows per transaction"),
    ),
    Condition("agent_pairs", "count"),
    Condition("scenario", choices=tuple(scenario.value for scenario in Scenario)),
    Condition("commands", "commands"),
)
