"""The method of measuring and calculating, in plain words, with its limits."""

from collections.abc import Sequence
from typing import Final

from app.analysis.response.exploring import MOST_TRIALS
from app.analysis.window_pairs import look_error
from app.domain.comparison import Verdict, are_leads, verdict_counts
from app.domain.plan import Design, Plan, Stop
from app.domain.session import Advice, RunRecord, SessionRecord
from app.domain.work_source import is_in_windows, work_source_of
from app.foundation.texts import _, in_words_of
from app.reporting.blocks import Block, Bullets, Fields, Heading, Paragraph, Section, Start
from app.reporting.document.decision_page import note_blocks
from app.reporting.document.worked_example import worked_blocks
from app.reporting.load_words import limits_in_full, load_in_full, plainly
from app.reporting.numbers import number, percent
from app.reporting.wording import Vocabulary
from app.reporting.worked_out import worked_out_text

_SHORT: Final = 40
"""Characters of a text that says itself again sooner than where it stands."""
_MOST_REASONS: Final = 12  # all are in session.json


def method_section(session: SessionRecord, advice: Advice, words: Vocabulary) -> Section:
    """Return the method: each experiment's plan, the statistics and their limits, and open questions."""
    blocks: list[Block] = []
    alike: dict[tuple[str, tuple[tuple[str, str], ...]], list[RunRecord]] = {}
    for run in session.runs:
        worked_out = worked_out_text(run)
        with in_words_of(run.plan.design):
            pairs = _plan_pairs(run.plan, words)
        every = pairs + (((_("Run times worked out"), worked_out),) if worked_out else ())
        alike.setdefault((run.plan.family, every), []).append(run)
    told: dict[tuple[str, str, str], str] = {}
    for (family, pairs), runs in alike.items():
        is_first = not any(known == family for known, _title, _text in told)
        blocks += _runs(family, _once(family, pairs, runs, told), runs, words, is_first=is_first)
    blocks += _order_of_trials(session, words) if session.runs else []
    if session.imported:
        blocks += [Heading(_("Measurements made elsewhere"), minor=True), Paragraph(_imported_text())]
    blocks += [Heading(_("What the numbers mean"), minor=True), Bullets(_statistics(), small=True)]
    blocks += worked_blocks(session, advice, words)
    blocks += [Heading(_("What this method cannot do"), minor=True), Bullets(_cannot(), small=True)]
    blocks += _open_questions(advice, words, is_imported=bool(session.imported))
    blocks += note_blocks(session, advice.warnings)
    return Section(_("Method and limits"), tuple(blocks), Start.FOLLOWS)


def _order_of_trials(session: SessionRecord, words: Vocabulary) -> list[Block]:
    """Return how the trials of a session's own runs were arranged."""
    plans = [run.plan for run in session.runs]
    picking = [plan for plan in plans if not words.compares_all(plan.family)]
    blocks: list[Block] = [Heading(_("Order of the trials"), minor=True)]
    arranged = " ".join(map(_arranged, _stops(session, words)))
    blocks += [Paragraph(arranged)] if arranged else []
    blocks += _orders(picking, words)
    blocks += [Paragraph(_named_text())] if len(picking) < len(plans) else []
    windowed = any(plan.design.is_windowed and plan.design.confirm_blocks for plan in plans)
    blocks += [Paragraph(_pairs_text())] if windowed and picking else []
    return blocks


def _open_questions(advice: Advice, words: Vocabulary, *, is_imported: bool) -> list[Block]:
    """Return the questions these measurements leave open: comparisons without a verdict, rules without their facts."""
    items = []
    only_leads = are_leads(advice.comparisons, is_imported=is_imported)
    counts = verdict_counts(advice.comparisons, is_imported=is_imported or only_leads)
    unsettled = counts[Verdict.CANNOT_TELL]
    if unsettled:
        text = _("Comparisons still open: {open} of {count}; comparisons.csv says how many trials would settle them.")
        asked = sum(counts.values())
        items.append(text.format(open=number(unsettled), count=number(asked)) + _leads(len(advice.comparisons) - asked))
    reasons: dict[tuple[str, str], list[str]] = {}
    for rule in advice.not_evaluated:
        reasons.setdefault((rule.family, rule.because), []).append(rule.rule)
    for (family, because), rules in list(reasons.items())[:_MOST_REASONS]:
        text = _("{family}, rules {rules}: {because}")
        items.append(text.format(family=words.family(family), rules=", ".join(rules), because=because))
    if len(reasons) > _MOST_REASONS:
        items.append(
            _("More rules with missing data: {count}; session.json names them.").format(
                count=number(len(reasons) - _MOST_REASONS)
            )
        )
    return [Heading(_("Open questions"), minor=True), Bullets(tuple(items), small=True)] if items else []


