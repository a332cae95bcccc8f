"""Plans: everything an experiment will do, decided before a server is touched."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, Final

from app.domain.limits import NO_LIMITS, Limits
from app.domain.load import EMPTY_LOAD, Load
from app.domain.plan_field import PlanField, ValueKind, fields_of, in_plan
from app.domain.setting import EMPTY_SETTING, Setting, Value
from app.domain.work_source import is_in_windows
from app.foundation.texts import _


class Stop(StrEnum):
    """When exploring ends: after so many blocks, when racing has the winner, or when a model is sure of one."""

    BLOCKS = "blocks"
    RACE = "race"
    MODEL = "model"


class Phase(StrEnum):
    """Exploring finds candidates; only fresh confirmation trials carry a claim, since the best mean flatters itself."""

    EXPLORE = "explore"
    CONFIRM = "confirm"


@dataclass(frozen=True)
class Factor:
    """One parameter to vary, with its levels in the order they were given (at least two, distinct)."""

    name: str
    levels: tuple[Value, ...]


# After three, four, five and six confirming blocks the interval of a claim may be looked at (`analysis.confirmation`).
_MOST_LOOKED_AT: Final = 6
_MOST_FURTHER: Final = 3

FEWEST_WINDOW_PAIRS: Final = 3
MOST_WINDOW_PAIRS: Final = 16
USUAL_WINDOW_PAIRS: Final = 12
"""Pairs of windows after which there is a first look, the most that their looks can be paid for, and the usual most."""

DESIGN_TABLE: Final = "design"
"""Where the design stands in a plan file."""


@dataclass(frozen=True)
class Design:
    """How trials are arranged and when a difference counts.

    Attributes:
        blocks: exploring blocks (`stop = blocks`) or the most there may be (`stop = race`).
        confirm_blocks: fresh blocks of winner against baseline; 0 makes no claim.
        further_blocks: how many more of them there may be where they may settle what is left open.
        minimum_effect: the smallest effect worth acting on, as a share (0.05 = 5 %).
        seed: orders trials within blocks.
        noise_cv: run-to-run noise known from outside, as a share, or None.
        most_pairs: pairs of windows that confirm, at most; None where trials are no windows.
    """

    stop: Stop = field(
        default=Stop.BLOCKS,
        metadata=in_plan(
            DESIGN_TABLE,
            ValueKind.CHOICE,
            _("Exploring"),
            "",
            _(
                "Blocks run every setting equally often. A race drops settings that are clearly slower, so it is "
                "shorter where one setting stands out. A model predicts all settings from the trials so far and tries "
                "the one it learns most from: the fewest trials, above all where two parameters vary."
            ),
            choices=tuple(Stop),
            option_titles=(_("Fixed number of blocks"), _("Race"), _("Guided by a model")),
        ),
    )
    blocks: int = field(
        default=3,
        metadata=in_plan(
            DESIGN_TABLE,
            ValueKind.WHOLE,
            _("Exploring blocks"),
            "blocks",
            _("Each block runs every setting once, the baseline among them. A race or a model ends there at most."),
            low=1,
            high=100,
            compared_as=_("blocks"),
        ),
    )
    confirm_blocks: int = field(
        default=3,
        metadata=in_plan(
            DESIGN_TABLE,
            ValueKind.WHOLE,
            _("Confirmation blocks"),
            "blocks",
            _("Fresh trials of the best setting against the baseline; only they carry a claim. 0 makes none."),
            low=0,
            high=100,
            compared_as=_("confirming blocks"),
        ),
    )
    further_blocks: int = field(
        default=3,
        metadata=in_plan(
            DESIGN_TABLE,
            ValueKind.WHOLE,
            _("Further confirmation blocks"),
            "blocks",
            _(
                "At most so many more, if a trial was disturbed or one more block may settle the question. The "
                "interval accounts for every look."
            ),
            low=0,
            high=_MOST_FURTHER,
            compared_as=_("further confirming blocks"),
        ),
    )
    settling_trials: int = field(
        kw_only=True,
        default=10,
        metadata=in_plan(
            DESIGN_TABLE,
            ValueKind.WHOLE,
            _("Settling trials"),
            "trials",
            _(
                "At most so many more exploring trials, where those planned leave open which setting is the simplest "
                "good one. On average a run needs three."
            ),
            low=0,
            high=100,
            compared_as=_("settling trials"),
        ),
    )
    minimum_effect: float = field(
        default=0.05,
        metadata=in_plan(
            DESIGN_TABLE,
            ValueKind.NUMBER,
            _("Smallest effect worth acting on"),
            "share",
            _("A difference shown to be smaller than this is reported as no difference."),
            above=0,
            below=1,
            typed_in="%",
            compared_as=_("minimum worthwhile effect"),
        ),
    )
    seed: int = field(
        default=1,
        metadata=in_plan(
            DESIGN_TABLE,
            ValueKind.WHOLE,
            _("Seed of the order"),
            "",
            _("The same seed gives the same order of trials within the blocks."),
            low=0,
        ),
    )
    noise_cv: float | None = field(
        default=None,
        metadata=in_plan(
            DESIGN_TABLE,
            ValueKind.NUMBER,
            _("Known noise between trials"),
            "share",
            _(
                "Standard deviation of equal trials, if earlier measurements here showed it; otherwise the run "
                "measures it."
            ),
            above=0,
            below=1,
            typed_in="%",
            when_empty=_("from the run"),
        ),
    )

    most_pairs: int | None = field(
        kw_only=True,
        default=None,
        metadata=in_plan(
            DESIGN_TABLE,
            ValueKind.WHOLE,
            _("Most confirming pairs"),
            "pairs",
            _(
                "Windows of the best setting and the baseline in turn, looked at after each pair from the third on; "
                "the interval accounts for every look."
            ),
            low=FEWEST_WINDOW_PAIRS,
            high=MOST_WINDOW_PAIRS,
            when_empty=_("no windows"),
        ),
    )

    @property
    def is_windowed(self) -> bool:
        """Whether trials are windows on one backlog, so that pairs of them confirm."""
        return self.most_pairs is not None

    def on(self, *, in_windows: bool) -> "Design":
        """Return the design as it is where trials are windows on one backlog, which confirm in pairs, or are not.

        One that confirms nothing and adds nothing names all its comparisons before the run, and stays as it is. One
        that nobody changed is guided by a model there, as windows are short and many.
        """
        names_all = not self.confirm_blocks and self.further_blocks <= 1
        if in_windows == self.is_windowed or (in_windows and names_all):
            return self
        if not in_windows:
            return replace(self, most_pairs=None)
        usual = Design()
        like = replace(self, seed=usual.seed, minimum_effect=usual.minimum_effect, noise_cv=usual.noise_cv)
        return replace(self, most_pairs=USUAL_WINDOW_PAIRS, stop=Stop.MODEL if like == usual else self.stop)

    @property
    def most_confirm_blocks(self) -> int:
        """How many confirming blocks there may come to be: where any are added, as many as the looks are paid for."""
        if self.most_pairs is not None:
            return max(self.confirm_blocks, self.most_pairs) if self.confirm_blocks else 0
        return max(self.confirm_blocks, min(_MOST_LOOKED_AT, self.confirm_blocks + self.further_blocks))

    def extended(self) -> "Design":
        """Return the design with all the further blocks that its looks are paid for."""
        left = max(0, min(_MOST_FURTHER, _MOST_LOOKED_AT - self.confirm_blocks))
        return replace(self, further_blocks=max(self.further_blocks, left))

    def extended_to(self, blocks: int) -> "Design":
        """Return the design of a run that compares everything in each block and goes on to so many of them."""
        return replace(self, blocks=blocks, confirm_blocks=0, further_blocks=1)

    @property
    def is_extended(self) -> bool:
        """Whether a run that compares everything in each block went on after it was complete (`extended_to`)."""
        return self.confirm_blocks == 0 and self.further_blocks > 0

    @staticmethod
    def from_mapping(values: Mapping[str, Any]) -> "Design":
        """Return the design with these values; missing ones take their defaults."""
        made = Design(**values)
        return replace(made, stop=Stop(made.stop))


DESIGN_FIELDS: Final = fields_of(Design)

_EXPLORING: Final = ("stop", "confirm_blocks", "further_blocks", "settling_trials", "most_pairs")
_OF_BLOCKS: Final = ("confirm_blocks", "further_blocks")


def design_fields(*, compares_all: bool = False, is_windowed: bool = False) -> tuple[PlanField, ...]:
    """Return the fields of a design that a person fills in.

    Args:
        compares_all: the family picks no winner: every setting runs in every block, and all of them carry claims.
        is_windowed: trials are windows, whose pairs confirm.
    """
    left_out = _OF_BLOCKS if is_windowed else ("most_pairs",)
    asked = [field for field in DESIGN_FIELDS if field.name not in left_out]
    asked.sort(key=lambda field: field.name == "seed")  # which nobody needs to change, last
    if not compares_all:
        return tuple(asked)
    words = _("Each block runs every setting once, in an order of its own; all of them carry claims.")
    return tuple(
        replace(field, title=_("Blocks"), help=words) if field.name == "blocks" else field
        for field in asked
        if field.name not in _EXPLORING
    )


@dataclass(frozen=True)
class Plan:
    """One experiment, complete: the same plan gives the same trials.

    Attributes:
        family: id of the experiment family.
        factors: what is varied; the trials cross all levels.
        baseline: the setting every claim is made against (the values in effect, unless the plan names others).
        load: what it says in the load fields of its family, complete.
        at_site: what a model of the response counts with beyond the trials, as read when the run was prepared, by
            name; empty where none is used. A run that goes on keeps it.
        most_s: how long this start of a run may take at most, as it was told before it and agreed to; None before the
            plan is prepared, and in plans of earlier versions.
    """

    family: str
    factors: tuple[Factor, ...]
    baseline: Setting
    load: Load = EMPTY_LOAD
    design: Design = field(default_factory=Design)
    limits: Limits = NO_LIMITS
    at_site: Setting = EMPTY_SETTING
    most_s: float | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        """Let the design follow the work: windows on one backlog confirm in pairs."""
        object.__setattr__(self, "design", self.design.on(in_windows=is_in_windows(self.load)))


@dataclass(frozen=True)
class TrialSpec:
    """One trial to be run.

    Attributes:
        trial_id: unique within the session, such as `E1-T004`.
        order: position in the sequence, from 1.
        block: block number, from 1, counted through both phases.
    """

    trial_id: str
    order: int
    block: int
    phase: Phase
    setting: Setting
