"""What reports and scripts say of Oracle Streams: the SystemParts port."""

from collections.abc import Sequence
from typing import Final

from app.domain.finding import Finding
from app.domain.session import Environment, SessionRecord
from app.foundation.texts import _
from app.reporting.render.blocks import Block
from app.reporting.system_parts import ConditionWords, ScriptFiles, TellsChanges
from app.systems.oracle_streams.hand_over.changes import (
    FAMILY,
    is_streams_change,
    plan_streams_changes,
    streams_values,
)
from app.systems.oracle_streams.hand_over.environment import streams_blocks
from app.systems.oracle_streams.hand_over.scripts import oracle_apply_script, oracle_core, oracle_rollback_script
from app.systems.oracle_streams.site import kept_streams

_ORDER_OF_TRIALS: Final = _(
    "Settings are run in blocks. Every block holds each setting, the present one included, in an order that "
    "changes from block to block, because servers drift during a day: a setting that is always measured last "
    "would be credited with the drift. Before each trial the apply process is stopped, the setting is made and "
    "read back, the apply process is started, and the pipeline is given time to become idle. Then the rows are "
    "written at the source, and all stages are read until the last of them is applied. After each trial it is "
    "checked for errors, restarts and messages of others. A trial that fails a check is kept and marked, and "
    "not used. Exploring finds the candidate; a claim rests on fresh confirmation trials only, because looking "
    "after every block finds differences by chance."
)


class StreamsParts:
    """Pipelines of capture, propagation and apply in a hand-over."""

    conditions: tuple[ConditionWords, ...] = (
        ConditionWords("operation", _("operation {value}")),
        ConditionWords("rows", _("{value} rows"), one=_("1 row")),
        ConditionWords("rows_per_commit", _("{value} rows per commit"), one=_("1 row per commit")),
    )
    order_of_trials: str = _ORDER_OF_TRIALS
    # without a byte order mark: SQL*Plus takes it for a command it does not know
    files: ScriptFiles = ScriptFiles(
        "apply_oracle.sql",
        "rollback_oracle.sql",
        _("Sets the recommended Oracle values."),
        _("Takes apply_oracle.sql back."),
        applies=_("sets the Oracle values"),
        takes_back=_("takes them back"),
        has_mark=False,
    )

    def environment_blocks(self, environment: Environment) -> list[Block]:
        """Return databases, paths, processes and parameters."""
        topology = kept_streams(environment)
        return [] if topology is None else streams_blocks(topology)

    def shared_blocks(self, _environments: Sequence[Environment]) -> list[Block]:
        """Return nothing: what was read stands with each target."""
        return []

    def values_in_effect(self, finding: Finding, session: SessionRecord) -> tuple[str, ...]:
        """Return the values in effect in the pipelines a finding is about."""
        return streams_values(finding, session) if finding.family == FAMILY else ()

    def takes(self, finding: Finding) -> bool:
        """Tell whether a finding is about a parameter of a process or a database."""
        return is_streams_change(finding)

    def core(self, finding: Finding, session: SessionRecord) -> tuple[str, str]:
        """Return the calls that set the parameter, and that put it back."""
        return oracle_core(plan_streams_changes([finding], session)[0])

    def script(
        self, findings: Sequence[Finding], session: SessionRecord, tells: TellsChanges, *, is_rollback: bool
    ) -> str:
        """Return the PL/SQL for both databases."""
        write = oracle_rollback_script if is_rollback else oracle_apply_script
        return write(findings, session, tells)


HAND_OVER: Final = StreamsParts()
