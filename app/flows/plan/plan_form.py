"""The plan as a form: fields generated from the family's parameters, their contents, and the plan they make."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property
from typing import Final

from app.domain.errors import BadInput
from app.domain.family import ExperimentFamily, Site
from app.domain.limits import RUN_DURATION
from app.domain.plan import Factor, Plan, design_fields
from app.domain.plan_field import PlanField
from app.domain.setting import Parameter, Setting, Value
from app.domain.system import rig_of
from app.domain.work_source import SOURCE
from app.flows.plan.plan_factors import (
    baseline_id,
    baseline_spec,
    factor_errors,
    factor_fields,
    factor_texts,
    levels_id,
    read_factor,
    vary_id,
)
from app.flows.plan.plan_fields import ON, Field, FieldKind, Section, Spec
from app.flows.plan.plan_load import consent_problem, load_id, load_specs, named_field
from app.flows.plan.plan_parts import Numbers, design_of, limits_of, load_of, needed, range_errors
from app.flows.plan.plan_specs import field_id, table_specs
from app.foundation.texts import in_present_words, in_words_of
from app.services.plan.completing import complete_plan, with_work_source
from app.services.plan.plan_fit import plan_fit, site_for_plan

TIME_FIELD: Final = field_id(Section.LIMITS, RUN_DURATION)
"""Where it stands how long a run may take, in minutes."""

_SOURCE_FIELD: Final = load_id(SOURCE)


@dataclass(frozen=True)
class PlanForm:
    """The contents of the form; every change makes a new one.

    Attributes:
        site: what was read from the target, None where nothing was.
        base: the plan it began with; hidden or untouched fields keep its values to the last digit.
        entered: field id and text, for fields that were filled in since.
    """

    family: ExperimentFamily
    site: Site | None
    base: Plan
    entered: tuple[tuple[str, str], ...] = ()

    def enter(self, field_id: str, text: str) -> "PlanForm":
        """Return the form with another text in a field.

        Raises:
            KeyError: there is no such field.
            ValueError: a choice has no such option.
        """
        field = self.field(field_id)
        options = [option.option_id for option in field.options]
        if field.kind is FieldKind.CHOICE and text not in options:
            raise ValueError(f"{field_id} is one of {', '.join(options)}, not {text}")
        others = tuple(pair for pair in self.entered if pair[0] != field_id)
        if field_id == _SOURCE_FIELD:
            return replace(self, base=_on(self.base, text), entered=others)._with_source_found()
        return replace(self, entered=(*others, (field_id, text)))

    @cached_property
    def fields(self) -> tuple[Field, ...]:
        """Every field in order, also those the other answers hide."""
        made: list[Field] = []
        for parameter in self.family.parameters:
            baseline = baseline_spec(parameter, self.family, self._known).field(self._texts)
            made += factor_fields(parameter, self.family, self._texts, baseline, self._known)
        made += [spec.field(self._texts) for spec in self._specs]
        errors = self._errors
        with in_words_of(self.base.design):
            return tuple(_in_words(_with_error(field, errors.get(field.field_id, ""))) for field in made)

    def field(self, field_id: str) -> Field:
        """Return one field; raises KeyError where there is none."""
        return {field.field_id: field for field in self.fields}[field_id]

    def in_section(self, section: Section) -> tuple[Field, ...]:
        """Return the fields of one part of the form."""
        return tuple(field for field in self.fields if field.section is section)

    @property
    def errors(self) -> tuple[Field, ...]:
        """Fields whose text cannot be used."""
        return tuple(field for field in self.fields if field.error)

    def to_plan(self) -> Plan | None:
        """Return the plan, None while a field has an error."""
        return None if self.errors else self._made()

    def _with_source_found(self) -> "PlanForm":
        """Return the form with the work of the site chosen where that is left to the site, as far as it is known."""
        plan = self.to_plan()
        found = plan if plan is None else with_work_source(plan, self.family, self._known)
        return self if found is None or found == plan else replace(self, base=_on(self.base, found.load.text(SOURCE)))

    def _made(self) -> Plan:
        texts, numbers = self._texts, self._read[0]
        varied = [parameter for parameter in self._parameters_in_order() if texts[vary_id(parameter)] == ON]
        family = self.family
        return replace(
            self.base,
            factors=tuple(
                Factor(parameter.name, read_factor(parameter, texts[levels_id(parameter)], self._known))
                for parameter in varied
            ),
            baseline=Setting.from_mapping({parameter.name: self._baseline(parameter) for parameter in varied}),
            load=load_of(family.load_fields, texts, numbers),
            design=design_of(self.base.design, self._design_fields, texts, numbers),
            limits=limits_of(self.base.limits, family.limit_fields, texts, numbers),
        )

    @property
    def at_hand(self) -> Site | None:
        """Return the reading of the plan's subject, None where there is none."""
        return self._known

    @cached_property
    def _known(self) -> Site | None:
        return site_for_plan(self.base, self.family, self.site)

    def _baseline(self, parameter: Parameter) -> Value:
        if parameter.choices:
            return self._texts[baseline_id(parameter)]
        return int(needed(self._read[0][baseline_id(parameter)]))

    @property
    def _design_fields(self) -> tuple[PlanField, ...]:
        return design_fields(compares_all=self.family.compares_all, is_windowed=self.base.design.is_windowed)

    @cached_property
    def _specs(self) -> tuple[Spec, ...]:
        family = self.family
        rig, site = rig_of(family), self.site
        names, most = ({}, {}) if site is None else (rig.suggestions(site), rig.most_of(site))
        load = load_specs(family.load_fields, names, most)
        design = table_specs(self._design_fields, Section.DESIGN)
        return (*load, *design, *table_specs(family.limit_fields, Section.LIMITS))

    @cached_property
    def _all_specs(self) -> tuple[Spec, ...]:
        """The baselines, then everything else."""
        return (
            *(baseline_spec(parameter, self.family, self._known) for parameter in self.family.parameters),
            *self._specs,
        )

    @cached_property
    def _number_specs(self) -> tuple[Spec, ...]:
        return tuple(spec for spec in self._all_specs if spec.is_number)

    @cached_property
    def _texts(self) -> Mapping[str, str]:
        """Return the content of every field."""
        return {
            **factor_texts(self.family.parameters, self.base),
            **{spec.field_id: spec.text_of(self.base) for spec in self._all_specs},
            **dict(self.entered),
        }

    @cached_property
    def _read(self) -> tuple[Numbers, Mapping[str, str]]:
        """Return the number of each field, and why one has none; it then stands for that of the base plan."""
        numbers: dict[str, Decimal | None] = {}
        errors: dict[str, str] = {}
        for spec in self._number_specs:
            try:
                numbers[spec.field_id] = spec.read_checked(self._texts[spec.field_id], self.base)
            except BadInput as error:
                errors[spec.field_id] = str(error)
                kept = spec.read(self.base)
                numbers[spec.field_id] = None if kept is None else Decimal(repr(kept))
        return numbers, errors

    @cached_property
    def _errors(self) -> Mapping[str, str]:
        numbers, errors = self._read
        factors = factor_errors(self.family.parameters, self._texts, self._known)
        ranges = range_errors(self.family.load_fields, self._texts, numbers, errors)
        texts = {spec.field_id: spec.check(self._texts[spec.field_id]) for spec in self._all_specs}
        problems = {**ranges, **factors, **errors, **{name: why for name, why in texts.items() if why}}
        return problems or self._misfit()

    def _misfit(self) -> Mapping[str, str]:
        """Return the target's lack for this plan, where the sentence names the field that is to be filled in."""
        fields = self.family.load_fields
        if self.site is None:
            return consent_problem(fields, self._texts)
        fit = plan_fit(self._made(), self.family, self.site)
        named = (named_field(fields, text) for text in (fit.problem, *(check.remedy for check in fit.forbidding)))
        return next((misfits for misfits in named if misfits), {})

    def _parameters_in_order(self) -> list[Parameter]:
        """Return the parameters, those the base plan varies first, in its order."""
        places = {factor.name: place for place, factor in enumerate(self.base.factors)}
        return sorted(self.family.parameters, key=lambda parameter: places.get(parameter.name, len(places)))