def _leads(count: int) -> str:
    """Return a sentence on the exploring rows beside confirmed ones, behind a space, which no count holds."""
    if not count:
        return ""
    text = _(
        "Its other rows, {count}, are exploring ones beside confirmed ones: they chose the setting and stay leads."
    )
    return " " + text.format(count=number(count))


def _once(
    family: str, pairs: Sequence[tuple[str, str]], runs: Sequence[RunRecord], told: dict[tuple[str, str, str], str]
) -> tuple[tuple[str, str], ...]:
    """Return the pairs of a plan; a long text that an earlier experiment of the family has stands there.

    Args:
        told: the texts that stand somewhere, by family and title, with the experiment they stand with; added to.
    """
    once = []
    for title, text in pairs:
        first = told.setdefault((family, title, text), runs[0].run_id)
        is_there = first != runs[0].run_id and len(text) > _SHORT
        once.append((title, _("as in experiment {run}").format(run=first) if is_there else text))
    return tuple(once)


def _runs(
    family: str,
    pairs: tuple[tuple[str, str], ...],
    runs: Sequence[RunRecord],
    words: Vocabulary,
    *,
    is_first: bool,
) -> list[Block]:
    """Return the plan of experiments that differ in nothing but their targets, the question with a family's first."""
    title = _("Experiment {run}: {family}")
    named = ", ".join(run.run_id for run in runs)
    blocks: list[Block] = [Heading(title.format(run=named, family=words.family(family)), minor=True)]
    question = words.question(family)
    if question and is_first:
        blocks.append(Paragraph(question))
    targets = dict.fromkeys(run.target for run in runs)
    told = ", ".join(targets) if len(targets) == 1 else "; ".join(f"{run.run_id}: {run.target}" for run in runs)
    blocks.append(Fields(((_("Target"), told), *pairs), columns=1))
    return blocks


def _plan_pairs(plan: Plan, words: Vocabulary) -> tuple[tuple[str, str], ...]:
    factors = "; ".join(
        f"{words.factor(plan.family, f.name)}: {', '.join(words.values(plan.family, f.name, *f.levels))}"
        for f in plan.factors
    )
    baseline = words.setting(plan.family, plan.baseline)
    return (
        (_("Varied"), _("{factors}; compared with {baseline}").format(factors=factors, baseline=baseline)),
        (_("Workload"), _load(plan, words)),
        (_("Design"), _design(plan, words)),
        (_("Ends a trial"), limits_in_full(words.limit_fields(plan.family), plan.limits)),
    )


def _load(plan: Plan, words: Vocabulary) -> str:
    """Return the load of a plan, in the words of its fields or else by their titles."""
    declared = words.load_fields(plan.family)
    if not declared:  # of a family this program does not have
        return "; ".join(f"{name}: {plainly(value)}" for name, value in plan.load.items())
    stated = load_in_full(declared, plan.load)
    return stated or "; ".join(f"{title}: {value}" for title, value in words.load(plan.family, plan.load) if value)


def _design(plan: Plan, words: Vocabulary) -> str:
    """Return the design: exploring and confirming, or that all comparisons are named beforehand."""
    design = plan.design
    if words.compares_all(plan.family):
        arranged = [_("{count} blocks, every setting in each; all comparisons named before the run")]
    else:
        explored = {
            Stop.BLOCKS: _("{count} exploring blocks"),
            Stop.RACE: _("at most {count} exploring blocks, ended by racing"),
            Stop.MODEL: _("exploring guided by a model of the response, at most {most} trials"),
        }
        arranged = [
            explored[design.stop],
            _confirming(design),
        ]
        if design.confirm_blocks and design.further_blocks and not design.is_windowed:
            arranged.append(_("up to {further} more, if a trial was disturbed or one more may settle it"))
    told = [*arranged, _("an effect counts from {effect}"), _("random seed {seed}")]
    if design.noise_cv is not None:
        told.append(_("noise between trials given as {noise}"))
    return "; ".join(told).format(
        count=number(design.blocks),
        most=number(MOST_TRIALS),
        confirming=number(design.confirm_blocks),
        pairs=number(design.most_confirm_blocks),
        level=percent(look_error(design.most_confirm_blocks)),
        further=number(design.most_confirm_blocks - design.confirm_blocks),
        effect=percent(design.minimum_effect),
        seed=design.seed,
        noise=percent(design.noise_cv or 0.0),
    )


def _confirming(design: Design) -> str:
    """Return the confirming trials of a design, with the places of their numbers."""
    if not design.confirm_blocks:
        return _("no confirmation blocks, so no claim")
    if design.is_windowed:
        return _(
            "at most {pairs} pairs of windows of the chosen setting and the baseline, looked at from the third on at "
            "{level} each, so that all looks together err in at most 5 %"
        )
    return _("{confirming} confirmation blocks of the chosen setting against the baseline")


