"""The plan as a form: fields generated from the family's knobs, what stands in them, and the plan they make."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property

from app.domain.errors import BadInput
from app.domain.family import ExperimentFamily, Site
from app.domain.plan import Design, Factor, Limits, Plan, Scenario, Stop, WorkloadSpec
from app.domain.setting import AgentKind, Knob, Setting
from app.flows.number_entry import number_text
from app.flows.plan_factors import (
    baseline_id,
    baseline_spec,
    factor_errors,
    factor_fields,
    factor_texts,
    levels_id,
    read_factor,
    vary_id,
)
from app.flows.plan_fields import ON, ChoiceSpec, Field, FieldKind, NumberSpec, Section, Spec
from app.flows.plan_specs import RATE, SCENARIO, SIZES, STOP, design_specs, limit_specs, workload_specs
from app.foundation.texts import _
from app.services.site import complete_plan

Numbers = Mapping[str, Decimal | None]

# The most a plan file accepts; a target that was read says how many it has.
_MOST_PAIRS = 64


@dataclass(frozen=True)
class PlanForm:
    """What stands in the form; every change makes a new one.

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
        options = [option.option_id for option in self.field(field_id).options]
        if options and text not in options:
            raise ValueError(f"{field_id} is one of {', '.join(options)}, not {text}")
        others = tuple(pair for pair in self.entered if pair[0] != field_id)
        return replace(self, entered=(*others, (field_id, text)))

    @cached_property
    def fields(self) -> tuple[Field, ...]:
        """Every field in order, also those the other answers hide."""
        made: list[Field] = []
        for knob in self.family.knobs:
            baseline = self._field(baseline_spec(knob, self.family, self.site))
            made += factor_fields(knob, self._texts, baseline, self.site)
        made += [self._field(spec) for spec in self._specs]
        errors = self._errors
        return tuple(replace(field, error=errors.get(field.field_id, "") if field.is_shown else "") for field in made)

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
        if self.errors:
            return None
        texts, numbers = self._texts, self._read[0]
        varied = [knob for knob in self._knobs_in_order() if texts[vary_id(knob)] == ON]
        return replace(
            self.base,
            factors=tuple(Factor(knob.name, read_factor(knob, texts[levels_id(knob)], self.site)) for knob in varied),
            baseline=Setting.from_mapping({knob.name: int(_needed(numbers[baseline_id(knob)])) for knob in varied}),
            workload=_workload(texts, numbers),
            design=_design(texts, numbers),
            limits=_limits(numbers),
        )

    @cached_property
    def _specs(self) -> tuple[Spec, ...]:
        pairs, because = _MOST_PAIRS, ""
        if self.site is not None:
            pairs = max(1, len(self.site.topology.agents_of(AgentKind.LOG_READER)))
            because = _("the publication databases of this Distributor")
        return (*workload_specs(pairs, because), *design_specs(), *limit_specs())

    @cached_property
    def _number_specs(self) -> tuple[NumberSpec, ...]:
        baselines = [baseline_spec(knob, self.family, self.site) for knob in self.family.knobs]
        return (*baselines, *(spec for spec in self._specs if isinstance(spec, NumberSpec)))

    @cached_property
    def _texts(self) -> Mapping[str, str]:
        """What stands in every field."""
        return {
            **factor_texts(self.family.knobs, self.base),
            **{spec.field_id: spec.text_of(self.base) for spec in self._number_specs},
            **{spec.field_id: spec.read(self.base) for spec in self._specs if isinstance(spec, ChoiceSpec)},
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
        factors = factor_errors(self.family.knobs, self._texts, self.site)
        return {**_size_errors(self._texts, numbers, errors), **factors, **errors}

    def _field(self, spec: Spec) -> Field:
        text, shown = self._texts[spec.field_id], spec.is_shown(self._texts)
        if isinstance(spec, ChoiceSpec):
            return Field(
                spec.field_id,
                spec.section,
                spec.label,
                FieldKind.CHOICE,
                text,
                spoken=spec.label,
                help=spec.help,
                options=spec.options,
                is_shown=shown,
            )
        return Field(
            spec.field_id,
            spec.section,
            spec.label,
            spec.kind,
            text,
            spoken=spec.spoken or spec.label,
            unit=spec.unit,
            hint=spec.hint(),
            when_empty=spec.when_empty,
            help=spec.help,
            is_shown=shown,
        )

    def _knobs_in_order(self) -> list[Knob]:
        """Return the knobs, those the base plan varies first, in its order."""
        places = {factor.name: place for place, factor in enumerate(self.base.factors)}
        return sorted(self.family.knobs, key=lambda knob: places.get(knob.name, len(places)))


def plan_form(family: ExperimentFamily, site: Site | None, plan: Plan | None = None) -> PlanForm:
    """Return a form filled with a plan, with the family's default one where none is given.

    The default's baseline is the value in effect at the site: every claim is made against what is there now.
    """
    if plan is None:
        plan = replace(family.default_plan(), baseline=Setting())
    return PlanForm(family, site, complete_plan(plan, family, site) if site is not None else plan)


def _size_fields(texts: Mapping[str, str]) -> tuple[str, str]:
    """Return the fields that hold the smallest and the largest size of a transaction."""
    if texts[SIZES] == "range":
        return "workload.size_low", "workload.size_high"
    return "workload.size", "workload.size"


def _size_errors(texts: Mapping[str, str], numbers: Numbers, errors: Mapping[str, str]) -> Mapping[str, str]:
    """Return what is wrong with sizes that are numbers, each in its bounds, but do not go together."""
    low_id, high_id = _size_fields(texts)
    if low_id in errors or high_id in errors:
        return {}
    low, high = _needed(numbers[low_id]), _needed(numbers[high_id])
    if low > high:
        return {high_id: _("Must be at least the smallest size, {low}.").format(low=number_text(low))}
    is_drained = texts[SCENARIO] == Scenario.DRAINED and "workload.commands" not in errors
    if is_drained and high > _needed(numbers["workload.commands"]):
        return {high_id: _("One transaction would be larger than the whole backlog.")}
    return {}


def _workload(texts: Mapping[str, str], numbers: Numbers) -> WorkloadSpec:
    low, high = (float(_needed(numbers[field_id])) for field_id in _size_fields(texts))
    return WorkloadSpec(
        commands_per_transaction=(low, high),
        commands=int(_needed(numbers["workload.commands"])),
        scenario=Scenario(texts[SCENARIO]),
        duration_s=float(_needed(numbers["workload.duration"])),
        rate_per_s=None if texts[RATE] == "saturated" else _optional(numbers["workload.rate_per_s"]),
        agent_pairs=int(_needed(numbers["workload.agent_pairs"])),
    )


def _design(texts: Mapping[str, str], numbers: Numbers) -> Design:
    return Design(
        stop=Stop(texts[STOP]),
        blocks=int(_needed(numbers["design.blocks"])),
        confirm_blocks=int(_needed(numbers["design.confirm_blocks"])),
        minimum_effect=float(_needed(numbers["design.minimum_effect"])),
        seed=int(_needed(numbers["design.seed"])),
        noise_cv=_optional(numbers["design.noise_cv"]),
    )


def _limits(numbers: Numbers) -> Limits:
    pending = numbers["limits.pending_commands"]
    return Limits(
        latency_s=_optional(numbers["limits.latency"]),
        pending_commands=None if pending is None else int(pending),
        log_used_share=_optional(numbers["limits.log_used"]),
        lock_wait_share=_optional(numbers["limits.lock_waits"]),
        free_disk_gb=_optional(numbers["limits.free_disk"]),
        trial_duration_s=float(_needed(numbers["limits.trial_duration"])),
    )


def _needed(number: Decimal | None) -> Decimal:
    if number is None:
        raise ValueError("a field that needs a number was read as empty")
    return number


def _optional(number: Decimal | None) -> float | None:
    return None if number is None else float(number)
