"""The shape of a rule pack file, checked by pydantic: its keys and the type of each value.

What the values mean (facts, expressions, placeholders) is checked in `build`.
"""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field


def _as_list(value: object) -> object:
    """Let a text that is one sentence be written without list marks."""
    return [value] if isinstance(value, str) else value


Words = Annotated[str, Field(min_length=1)]
Sentences = Annotated[list[str], BeforeValidator(_as_list), Field(min_length=1)]


class _Shape(BaseModel):
    """No unknown keys, no silent conversions ("5" is no number, 1 is no flag)."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class SourceShape(_Shape):
    """A document: its title, and where it is or which section is meant."""

    title: Words
    section: str = ""
    url: str = ""


class VersionsShape(_Shape):
    """Server versions a rule holds for, inclusive, such as "13.0"."""

    from_: str = Field("", alias="from")
    to: str = ""


class AppliesToShape(_Shape):
    """Engine, families, parameters and versions a rule is for."""

    engine: Words
    families: list[Words] | None = None
    factors: list[Words] = []
    subject: str = ""
    versions: VersionsShape = Field(default_factory=lambda: VersionsShape(**{"from": "", "to": ""}))


class DerivedShape(_Shape):
    """A number worked out for the texts."""

    value: Words
    unit: str


class CaseShape(_Shape):
    """One example; `facts` change the rule's `case_facts`, null takes one away."""

    name: Words
    facts: dict[str, Any] = {}
    expect: Literal["fires", "does_not_fire", "not_evaluated"]


class OutcomeShape(_Shape):
    """The texts, condition and cases of a rule, without its place; in `common/` for the rules that are like it."""

    version: Annotated[int, Field(ge=1)]
    priority: Annotated[int, Field(ge=1, le=5)]
    title: Words
    needs: Annotated[list[Words], Field(min_length=1)]
    wants: list[Words] = []
    derives: dict[str, DerivedShape] = {}
    when: Words
    parameter: str = ""
    from_: int | float | str | None = Field(None, alias="from")
    to: int | float | str | None = None
    recommendation: Sentences
    because: Sentences
    trade_offs: Sentences
    risk: Sentences
    undo: Sentences
    figure: str = ""
    case_facts: dict[str, Any] = {}
    cases: Annotated[list[CaseShape], Field(min_length=1)]


class RuleShape(OutcomeShape):
    """One rule, completed by the outcome it is like."""

    id: Words
    like: str = ""
    applies_to: AppliesToShape
    sources: Annotated[list[Words], Field(min_length=1)]


class PackShape(_Shape):
    """One file."""

    title: Words
    sources: Annotated[dict[str, SourceShape], Field(min_length=1)]
    rules: Annotated[list[RuleShape], Field(min_length=1)]
    outcome_facts: dict[Words, Words] = {}


class SentencesShape(_Shape):
    """Sentences that several rules say, with the facts they want and the cases that show them."""

    says: Sentences
    wants: list[Words] = []
    cases: list[CaseShape] = []


class CommonShape(_Shape):
    """One file of `common/`."""

    sentences: dict[str, SentencesShape] = {}
    outcomes: dict[str, OutcomeShape] = {}
