"""Parts of a plan made of the numbers and texts of its form."""

from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from typing import Final

from app.domain.plan import Design, Limits, Scenario, Stop, WorkloadSpec
from app.flows.plan.number_entry import number_text
from app.flows.plan.plan_specs import RATE, SCENARIO, SIZES, STOP
from app.foundation.texts import _

Numbers = Mapping[str, Decimal | None]
"""The number read from each field, by field id."""


def _size_fields(texts: Mapping[str, str]) -> tuple[str, str]:
    """Return the fields that hold the smallest and the largest size of a transaction."""
    if texts[SIZES] == "range":
        return "workload.size_low", "workload.size_high"
    return "workload.size", "workload.size"


def size_errors(texts: Mapping[str, str], numbers: Numbers, errors: Mapping[str, str]) -> Mapping[str, str]:
    """Return what is wrong with sizes that are numbers, each in its bounds, but do not go together."""
    low_id, high_id = _size_fields(texts)
    if low_id in errors or high_id in errors:
        return {}
    low, high = needed(numbers[low_id]), needed(numbers[high_id])
    if low > high:
        return {high_id: _("Must be at least the smallest size, {low}.").format(low=number_text(low))}
    is_drained = texts[SCENARIO] == Scenario.DRAINED and "workload.commands" not in errors
    if is_drained and high > needed(numbers["workload.commands"]):
        return {high_id: _("One transaction would be larger than the whole backlog.")}
    return {}


def workload_of(texts: Mapping[str, str], numbers: Numbers) -> WorkloadSpec:
    """Return the load of the replication agents."""
    low, high = (float(needed(numbers[field_id])) for field_id in _size_fields(texts))
    return WorkloadSpec(
        commands_per_transaction=(low, high),
        commands=int(needed(numbers["workload.commands"])),
        scenario=Scenario(texts[SCENARIO]),
        duration_s=float(needed(numbers["workload.duration"])),
        rate_per_s=None if texts[RATE] == "saturated" else _optional(numbers["workload.rate_per_s"]),
        agent_pairs=int(needed(numbers["workload.agent_pairs"])),
    )


def design_of(base: Design, texts: Mapping[str, str], numbers: Numbers) -> Design:
    """Return the design; what its family has no field for stays as it was."""
    confirm = numbers.get("design.confirm_blocks")
    return Design(
        stop=Stop(texts.get(STOP, Stop.BLOCKS)),
        blocks=int(needed(numbers["design.blocks"])),
        confirm_blocks=base.confirm_blocks if confirm is None else int(confirm),
        minimum_effect=float(needed(numbers["design.minimum_effect"])),
        seed=int(needed(numbers["design.seed"])),
        noise_cv=_optional(numbers["design.noise_cv"]),
    )


# Fields of the limits and what each stands for; a subject has some of them, the rest stay as the plan has them.
_LIMIT_FIELDS: Final = {
    "limits.latency": "latency_s",
    "limits.log_used": "log_used_share",
    "limits.lock_waits": "lock_wait_share",
    "limits.free_disk": "free_disk_gb",
    "limits.trial_duration": "trial_duration_s",
    "limits.commit_delay": "commit_delay_ms",
    "limits.send_queue": "send_queue_mb",
    "limits.redo_queue": "redo_queue_mb",
    "limits.streams_pool": "streams_pool_share",
}


def limits_of(base: Limits, numbers: Numbers) -> Limits:
    """Return the limits; those its subject has no field for stay as they were."""
    read = {name: _optional(numbers[field_id]) for field_id, name in _LIMIT_FIELDS.items() if field_id in numbers}
    made: Limits = replace(base, **read)  # type: ignore[arg-type]  # a limit that is needed has no empty field
    if "limits.pending_commands" in numbers:
        pending = numbers["limits.pending_commands"]
        made = replace(made, pending_commands=None if pending is None else int(pending))
    return made


def needed(number: Decimal | None) -> Decimal:
    """Return a number that must be there; raises ValueError where it is not."""
    if number is None:
        raise ValueError("a field that needs a number was read as empty")
    return number


def _optional(number: Decimal | None) -> float | None:
    return None if number is None else float(number)
