"""Which heading is which column."""

import difflib
from collections.abc import Iterable, Mapping, Sequence

from app.foundation.texts import _
from app.services.explain.importing.columns import (
    BLOCK,
    NEEDED,
    OPTIONAL,
    REPORTED_ELSEWHERE,
    RUNS,
    SD,
    VALUE,
    FamilyColumns,
    plain,
    quoted,
)
from app.services.explain.importing.source_text import SourceText, quotable


class KnownColumns:
    """Every column some family understands.

    Args:
        families: what each family accepts, by its id.

    Attributes:
        parameters: those that may be varied, by name.
        conditions: by name.
        names: of all columns, as a sentence lists them.
        numbers: names of those that hold numbers, the value first.
    """

    def __init__(self, families: Mapping[str, FamilyColumns]) -> None:
        accepted = families.values()
        self.parameters = {parameter.name: parameter for family in accepted for parameter in family.parameters}
        self.conditions = {condition.name: condition for family in accepted for condition in family.conditions}
        self.names = (*NEEDED, *OPTIONAL, *self.parameters, *self.conditions)
        counted = [parameter.name for parameter in self.parameters.values() if not parameter.choices]
        counted += [condition.name for condition in self.conditions.values() if condition.unit]
        self.numbers = (VALUE, SD, RUNS, REPORTED_ELSEWHERE, BLOCK, *counted)
        self._by_plain_name = {plain(name): name for name in reversed(self.names)}

    def name_of(self, heading: str) -> str:
        """Return the column a heading stands for, "" where there is none."""
        return self._by_plain_name.get(plain(heading), "")

    def match(self, source: SourceText, headings: Sequence[str], line: int = 0) -> dict[str, str]:
        """Return the headings of a file by the names of the columns they stand for.

        Args:
            source: of the headings.
            headings: in the file's order.
            line: where they stand, 0 where they are keys of JSON.

        Raises:
            BadInput: a needed column is missing, or a heading is empty, unknown, or there twice.
        """
        present = quoted(map(quotable, headings[:12])) + (", …" if len(headings) > 12 else "")
        names = [self.name_of(heading) for heading in headings]
        missing = [name for name in NEEDED if name not in names]
        if missing:
            raise source.refusal(self._lacking(missing, headings, present), line)
        heading_by_name: dict[str, str] = {}
        for position, (name, heading) in enumerate(zip(names, headings, strict=True), start=1):
            if not name:
                raise source.refusal(self._unknown(position, heading), line)
            if name in heading_by_name:
                sentence = _('the columns "{first}" and "{second}" are the same; remove one')
                raise source.refusal(sentence.format(first=heading_by_name[name], second=heading), line)
            heading_by_name[name] = heading
        if heading_by_name.keys().isdisjoint(self.parameters):
            sentence = _("there is no column for a parameter; name at least one of {known}; present: {present}")
            raise source.refusal(sentence.format(known=quoted(self.parameters), present=present), line)
        return heading_by_name

    def _lacking(self, missing: Sequence[str], headings: Sequence[str], present: str) -> str:
        """Return the sentence on columns that are needed, with the heading that may be meant for one."""
        meant = nearest(missing[0], [heading for heading in headings if not self.name_of(heading)])
        hint = _(' (is "{heading}" meant to be "{name}"?)').format(heading=quotable(meant), name=missing[0])
        return _("needed and missing: {missing}; present: {present}{hint}").format(
            missing=quoted(missing), present=present or _("nothing"), hint=hint if meant else ""
        )

    def _unknown(self, position: int, heading: str) -> str:
        if not heading.strip():
            return _("column {number} has no heading; name or remove it").format(number=position)
        return _('the column "{heading}" is not known{hint}; known columns are {known}').format(
            heading=quotable(heading), hint=did_you_mean(heading, self.names), known=", ".join(self.names)
        )


def did_you_mean(name: str, names: Iterable[str]) -> str:
    """Return " (did you mean …?)" with the known name most like `name`, or an empty text where none is near."""
    near = nearest(name, names)
    return _(' (did you mean "{name}"?)').format(name=near) if near else ""


def nearest(name: str, names: Iterable[str]) -> str:
    """Return the known name that is most like `name`, "" where none is near."""
    by_plain_name = {plain(entry)[:100]: entry for entry in names}
    near = difflib.get_close_matches(plain(name)[:100], by_plain_name, n=1, cutoff=0.6)
    return by_plain_name[near[0]] if near else ""
