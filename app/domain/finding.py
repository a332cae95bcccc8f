"""Recommendations with their evidence, and rules that could not be evaluated."""

from dataclasses import dataclass

from app.domain.setting import Value
from app.foundation.texts import _


def unconfirmed_title(title: str) -> str:
    """Return a title marked as one that no fresh trials confirm."""
    return _("{title} (not confirmed yet)").format(title=title)


@dataclass(frozen=True)
class Source:
    """Where a rule, threshold or default comes from."""

    title: str
    url: str = ""


@dataclass(frozen=True)
class Finding:
    """What a rule recommends, with everything needed to defend it.

    Attributes:
        rule, version: the rule's id and version.
        family: experiment family it belongs to.
        priority: 1 act now … 5 for information.
        title, recommendation, because, trade_offs, risk, undo: texts with their numbers and units filled in.
        parameter: the parameter it is about, "" where it is about none.
        from_value, to_value: present and recommended value, None where nothing is to be changed.
        sources: documents behind it.
        evidence: ids of the trials behind it.
        facts: the facts the rule looked at: name, value, unit.
        figure: id of the plot that shows it, "" where there is none.
    """

    rule: str
    version: int
    family: str
    priority: int
    title: str
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

    @property
    def task(self) -> str:
        """The title without the mark of what no fresh trials confirm."""
        before, after = unconfirmed_title("\n").split("\n")
        is_marked = self.title.startswith(before) and self.title.endswith(after)
        return self.title[len(before) : len(self.title) - len(after)] if is_marked else self.title


@dataclass(frozen=True)
class NotEvaluated:
    """A rule that applies here but could not be evaluated, and why."""

    rule: str
    family: str
    because: str
