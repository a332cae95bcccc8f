"""`replitune compare FILE RUN RUN` and `compare FILE [RUN] --published`: described, never judged as an experiment."""

import argparse
import sys
from pathlib import Path

from app.analysis.beside import Spread
from app.cli.arguments import add_json
from app.cli.summary import print_json
from app.domain.errors import BadInput
from app.domain.setting import Setting
from app.domain.units import unit_word
from app.flows.explain.compare_words import CompareWords, change_label, setting_label
from app.foundation.texts import _, local_number
from app.services.explain.comparison import PublishedComparison, RunComparison, compare_published, compare_runs
from app.services.explain.comparison.as_json import published_json, runs_json
from app.services.explain.comparison.runs import EffectPair
from app.services.explain.comparison.sides import labels_of
from app.services.program import Program

_MOST_LINES = 40


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("file", type=Path, metavar="FILE", help=_("a .replitune file"))
    parser.add_argument(
        "runs", nargs="*", metavar="RUN", help=_("E1 (of the newest session), SESSION/E1, or SESSION for all its runs")
    )
    parser.add_argument("--published", action="store_true", help=_("compare with the numbers published by others"))
    add_json(parser)
    parser.set_defaults(run_command=run)


def run(options: argparse.Namespace, program: Program) -> int:
    """Compare, and print what was found."""
    runs: list[str] = options.runs
    words = CompareWords(program.families)
    if options.published:
        if len(runs) > 1:
            raise BadInput(_("give one run, or none for the newest session, with --published"))
        published = compare_published(options.file, runs[0] if runs else "", program.advisor)
        _show(options.json, published_json(published), [line for item in published for line in _published(item, words)])
        return 0
    if len(runs) != 2:
        raise BadInput(_("give two runs, such as E1 E2, or --published"))
    comparison = compare_runs(options.file, runs[0], runs[1], program.advisor)
    lines = [line for pair in comparison.pairs for line in _pair(pair, words)]
    lines += [_("No counterpart: {run}").format(run=label) for label in comparison.unmatched]
    _show(options.json, runs_json(comparison), lines)
    return 0


def _show(as_json: bool, document: object, lines: list[str]) -> None:
    if as_json:
        print_json(document)  # type: ignore[arg-type]  # both documents are JSON objects
    else:
        sys.stdout.write("\n".join(lines) + "\n")


def _pair(pair: RunComparison, words: CompareWords) -> list[str]:
    first, second = labels_of(pair.first, pair.second)
    lines = [f"{first}, {pair.first.target} | {second}, {pair.second.target}"]
    lines += [_("Note: {text}").format(text=text) for text in pair.cautions]
    lines.append(_("What differs:") if pair.differences else _("Plan and environment are the same."))
    shown = pair.differences[:_MOST_LINES]
    lines += [f"  {d.where}, {d.name}: {d.first or '–'} | {d.second or '–'}" for d in shown]
    if len(pair.differences) > _MOST_LINES:
        lines.append("  " + _("and {count} more; --json lists all").format(count=len(pair.differences) - _MOST_LINES))
    for applied in pair.applied:
        text = _("Applied in between: {name} {before} → {after} ({finding})")
        lines.append(
            text.format(name=applied.parameter, before=applied.before, after=applied.after, finding=applied.finding)
        )
    if pair.effects:
        lines.append(_("What each found within its own blocks:"))
    lines += [_effect(effect, words) for effect in pair.effects]
    if pair.contrasts:
        lines.append(_("Measured on both:"))
    for c in pair.contrasts:
        setting = " | ".join(dict.fromkeys(map(setting_label, (c.first_setting, c.second_setting))))
        place = f"{words.metric(c.metric, c.phase)}: {setting}{_under(c.conditions, words)}"
        lines.append(f"  {place}: {_mean(c.first)} | {_mean(c.second)} {unit_word(c.unit)}, {_ratio(c.ratio)}")
    return [*lines, ""]


def _effect(pair: EffectPair, words: CompareWords) -> str:
    effect = pair.first or pair.second
    if effect is None:
        return ""
    name = f"{words.metric(effect.metric, effect.phase)}: {change_label(effect.reference, effect.candidate)}"
    both = " | ".join(
        "–" if c is None else _ratio(Spread(c.ratio, c.low, c.high, 0)) for c in (pair.first, pair.second)
    )
    return f"  {name}{_under(effect.conditions, words)}: {both}"


def _published(item: PublishedComparison, words: CompareWords) -> list[str]:
    source = item.source
    lines = [
        f"{item.side.label} | {source.author}, {source.published}: {source.title}",
        *(_("Note: {text}").format(text=text) for text in item.cautions),
        _("{metric} by {factor}, changes against {reference}; here | published:").format(
            metric=words.metric(item.metric, item.phase), factor=item.factor, reference=setting_label(item.reference)
        ),
    ]
    lines += [
        f"  {setting_label(row.setting)}: {_mean(row.own)} | {_mean(row.published)} {unit_word(item.unit)},"
        f" {_ratio(row.own_change)} | {_ratio(row.published_change)}"
        for row in item.rows
    ]
    return [*lines, ""]


def _under(conditions: Setting, words: CompareWords) -> str:
    return f" ({words.conditions(conditions)})" if conditions else ""


def _mean(spread: Spread) -> str:
    return local_number(f"{spread.value:,.4g}")


def _ratio(spread: Spread) -> str:
    text = _("ratio {value:.3g}").format(value=spread.value)
    if spread.low is None or spread.high is None:
        return text
    return text + _(" (95 % interval {low:.3g} to {high:.3g})").format(low=spread.low, high=spread.high)
