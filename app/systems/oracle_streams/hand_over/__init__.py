"""Oracle Streams in reports and scripts: the SystemParts port."""

from typing import Final

from app.domain.work_source import SOURCE, WorkSource
from app.foundation.texts import _
from app.reporting.system_parts import ConditionWords, SystemParts
from app.systems.oracle_streams.hand_over.change_effort import change_effort_of
from app.systems.oracle_streams.hand_over.environment import streams_blocks
from app.systems.oracle_streams.hand_over.scripts import StreamsScripts
from app.systems.oracle_streams.system import SYSTEM

_ORDER_OF_TRIALS: Final = _(
    "The order of the settings changes all the time, because servers drift during a day: a setting always measured "
    "last would be credited with the drift. Before each trial the apply process is stopped, the "
    "setting is made and checked, the apply process is started, and the pipeline is given time to "
    "become idle. Then the rows are written at the source, and all stages are read until the last "
    "row is applied. After each trial errors, restarts and messages of others are checked. A trial "
    "that fails a check is kept and marked, but not used. Exploring finds the candidate; only fresh "
    "confirmation trials carry a claim, because whoever looks after every block finds differences by "
    "chance."
)


class StreamsParts(SystemParts):
    """Pipelines of capture, propagation and apply in a hand-over."""

    system = SYSTEM
    conditions = (
        ConditionWords(
            SOURCE,
            _("work: {value}"),
            short="{value}",
            values={
                WorkSource.OWN_BACKLOG.value: _("the backlog that waited"),
                WorkSource.HELD.value: _("what gathered while the apply process was held"),
            },
        ),
        ConditionWords("operation", _("operation {value}"), short=_("operation {value}")),
        ConditionWords("rows", _("{value} rows"), one=_("1 row"), short=_("{value} rows")),
        ConditionWords(
            "rows_per_commit",
            _("{value} rows per commit"),
            one=_("1 row per commit"),
            short=_("{value} rows per commit"),
        ),
    )
    order_of_trials = _ORDER_OF_TRIALS
    writer = StreamsScripts()

    change_effort = staticmethod(change_effort_of)
    found_blocks = staticmethod(streams_blocks)


HAND_OVER: Final = StreamsParts()