def _stops(session: SessionRecord, words: Vocabulary) -> tuple[Stop, ...]:
    """Return the ways of stopping of the runs that pick a winner, each once."""
    plans = (run.plan for run in session.runs if not words.compares_all(run.plan.family))
    return tuple(dict.fromkeys(plan.design.stop for plan in plans))


def _arranged(stop: Stop) -> str:
    """Return which settings run together while exploring."""
    texts = {
        Stop.BLOCKS: _("Settings run in blocks: every block holds each setting, the baseline included."),
        Stop.RACE: _(
            "In a race settings run in blocks: a block holds each setting that earlier ones have not dropped, so "
            "settings have different numbers of trials."
        ),
        Stop.MODEL: _(
            "Guided by a model, exploring trials are chosen one by one: some settings run once or not at all. Only "
            "confirmation blocks hold each setting they compare."
        ),
    }
    return texts[stop]


def _orders(plans: Sequence[Plan], words: Vocabulary) -> list[Block]:
    """Return how trials of a picked winner are ordered, and the preparations of each, by the first system.

    Windows on one backlog are prepared alike in every system.
    """
    asked = {words.parts_of(plan.family) for plan in plans if not is_in_windows(plan.load)}
    told: list[Block] = [Paragraph(parts.order_of_trials) for parts in words.parts if parts in asked]
    windowed = {work_source_of(plan.load).is_own_work for plan in plans if is_in_windows(plan.load)}
    rest = _windows_prepared() if told else f"{_windows_prepared()} {_windows_order()}"
    return [*told[:1], *(Paragraph(f"{_windows_text(is_own=is_own)} {rest}") for is_own in sorted(windowed))]


def _windows_text(*, is_own: bool) -> str:
    if is_own:
        return _("On the client's own work nothing is written: settings change in short windows on one backlog.")
    return _("One backlog of the test table is written, and settings change in short windows on it.")


def _windows_prepared() -> str:
    return _(
        "Before each window the setting is made and checked, and the process is restarted; measuring begins once it "
        "has settled, and rates are taken from its own history. What others write meanwhile is measured, and spoils "
        "nothing."
    )


def _windows_order() -> str:
    """Return how windows are ordered and judged, which other trials have in common with them."""
    return _(
        "The order of the settings changes all the time, because servers drift and work is not the same all day. A "
        "window that fails a check is kept and marked, but not used. Exploring finds the candidate; only fresh pairs "
        "of windows, each in random order, carry a claim, and the interval accounts for every look at them."
    )


def _named_text() -> str:
    return _(
        "Where all comparisons are named before the run, no winner is picked: every block holds every setting, in an "
        "order that changes from block to block, so that a drifting server favours none. Every comparison counts as a "
        "claim, and all of them together decide how wide the intervals are. Values that one trial measured together "
        "share that trial's luck; the intervals allow for it."
    )


def _pairs_text() -> str:
    return _(
        "The interval of a claim rests on the pairs of windows alone. They end early where those left would hardly "
        "settle it. Where the rate may go up and down in step with a job that comes back, a claim that this could have "
        "made must also hold by the drawn order alone, which takes seven pairs."
    )


def _imported_text() -> str:
    return _(
        "This program did not measure these values. It takes them as the file gives them, compares only "
        "runs under equal conditions, and cannot tell in which order they ran, whether the servers "
        "drifted meanwhile, or what was left out. With a single run of each setting it says “cannot tell "
        "yet” unless the noise between runs is given."
    )


def _statistics() -> tuple[str, ...]:
    return (
        _(
            "An effect is the ratio of two means, calculated on logarithms with the differences between blocks taken "
            "out; “18 % lower” means the ratio is 0.82. Every percentage is of the value it is compared with: of the "
            "baseline's for a gain, of the best setting's for what another one loses against it."
        ),
        _(
            "The 95 % interval holds for all comparisons of one experiment together: were everything repeated, all of "
            "them would contain the true effects in 19 of 20 sessions."
        ),
        _(
            "p is the chance of so large an effect if there were none: below 0.05 just where the interval excludes "
            "“no change”."
        ),
        _(
            "Improvement or worse: the interval excludes “no change”. No difference shown: the interval lies "
            "within the smallest effect worth acting on. Anything else: cannot tell yet, with the trials of "
            "each setting that settle a difference worth acting on, or one as large as measured, in four of "
            "five experiments."
        ),
    )


def _cannot() -> tuple[str, ...]:
    return (
        _(
            "It holds for this workload, these servers and these days; another row size or network needs its "
            "own trials."
        ),
        _("It measures some of the possible settings; a better one may lie between or beyond them."),
        _("It sees what else ran on the servers only as noise, which makes the intervals wider."),
        _(
            "What a setting leaves to the next trial, such as a cold cache, it finds in its own runs only, by their "
            "order, and if it is large; a gain then looks smaller than it is. A trial of a given amount of work has no "
            "settling part: the start is waited for, too."
        ),
    )
