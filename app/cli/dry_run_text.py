"""A dry run as text: its trials, how long it takes, every change with its script."""

import sys
from collections.abc import Sequence
from itertools import groupby

from app.domain.plan import Phase
from app.domain.setting import label_text
from app.flows.plan.dry_run_view import (
    by_hand_sentences,
    changes_text,
    measured_lines,
    statements_text,
    step_lines,
    time_sentences,
)
from app.foundation.durations import duration_text
from app.foundation.terminal_text import lines_of
from app.foundation.texts import _, in_its_words
from app.services.plan.dry_run import DryRun
from app.services.plan.planned_trials import PlannedTrial

Fitting = Sequence[tuple[str, Sequence[str]]]
"""Designs that fit into the time a plan allows, in words, each with its lines of the plan file."""


@in_its_words
def print_dry_run(dry: DryRun, target: str, fitting: Fitting = (), *, by_hand: bool = False) -> None:
    """Print a dry run on standard output.

    Args:
        fitting: where its plan allows less time than it may take.
        by_hand: the DBA is to make the changes.
    """
    lines = [
        _("Dry run of {family} on {target}; nothing was changed.").format(family=dry.plan.family, target=target),
        *([_("Trials kept and not repeated: {count:,}").format(count=dry.kept)] if dry.kept else []),
        *measured_lines(dry),
        _("Baseline: {setting}").format(setting=dry.plan.baseline.text()),
        _("Trials: {count:,}, about {time} in all").format(count=len(dry.trials), time=duration_text(dry.duration_s)),
        *time_sentences(dry),
        *(by_hand_sentences(dry.plan) if by_hand else ()),
        *_fitting_lines(dry, fitting),
        "",
        _("Preflight:"),
    ]
    for check in dry.checks:
        mark = _("ok") if check.passed else _("check")
        lines.append(f"  [{mark}] {check.title}" + ("" if check.passed else f" – {check.remedy}"))
    lines += ["", _("Order of the trials:")]
    for block in sorted({trial.block for trial in dry.trials}):
        row = [trial for trial in dry.trials if trial.block == block]
        lines.append(f"  {_('block')} {block} ({_phase(row[0].phase)}): {_order(row)}")
    lines += ["", _("Steps of each trial:")]
    lines += step_lines(dry)
    scripts = [_("Changes, each written to the undo journal before it is sent:"), "", changes_text(dry)]
    scripts += ["", _("Statements that may be sent:"), "", statements_text(dry)]
    sys.stdout.write(lines_of([*lines, ""]) + "\n".join(scripts) + "\n")


def _fitting_lines(dry: DryRun, fitting: Fitting) -> list[str]:
    if not fitting:
        return []
    text = _("With all that may follow it may take {all}; of that, {longest} are allowed. Designs that fit:")
    told = text.format(all=duration_text(dry.duration_s + dry.further_s), longest=duration_text(dry.longest_s))
    return [
        told,
        *(text for spoken, lines in fitting for text in (f"  {spoken}", *(f"      {line}" for line in lines))),
    ]


def _phase(phase: str) -> str:
    return _("confirming") if phase == Phase.CONFIRM else _("exploring")


def _order(row: Sequence[PlannedTrial]) -> str:
    """Return the settings of a block; those of a confirmation are drawn when its winner is known."""
    if any(trial.is_open and trial.phase is Phase.CONFIRM for trial in row):
        both = _(" and ").join(sorted({label_text(trial.setting) for trial in row}, reverse=True))
        return _("{both}, in an order that depends on the winner").format(both=both)
    alike = (
        (setting, sum(1 for _trial in trials))
        for setting, trials in groupby(label_text(trial.setting) for trial in row)
    )
    return ", ".join(setting if count == 1 else f"{count} × {setting}" for setting, count in alike)
