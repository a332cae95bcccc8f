"""Replication's titles of conditions, and the order of its trials in words."""

from typing import Final

from app.domain.server_versions import SERVER_VERSION
from app.domain.work_source import SOURCE, WorkSource
from app.foundation.texts import _
from app.reporting.system_parts import ConditionWords
from app.systems.transactional_replication.load import Scenario

CONDITIONS: Final = (
    ConditionWords(
        "commands_per_transaction",
        _("{value} commands for each transaction"),
        one=_("1 command for each transaction"),
        short=_("{value} commands per transaction"),
    ),
    ConditionWords("network_kbps", _("{value} kbps"), short=_("{value} kbps")),
    ConditionWords("rtt_ms", _("{value} ms round trip"), short=_("{value} ms round trip")),
    ConditionWords("agent_pairs", _("{value} agent pairs at once"), short=_("{value} agent pairs at once"), usual=1),
    ConditionWords(
        "scenario",
        _("{value} workload"),
        short=_("{value} workload"),
        values={
            Scenario.DRAINED.value: _("drained"),
            Scenario.CONTINUOUS.value: _("continuous"),
            Scenario.WINDOWS.value: _("windowed"),
        },
        usual_in_short=Scenario.DRAINED.value,
    ),
    ConditionWords(
        SOURCE,
        _("work: {value}"),
        short="{value}",
        values={
            WorkSource.OWN_BACKLOG.value: _("the backlog that waited"),
            WorkSource.HELD.value: _("what gathered while the agent was held"),
            WorkSource.OWN_TRAFFIC.value: _("what arrived anyway"),
        },
    ),
    ConditionWords(SERVER_VERSION, _("SQL Server {value}"), short=_("SQL Server {value}")),
)

ORDER_OF_TRIALS: Final = _(
    "The order of the settings changes all the time, because servers drift during a day: a setting always measured "
    "last would be credited with the drift. Before each trial the setting is made and checked, the "
    "agent is restarted and the restart is verified, and a backlog is loaded. After each trial it is "
    "checked for errors and for whether it ran as planned. A trial that fails a check is kept and "
    "marked, but not used. Exploring finds the candidate; only fresh confirmation trials carry a "
    "claim, because whoever looks after every block finds differences by chance."
)
