"""What reports and scripts say of Oracle Streams: the SystemParts port."""

from collections.abc import Sequence
from typing import Final

from app.domain.decision import ChangeEffort
from app.domain.finding import Finding
from app.domain.hand_over import ScriptWriter
from app.domain.session import Environment, SessionRecord
from app.foundation.texts import _
from app.reporting.blocks import Block
from app.reporting.system_parts import ConditionWords
from app.systems.oracle_streams.hand_over.change_effort import change_effort_of
from app.systems.oracle_streams.hand_over.environment import streams_blocks
from app.systems.oracle_streams.hand_over.scripts import StreamsScripts
from app.systems.oracle_streams.site import kept_streams

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


class StreamsParts:
    """Pipelines of capture, propagation and apply in a hand-over."""

    conditions: tuple[ConditionWords, ...] = (
        ConditionWords("operation", _("operation {value}"), short=_("operation {value}")),
        ConditionWords("rows", _("{value} rows"), one=_("1 row"), short=_("{value} rows")),
        ConditionWords(
            "rows_per_commit",
            _("{value} rows per commit"),
            one=_("1 row per commit"),
            short=_("{value} rows per commit"),
        ),
    )
    order_of_trials: str = _ORDER_OF_TRIALS
    writer: ScriptWriter = StreamsScripts()

    def change_effort(self, finding: Finding, session: SessionRecord) -> ChangeEffort:
        """Return what a parameter of a process or database asks for."""
        return change_effort_of(finding, session)

    def environment_blocks(self, environment: Environment, varied: frozenset[str]) -> list[Block]:
        """Return databases, paths, processes and parameters."""
        topology = kept_streams(environment)
        return [] if topology is None else streams_blocks(topology, varied)

    def shared_blocks(self, _environments: Sequence[Environment], _varied: frozenset[str]) -> list[Block]:
        """Return nothing: what was read stands with each target."""
        return []


HAND_OVER: Final = StreamsParts()
