"""What replication calls its conditions, its load, its limits, and how its trials are ordered."""

from collections.abc import Mapping
from typing import Final

from app.domain.plan import Limits, Scenario, WorkloadSpec
from app.domain.server_versions import SERVER_VERSION
from app.foundation.texts import _
from app.reporting.document.numbers import duration, number, percent, quantity
from app.reporting.system_parts import ConditionWords

CONDITIONS: Final = (
    ConditionWords("network_kbps", _("{value} kbps"), short=_("{value} kbps"), is_link=True),
    ConditionWords("rtt_ms", _("{value} ms round trip"), short=_("{value} ms round trip")),
    ConditionWords(
        "commands_per_transaction",
        _("{value} commands for each transaction"),
        one=_("1 command for each transaction"),
        short=_("{value} commands per transaction"),
        goes_without_saying=True,
    ),
    ConditionWords("agent_pairs", _("{value} agent pairs at once"), short=_("{value} agent pairs at once"), usual=1),
    ConditionWords(
        "scenario",
        _("{value} workload"),
        short=_("{value} workload"),
        values={Scenario.DRAINED.value: _("drained"), Scenario.CONTINUOUS.value: _("continuous")},
        usual_in_short=Scenario.DRAINED.value,
    ),
    ConditionWords(SERVER_VERSION, _("SQL Server {value}"), short=_("SQL Server {value}")),
)

ORDER_OF_TRIALS: Final = _(
    "Settings are run in blocks. Every block holds each setting, the present one included, in an order that "
    "changes "
    "from block to block, because servers drift during a day: a setting that is always measured last would be "
    "credited with the drift. Before each trial the setting is made and read back, the agent is restarted and the "
    "restart is verified, and a backlog is loaded. After each trial it is checked for errors and for whether it "
    "ran "
    "as planned. A trial that fails a check is kept and marked, and not used. Exploring finds the candidate; a "
    "claim rests on fresh confirmation trials only, because looking after every block finds differences by chance."
)


def workload_text(workload: WorkloadSpec) -> str:
    """Return the load a plan writes at the Publisher."""
    low, high = workload.commands_per_transaction
    size = number(low) if low == high else _("{low} to {high}").format(low=number(low), high=number(high))
    text = _("30 % inserts, 60 % updates, 10 % deletes of 1 KB rows, {size} commands for each transaction").format(
        size=size
    )
    if workload.scenario is Scenario.DRAINED:
        parts = [
            text,
            _("a backlog of {commands} commands delivered to the end").format(commands=number(workload.commands)),
        ]
    else:
        rate = (
            _("as fast as the agent can")
            if workload.rate_per_s is None
            else quantity(workload.rate_per_s, "commands/s")
        )
        parts = [text, _("a steady stream for {time}, {rate}").format(time=duration(workload.duration_s), rate=rate)]
    if workload.agent_pairs > 1:
        parts.append(_("{count} publication databases at once").format(count=number(workload.agent_pairs)))
    return "; ".join(parts)


def limit_texts(limits: Limits) -> Mapping[str, str]:
    """Return the limits of the distribution database that are set, by field."""
    told = {}
    if limits.pending_commands is not None:
        told["pending_commands"] = _("more than {count} pending commands").format(count=number(limits.pending_commands))
    if limits.lock_wait_share is not None:
        told["lock_wait_share"] = _("lock waits over {share} of the time").format(share=percent(limits.lock_wait_share))
    return told
