"""Recommendations with their evidence, and rules that could not be evaluated."""

from dataclasses import dataclass

from app.domain.setting import EMPTY_SETTING, Setting, Value
from app.foundation.texts import _


@dataclass(frozen=True)
class Source:
    """Where a rule, threshold or default comes from."""

    title: str
    url: str = ""


@dataclass(frozen=True)
class Finding:
    """A rule's recommendation, with everything needed to defend it.

    Attributes:
        rule, version: the rule's id and version.
        family: experiment family it belongs to.
        priority: 1 act now … 5 for information.
        task: what is to be done or was found, as the rule's title says it.
        recommendation, because, trade_offs, risk, undo: texts with their numbers and units filled in.
        parameter: the parameter it is about, "" where it is about none.
        from_value, to_value: present and recommended value, None where nothing is to be changed.
        sources: documents behind it.
        evidence: ids of the trials behind it.
        facts: the facts the rule looked at: name, value, unit.
        figure: id of the plot that shows it, "" where there is none.
        is_lead: no fresh trials confirm it.
        conditions: those that all measurements behind it share.
        apart: in words, those in which other experiments of the session on the same matter differ; it holds there only.
    """

    rule: str
    version: int
    family: str
    priority: int
    task: str
    recommendation: str
    because: str
    trade_offs: str
    risk: str
    undo: str
    parameter: str
    from_value: Value | None
    to_value: Value | None
    sources: tuple[Source, ...]
    evidence: tuple[str, ...]
    facts: tuple[tuple[str, Value | bool, str], ...]
    figure: str = ""
    is_lead: bool = False
    conditions: Setting = EMPTY_SETTING
    apart: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """The task as it is shown alone: marked where no fresh trials confirm it."""
        return _("{title} (not confirmed yet)").format(title=self.task) if self.is_lead else self.task


@dataclass(frozen=True)
class NotEvaluated:
    """A rule that applies here but could not be evaluated, and why."""

    rule: str
    family: str
    because: str