def _in_words(field: Field) -> Field:
    """Return a field whose texts, looked up with its declaration, call trials what they are in this plan."""
    return replace(
        field,
        label=in_present_words(field.label),
        spoken=in_present_words(field.spoken),
        unit=in_present_words(field.unit),
        help=in_present_words(field.help),
        hint=in_present_words(field.hint),
    )


def _with_error(field: Field, error: str) -> Field:
    """Return a field with its error; one that must be filled in does not say that it may stay empty."""
    if not error or not field.is_shown:
        return field
    return replace(field, error=error, when_empty=field.when_empty if field.text else "")


def _on(plan: Plan, source: str) -> Plan:
    """Return a plan on work from a source, with the design that goes with it; "" leaves it to the site."""
    return replace(plan, load=plan.load.but(**{SOURCE: source or None}))


def plan_about(plan: Plan, family: ExperimentFamily, subject: Sequence[tuple[str, str]]) -> Plan:
    """Return a plan about a thing that was chosen by its names; other families' names are left out."""
    fields = {field.name for field in family.load_fields}
    return replace(plan, load=plan.load.but(**{name: text for name, text in subject if name in fields}))


def plan_form(
    family: ExperimentFamily, site: Site | None, plan: Plan | None = None, subject: Sequence[tuple[str, str]] = ()
) -> PlanForm:
    """Return a form filled with a plan, with the family's default one, about a subject, where none is given.

    The default's baseline is the value in effect at the site: every claim is made against what is there now. Where a
    plan leaves it to the site where its work comes from, the work that was found there is chosen.
    """
    if plan is None:
        plan = plan_about(replace(family.default_plan(), baseline=Setting()), family, subject)
    if site is not None:
        plan = with_work_source(rig_of(family).fitted(plan, site), family, site)
    site_at_hand = site_for_plan(plan, family, site)
    return PlanForm(family, site, complete_plan(plan, family, site_at_hand) if site_at_hand is not None else plan)


def in_time(form: PlanForm, time_s: float | None) -> PlanForm:
    """Return a form whose run may take so long; one that says itself how long, as it is."""
    if time_s is None or not asks_for_time(form.family) or RUN_DURATION.name in form.base.limits:
        return form
    return form.enter(TIME_FIELD, str(round(time_s / 60)))


def asks_for_time(family: ExperimentFamily) -> bool:
    """Tell whether plans of a family say how long a run may take."""
    return any(field.name == RUN_DURATION.name for field in family.limit_fields)
