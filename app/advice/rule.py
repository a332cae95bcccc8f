"""Rule packs as the program holds them: checked, compiled, immutable."""

from dataclasses import dataclass
from enum import StrEnum

from app.advice.expression import Expression
from app.advice.text import Text
from app.domain.facts import FactKinds, FactValue
from app.domain.finding import Source
from app.domain.setting import Value


class Expect(StrEnum):
    """The expected result of a rule for the facts of a case."""

    FIRES = "fires"
    DOES_NOT_FIRE = "does_not_fire"
    NOT_EVALUATED = "not_evaluated"


@dataclass(frozen=True)
class Case:
    """One example of a rule's behaviour.

    Attributes:
        facts: every fact of the case, by name, in name order.
        line: of the pack's file.
    """

    name: str
    facts: tuple[tuple[str, FactValue], ...]
    expect: Expect
    line: int


@dataclass(frozen=True)
class FactRef:
    """A value that is taken from a fact when the rule fires."""

    name: str


@dataclass(frozen=True)
class Derived:
    """A number a rule works out of its facts for its texts.

    Attributes:
        needs_only: it can always be worked out when the rule's needs are known.
    """

    name: str
    unit: str
    expression: Expression
    needs_only: bool


@dataclass(frozen=True)
class AppliesTo:
    """Where a rule is looked at at all.

    Attributes:
        engine: id of the database engine.
        families: experiment families, the pack's own unless the rule says otherwise.
        factors: parameters; empty means any.
        subject: the fact that names what it speaks of, "" for none; where nothing is named it has nothing to say.
        missing: families it is also written for that are not installed; it is never asked about those.
        lowest, highest: server versions, inclusive, () where there is no limit.
    """

    engine: str
    families: tuple[str, ...]
    factors: tuple[str, ...]
    lowest: tuple[int, ...]
    highest: tuple[int, ...]
    missing: tuple[str, ...] = ()
    subject: str = ""


@dataclass(frozen=True)
class Rule:
    """One rule.

    Attributes:
        priority: 1 act now … 5 for information.
        needs: facts without which it cannot be evaluated.
        wants: facts whose sentences are left out when they are not known.
        derived: numbers worked out for the texts.
        when: the condition.
        parameter: the parameter it is about, or the fact that names it; "" where it is about none.
        from_value, to_value: present and recommended value, None where nothing is to be changed.
        figure: last part of the id of the plot that shows it, "" where there is none.
        kinds: what the facts mean that it may ask for.
        file, line: where it is written.
    """

    rule_id: str
    version: int
    priority: int
    applies_to: AppliesTo
    needs: tuple[str, ...]
    wants: tuple[str, ...]
    derived: tuple[Derived, ...]
    when: Expression
    title: Text
    parameter: str | FactRef
    from_value: Value | FactRef | None
    to_value: Value | FactRef | None
    recommendation: Text
    because: Text
    trade_offs: Text
    risk: Text
    undo: Text
    sources: tuple[Source, ...]
    figure: str
    cases: tuple[Case, ...]
    kinds: FactKinds
    file: str
    line: int

    @property
    def texts(self) -> tuple[Text, ...]:
        """Return every text of the rule."""
        return (self.title, self.recommendation, self.because, self.trade_offs, self.risk, self.undo)


@dataclass(frozen=True)
class Pack:
    """The rules of one file.

    Attributes:
        family: experiment family whose folder it lies in.
        file: its path, as shown in errors.
    """

    family: str
    title: str
    file: str
    rules: tuple[Rule, ...]

    @property
    def missing_families(self) -> tuple[str, ...]:
        """Families that rules of it are also written for, but that are not installed."""
        return tuple(dict.fromkeys(name for rule in self.rules for name in rule.applies_to.missing))
