"""From the shape of a rule pack to checked rules: facts, expressions, placeholders, sources, cases."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final

from app.advice.expression import Expression, ExpressionError, parse_condition, parse_number
from app.advice.model import CaseShape, DerivedShape, PackShape, RuleShape, SourceShape
from app.advice.rule import AppliesTo, Case, Derived, Expect, FactRef, Pack, Rule
from app.advice.text import Sentence, Text, TextError, parse_sentence
from app.advice.yaml_lines import KeyPath, Lines, closest
from app.domain.errors import BadInput
from app.domain.facts import FactKinds, FactType, FactValue
from app.domain.finding import Source
from app.domain.setting import Value
from app.domain.units import known_units
from app.foundation.texts import _, shortened

_LONGEST_QUOTE: Final = 120
_RULE_ID: Final = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_VERSION: Final = re.compile(r"\d+(\.\d+)*")
_DERIVED_NAME: Final = re.compile(r"[a-z][a-z0-9_]*")


def build_pack(shape: PackShape, family: str, families: Collection[str], kinds: FactKinds, lines: Lines) -> Pack:
    """Return a pack whose rules can be evaluated.

    Args:
        family: id of the experiment family whose folder the file lies in.
        families: every experiment family the program has.
        kinds: what the facts mean that a rule may ask for.
        lines: lines of the file, for errors.

    Raises:
        BadInput: what a rule says cannot be used; names file, line and rule.
    """
    sources = {key: _source(source, lines, ("sources", key)) for key, source in shape.sources.items()}
    rules = tuple(
        _RuleBuilder(rule, family, families, kinds, sources, lines, ("rules", index)).build()
        for index, rule in enumerate(shape.rules)
    )
    return Pack(family, shape.title, lines.file, rules)


def _source(shape: SourceShape, lines: Lines, path: KeyPath) -> Source:
    if not shape.section and not shape.url:
        raise lines.error(path, _('source "{key}" needs a url or a section').format(key=path[-1]))
    title = f"{shape.title}, {shape.section}" if shape.section else shape.title
    return Source(title, shape.url)


class _RuleBuilder:
    """Builds one rule; every error names the rule and the line of the value that is wrong."""

    def __init__(
        self,
        shape: RuleShape,
        family: str,
        families: Collection[str],
        kinds: FactKinds,
        sources: Mapping[str, Source],
        lines: Lines,
        path: KeyPath,
    ) -> None:
        self._shape = shape
        self._family = family
        self._families = families
        self._kinds = kinds
        self._sources = sources
        self._lines = lines
        self._path = path

    def build(self) -> Rule:
        """Return the rule; raises BadInput as `build_pack` does."""
        shape = self._shape
        if not _RULE_ID.fullmatch(shape.id):
            raise self._error(("id",), _("an id is made of lower-case words joined by hyphens"))
        self._check_facts("needs", shape.needs)
        self._check_facts("wants", shape.wants)
        derived = tuple(self._derived(name, value) for name, value in shape.derives.items())
        return Rule(
            rule_id=shape.id,
            version=shape.version,
            priority=shape.priority,
            applies_to=self._applies_to(),
            needs=tuple(shape.needs),
            wants=tuple(shape.wants),
            derived=derived,
            when=self._condition(),
            title=self._text("title", [shape.title], derived),
            parameter=self._parameter(),
            from_value=self._value("from", shape.from_),
            to_value=self._value("to", shape.to),
            recommendation=self._text("recommendation", shape.recommendation, derived),
            because=self._text("because", shape.because, derived),
            trade_offs=self._text("trade_offs", shape.trade_offs, derived),
            risk=self._text("risk", shape.risk, derived),
            undo=self._text("undo", shape.undo, derived),
            sources=tuple(self._source(index, key) for index, key in enumerate(shape.sources)),
            figure=shape.figure,
            cases=self._cases(),
            kinds=self._kinds,
            file=self._lines.file,
            line=self._lines.line(self._path),
        )

    def _error(self, path: KeyPath, message: str) -> BadInput:
        text = _('rule "{rule}": {message}').format(rule=self._shape.id, message=message)
        return self._lines.error((*self._path, *path), text)

    def _check_facts(self, key: str, names: list[str]) -> None:
        for index, name in enumerate(names):
            if name not in self._kinds:
                message = _('"{name}" is no fact{hint}').format(name=name, hint=closest(name, self._kinds))
                raise self._error((key, index), message)
            if name in names[:index] or (key == "wants" and name in self._shape.needs):
                raise self._error((key, index), _('the fact "{name}" is named twice').format(name=name))

    def _applies_to(self) -> AppliesTo:
        shape = self._shape.applies_to
        families = shape.families if shape.families is not None else [self._family]
        self._check_families(families)
        if shape.subject and shape.subject not in self._shape.needs:
            message = _('"{name}" is not among the facts it needs').format(name=shape.subject)
            raise self._error(("applies_to", "subject"), message)
        return AppliesTo(
            engine=shape.engine,
            families=tuple(family for family in families if family in self._families),
            missing=tuple(family for family in families if family not in self._families),
            factors=tuple(shape.factors),
            subject=shape.subject,
            lowest=self._server_version("from", shape.versions.from_),
            highest=self._server_version("to", shape.versions.to),
        )

    def _check_families(self, families: Sequence[str]) -> None:
        """Refuse a misspelt family, and families without the one of the folder."""
        for index, family in enumerate(families):
            if family in self._families:
                continue
            hint = closest(family, self._families)
            if hint or self._family not in families:
                message = _('"{name}" is no experiment family{hint}').format(name=family, hint=hint)
                raise self._error(("applies_to", "families", index), message)
        if self._family not in families:
            raise self._error(("applies_to", "families"), _("the families must include the one of its folder"))

    def _server_version(self, key: str, text: str) -> tuple[int, ...]:
        if text and not _VERSION.fullmatch(text):
            message = _('"{text}" is no server version; write it like "13.0"').format(text=text)
            raise self._error(("applies_to", "versions", key), message)
        return tuple(int(part) for part in text.split(".")) if text else ()

    def _types(self, names: Iterable[str]) -> dict[str, FactType]:
        return {name: self._kinds[name].type for name in names}

    def _condition(self) -> Expression:
        try:
            return parse_condition(self._shape.when, self._types(self._shape.needs), self._kinds)
        except ExpressionError as error:
            message = _('the condition "{text}" cannot be used: {why}').format(
                text=shortened(self._shape.when, _LONGEST_QUOTE), why=error
            )
            raise self._error(("when",), message) from error

    def _derived(self, name: str, shape: DerivedShape) -> Derived:
        path: KeyPath = ("derives", name)
        if name in self._kinds or not _DERIVED_NAME.fullmatch(name):
            raise self._error(path, _('"{name}" is a fact already, or no name in lower case').format(name=name))
        units = {*known_units(), *(kind.unit for kind in self._kinds.values() if kind.unit)}
        if shape.unit and shape.unit not in units:
            message = _('"{unit}" is no unit; known ones are {units}').format(
                unit=shape.unit, units=", ".join(sorted(units))
            )
            raise self._error((*path, "unit"), message)
        try:
            expression = parse_number(shape.value, self._types([*self._shape.needs, *self._shape.wants]), self._kinds)
        except ExpressionError as error:
            message = _('the sum "{text}" cannot be used: {why}').format(
                text=shortened(shape.value, _LONGEST_QUOTE), why=error
            )
            raise self._error((*path, "value"), message) from error
        return Derived(name, shape.unit, expression, expression.names <= set(self._shape.needs))

    def _text(self, key: str, texts: list[str], derived: tuple[Derived, ...]) -> Text:
        always = {*self._shape.needs, *(number.name for number in derived if number.needs_only)}
        names = {*always, *self._shape.wants, *(number.name for number in derived)}
        sentences = tuple(self._sentence(key, text, names) for text in texts)
        missing = [name for name in sentences[0].names if name not in always]
        if missing:
            message = _(
                '{key}: its first sentence names "{name}", which is not among the needs of the rule, so the text '
                "could be left empty"
            ).format(key=key, name=missing[0])
            raise self._error((key,), message)
        return Text(sentences)

    def _sentence(self, key: str, text: str, names: set[str]) -> Sentence:
        try:
            sentence = parse_sentence(text)
        except TextError as error:
            raise self._error((key,), _("{key}: {why}").format(key=key, why=error)) from error
        for name in sentence.names:
            if name not in names:
                why = _("is not among the needs of the rule") if name in self._kinds else _("is no fact")
                message = _('{key}: the placeholder "{name}" {why}{hint}').format(
                    key=key, name=name, why=why, hint="" if name in self._kinds else closest(name, names)
                )
                raise self._error((key,), message)
        return sentence

    def _parameter(self) -> str | FactRef:
        name = self._shape.parameter
        if not name and (self._shape.from_ is not None or self._shape.to is not None):
            raise self._error((), _("from and to need the parameter they are values of"))
        if name not in self._kinds:
            return name
        if name not in self._shape.needs or self._kinds[name].type is not FactType.TEXT:
            raise self._error(("parameter",), _('"{name}" must be a text among the needs').format(name=name))
        return FactRef(name)

    def _value(self, key: str, value: int | float | str | None) -> Value | FactRef | None:
        """Return a number as it is, a name as the fact it stands for."""
        if key == "to" and value is not None:
            self._check_change()
        if not isinstance(value, str):
            return value
        if value not in self._shape.needs:
            message = _('{key} must be a number or a fact among the needs, not "{name}"').format(key=key, name=value)
            raise self._error((key,), message)
        return FactRef(value)

    def _check_change(self) -> None:
        """Refuse a rule that would change a setting without looking at the verdict."""
        if self._shape.from_ is None:
            raise self._error(("to",), _("to needs a from"))
        for name in ("verdict", "best_differs"):
            if name not in self._shape.needs:
                message = _('a rule that changes a value must have "{name}" among its needs').format(name=name)
                raise self._error(("to",), message)

    def _source(self, index: int, key: str) -> Source:
        if key not in self._sources:
            message = _('there is no source "{key}" at the top of the file{hint}').format(
                key=key, hint=closest(key, self._sources)
            )
            raise self._error(("sources", index), message)
        return self._sources[key]

    def _cases(self) -> tuple[Case, ...]:
        base = self._case_facts(self._shape.case_facts, ("case_facts",))
        cases = tuple(self._case(index, case, base) for index, case in enumerate(self._shape.cases))
        names = [case.name for case in cases]
        for index, name in enumerate(names):
            if name in names[:index]:
                raise self._error(("cases", index), _('the case "{name}" occurs twice').format(name=name))
        return cases

    def _case(self, index: int, shape: CaseShape, base: Mapping[str, FactValue | None]) -> Case:
        path: KeyPath = ("cases", index)
        facts = {**base, **self._case_facts(shape.facts, (*path, "facts"))}
        if self._shape.applies_to.factors:
            facts.setdefault("factor", self._shape.applies_to.factors[0])
        values = tuple(sorted((name, value) for name, value in facts.items() if value is not None))
        line = self._lines.line((*self._path, *path))
        return Case(shape.name, values, Expect(shape.expect), line)

    def _case_facts(self, facts: Mapping[str, object], path: KeyPath) -> dict[str, FactValue | None]:
        used = {*self._shape.needs, *self._shape.wants, "factor"}
        checked: dict[str, FactValue | None] = {}
        for name, value in facts.items():
            if name not in used:
                why = _("which the rule does not look at") if name in self._kinds else _("which is no fact")
                hint = "" if name in self._kinds else closest(name, used)
                message = _('a case gives "{name}", {why}{hint}').format(name=name, why=why, hint=hint)
                raise self._error((*path, name), message)
            if value is not None and not _is_of_type(value, self._kinds[name].type):
                message = _('a case gives {name} = "{value}"; it must be a {type}').format(
                    name=name, value=value, type=self._kinds[name].type.value
                )
                raise self._error((*path, name), message)
            checked[name] = value  # type: ignore[assignment]  # narrowed by _is_of_type
        return checked


def _is_of_type(value: object, kind: FactType) -> bool:
    if kind is FactType.NUMBER:
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    return isinstance(value, bool if kind is FactType.FLAG else str)
