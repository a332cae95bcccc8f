"""Facts for the rules on the price of synchronous commit and on compression."""

import math
from collections.abc import Callable, Mapping, Sequence

from app.analysis.compared_facts import effect_facts, gain_percent, trials_facts
from app.domain.comparison import Comparison, Verdict
from app.domain.effect import has_interval, signed_interval, signed_percent, tells_interval
from app.domain.facts import FactValue
from app.domain.plan import Phase
from app.domain.setting import Setting, typed_text
from app.foundation.texts import _, in_sentence
from app.systems.availability_groups import metrics
from app.systems.availability_groups.analysis.decided import decided_facts
from app.systems.availability_groups.commit_steps import OFF, ON
from app.systems.availability_groups.families.commit_mode.arms import Arms, place_of, rows_of
from app.systems.availability_groups.families.commit_mode.parameters import (
    AVAILABILITY_MODE,
    GROUP_COMMIT_TIME,
    INSERTS,
    LOG_STREAM_COMPRESSION,
    ROWS_PER_INSERT,
)
from app.systems.availability_groups.families.commit_mode.plan import commit_time_of, compression_of, mode_of
from app.systems.availability_groups.groups import CommitMode
from app.systems.availability_groups.readings import REDO_BUILT_UP

Facts = dict[str, FactValue]

# The modes a synchronous commit is compared with, the one that is the alternative first.
_UNPRICED = (CommitMode.ASYNCHRONOUS, CommitMode.STANDALONE)
_AGAINST = {
    CommitMode.ASYNCHRONOUS: _("asynchronous commit"),
    CommitMode.STANDALONE: _("a database in no group"),
}

_COMMIT = {CommitMode.ASYNCHRONOUS: _AGAINST[CommitMode.ASYNCHRONOUS], CommitMode.SYNCHRONOUS: _("synchronous commit")}

# Rows per insert up to which the log of a commit fits into a few blocks, so that its wait is the way there and back.
_FEW_ROWS = 10


def commit_facts(arms: Arms, factor: str) -> Mapping[str, FactValue]:
    """Return the facts of one factor; those that are not known are absent."""
    facts: Facts = {"factor": factor, "minimum_effect_percent": arms.evidence.minimum_effect * 100}
    facts["measure"] = in_sentence(arms.metric.title)
    facts["factors_varied"] = len(arms.baseline)
    if arms.major is not None:
        facts["server_major"] = arms.major
    now = arms.now(CommitMode.SYNCHRONOUS)
    if arms.major is not None:
        facts["compression_now"] = arms.compression_now(CommitMode.SYNCHRONOUS)
    if factor == AVAILABILITY_MODE.name and arms.metric != metrics.SHAPE_TIME:
        facts |= _stand_in_facts(arms, now or next(iter(arms.of_mode(CommitMode.SYNCHRONOUS)), None))
    elif factor == AVAILABILITY_MODE.name:
        price = now or next(iter(arms.of_mode(CommitMode.SYNCHRONOUS)), None)
        facts |= _penalty_facts(arms, price)
        facts |= _standalone_facts(arms, price)
        facts |= _load_facts(arms, price)
        facts |= _round_trip_facts(facts)
    if factor == LOG_STREAM_COMPRESSION.name:
        facts |= _compression_facts(arms)
    if factor == GROUP_COMMIT_TIME.name:
        facts |= _commit_time_facts(arms)
    return facts


def _penalty_facts(arms: Arms, sync: Setting | None) -> Facts:
    """Return the cost of a synchronous arm against the asynchronous one, at the ends of the shapes and in all."""
    comparisons = arms.compared(arms.now(CommitMode.ASYNCHRONOUS) or arms.baseline, sync)
    if not comparisons:
        return {}
    facts = _summary(comparisons)
    for name, c in (("small", comparisons[0]), ("large", comparisons[-1])):
        facts |= _ends(c, f"penalty_{name}", _percent)
        facts |= _rows_facts(f"rows_{name}", c)
    if len(comparisons) > 1:
        facts["penalty_large_told"] = _told(comparisons[-1])
    facts["against_mode"] = _against(arms, comparisons[0])
    facts |= _compression_apart(arms, comparisons[0])
    small_ms = _per_insert_ms(arms, comparisons[0])
    if small_ms is not None:
        facts |= _ends(comparisons[0], "penalty_small", lambda ratio: (ratio - 1) * small_ms, "_ms")
    base_ms = _per_insert_ms(arms, comparisons[-1])
    if base_ms is not None:
        large_ms = (comparisons[-1].ratio - 1) * base_ms
        rows = _rows(comparisons[-1])
        facts["penalty_large_ms"] = large_ms
        if rows is not None:
            facts["penalty_large_ms_per_thousand_rows"] = large_ms * 1000 / rows
    return facts | _worst_facts(arms, comparisons)


def _worst_facts(arms: Arms, told: Sequence[Comparison]) -> Facts:
    """Return the largest penalty of any shape, of all arms: of those beside the ones told as far as it is settled."""
    every = (*told, *(c for c in arms.priced() if c not in told and c.verdict is not Verdict.CANNOT_TELL))
    worst = max(every, key=lambda c: c.ratio)
    facts: Facts = {"penalty_worst_percent": (worst.ratio - 1) * 100, "against_worst": _against(arms, worst)}
    facts |= _rows_facts("rows_worst", worst)
    if all(has_interval(c.low, c.high) for c in every):
        facts["penalty_most_percent"] = (max(c.high for c in every) - 1) * 100
    return facts


def _told(c: Comparison) -> str:
    """Return a penalty with its interval, or that it is open."""
    amount = signed_percent(c.ratio)
    if not tells_interval(c.low, c.high):
        return _("{amount}, which is open: no interval can be given").format(amount=amount)
    text = _("{amount}, which is open ({interval})") if c.verdict is Verdict.CANNOT_TELL else _("{amount} ({interval})")
    return text.format(amount=amount, interval=signed_interval(c.low, c.high))


def _compressing(arms: Arms, c: Comparison) -> tuple[CommitMode, ...] | None:
    """Return the modes of two arms that compress their log stream, None where that is not known of both."""
    sides = (c.reference, c.candidate)
    if not all(map(arms.tells_compression, sides)):
        return None
    return tuple(mode_of(setting) for setting in sides if arms.compression(setting) == ON)


def _compression_apart(arms: Arms, c: Comparison) -> Facts:
    """Return which of two arms compresses its log stream where only one does: that is part of their difference."""
    on = _compressing(arms, c) or ()
    return {"compressed_mode": _COMMIT[on[0]]} if len(on) == 1 and on[0] in _COMMIT else {}


def _against(arms: Arms, c: Comparison) -> str:
    """Return what synchronous commit is compared with, and which log stream was compressed where that may be another
    arm's: one of them alone, or both of several."""
    on, mode = _compressing(arms, c), CommitMode.ASYNCHRONOUS
    if on is None or mode_of(c.reference) is not mode:
        return _AGAINST.get(mode_of(c.reference), _AGAINST[mode])
    if len(on) == 1:
        alone = _("asynchronous commit, whose log stream alone was compressed")
        return alone if on[0] is mode else _("asynchronous commit, whose log stream alone was not compressed")
    if len(arms.of_mode(mode)) == len(arms.of_mode(CommitMode.SYNCHRONOUS)) == 1:
        return _AGAINST[mode]
    both = _("asynchronous commit, the log stream compressed with both")
    return both if on else _("asynchronous commit, the log stream compressed with neither")


def _stand_in_facts(arms: Arms, sync: Setting | None) -> Facts:
    """Return what synchronous commit does to a throughput or a time that is no shape's: where it costs most."""
    others = (
        (CommitMode.ASYNCHRONOUS, arms.now(CommitMode.ASYNCHRONOUS)),
        *((mode, setting) for mode in _UNPRICED for setting in arms.of_mode(mode)),
    )
    made = {mode: comparisons for mode, other in reversed(others) if (comparisons := arms.compared(other, sync))}
    if not made:
        return {}
    mode = min(made, key=_UNPRICED.index)
    costliest = max(made[mode], key=lambda c: -gain_percent(c.ratio, arms.metric.better))
    facts: Facts = {
        "verdict": str(costliest.verdict),
        "confirmed": costliest.phase is Phase.CONFIRM,
        **effect_facts(costliest, arms.metric),
        **trials_facts((costliest,)),
        "trials_per_setting": min(len(costliest.reference_trials), len(costliest.candidate_trials)),
        "baseline_choice": mode.value,
        "against_mode": _AGAINST[mode],
    }
    if mode is not CommitMode.STANDALONE and CommitMode.STANDALONE in made:
        alone = max(made[CommitMode.STANDALONE], key=lambda c: -gain_percent(c.ratio, arms.metric.better))
        facts["standalone_effect"] = effect_facts(alone, arms.metric)["effect"]
    return facts


def _standalone_facts(arms: Arms, sync: Setting | None) -> Facts:
    """Return the cost of a group at all: each mode against the same server without one, at the smallest shape."""
    alone = next(iter(arms.of_mode(CommitMode.STANDALONE)), None)
    if alone is None:
        return {}
    facts: Facts = {}
    for name, setting in (("async", arms.now(CommitMode.ASYNCHRONOUS)), ("sync", sync)):
        comparisons, turned = arms.compared(alone, setting), arms.compared(setting, alone)
        made = comparisons or turned
        if not made:
            continue
        percent_of = _percent if comparisons else _turned_percent
        facts |= _ends(made[0], f"standalone_{name}", percent_of)
        facts |= _rows_facts("rows_small", made[0])
        if len(made) > 1:
            facts[f"standalone_{name}_large_percent"] = percent_of(made[-1].ratio)
            facts |= _rows_facts("rows_large", made[-1])
    return facts


def _percent(ratio: float) -> float:
    return (ratio - 1) * 100


def _turned_percent(ratio: float) -> float:
    return (1 / ratio - 1) * 100


def _load_facts(arms: Arms, sync: Setting | None) -> Facts:
    """Return waits, queues and flow control of the synchronous arm."""
    comparisons = [c for c in arms.evidence.comparisons if c.candidate == sync]
    if sync is None or not comparisons:
        return {}
    smallest = min(comparisons, key=rows_of)
    places = {place_of(c) for c in comparisons}
    facts: Facts = {} if _rows(smallest) is None else _small_load_facts(arms, sync, place_of(smallest))
    flow = _largest(arms, metrics.FLOW_CONTROL.name, sync, places)
    if flow is not None:
        facts["flow_control_percent"] = flow * 100
    return facts | _redo_facts(arms, sync, places)


def _small_load_facts(arms: Arms, sync: Setting, smallest: Setting) -> Facts:
    """Return the waits of the shape with the fewest rows per insert."""
    facts: Facts = {}
    delay = arms.mean(metrics.COMMIT_DELAY.name, sync, smallest)
    if delay is not None:
        facts["commit_delay_ms"] = delay
    wait, rate = (arms.mean(m.name, sync, smallest) for m in (metrics.SYNC_COMMIT_WAIT, metrics.INSERT_RATE))
    if wait is not None and rate is not None:
        facts["sync_commit_wait_share"] = min(1.0, wait * rate / 1000)
    return facts


def _redo_facts(arms: Arms, sync: Setting, places: set[Setting]) -> Facts:
    """Return queue and delay of the shape at which redo fell behind most; both of one and the same shape."""
    behind: list[tuple[float, float]] = []
    for place in places:
        queue, log = (arms.mean(m.name, sync, place) for m in (REDO_BUILT_UP, metrics.LOG_RATE))
        if queue is not None and log:
            behind.append((queue / log, queue))
    if not behind:
        return {}
    behind_s, queue_mb = max(behind)
    return {REDO_BUILT_UP.fact: queue_mb, "redo_behind_s": behind_s}


def _round_trip_facts(facts: Facts) -> Facts:
    """Return a commit's cost of the round trip to the secondary: the commit delay of small inserts by the server's
    counters, where they were not read the most their penalty may be; nothing where no inserts were small."""
    rows = facts.get("rows_small")
    if not isinstance(rows, int | float) or rows > _FEW_ROWS:
        return {}
    names = ("commit_delay_ms", "penalty_small_high_ms", "penalty_small_ms")
    known = next((name for name in names if name in facts), "")
    if not known:
        return {}
    most = {} if known == "commit_delay_ms" else {"round_trip_most_ms": facts[known]}
    return {"round_trip_ms": facts[known], **most}


def _largest(arms: Arms, metric: str, setting: Setting, places: set[Setting]) -> float | None:
    values = [value for place in places if (value := arms.mean(metric, setting, place)) is not None]
    return max(values, default=None)


def _compression_facts(arms: Arms) -> Facts:
    """Return the gain by compressing the log stream for the synchronous replica, at the ends of the shapes."""
    off = arms.with_compression(CommitMode.SYNCHRONOUS, OFF)
    on = arms.with_compression(CommitMode.SYNCHRONOUS, ON)
    comparisons = arms.compared(off, on)
    is_turned = not comparisons
    comparisons = comparisons or arms.compared(on, off)
    if off is None or on is None or not comparisons:
        return {}

    def gain(ratio: float) -> float:
        return gain_percent(1 / ratio if is_turned else ratio, arms.metric.better)

    facts = _summary(comparisons, turned=is_turned)
    now = arms.now(CommitMode.SYNCHRONOUS)
    improves = facts["verdict"] == str(Verdict.IMPROVEMENT)
    facts["baseline_choice"] = compression_of(off) if now == off else compression_of(on)
    facts["best_choice"] = ON if improves else facts["baseline_choice"]
    facts["best_differs"] = improves and now == off
    for name, c in (("small", comparisons[0]), ("large", comparisons[-1])):
        facts |= _ends(c, f"gain_{name}", gain)
        facts |= effect_facts(c, arms.metric, f"effect_{name}", turned=is_turned)
        facts |= _rows_facts(f"rows_{name}", c)
    for name, setting in (("on", on), ("off", off)):
        cpu = _largest(arms, metrics.PRIMARY_CPU.name, setting, {place_of(c) for c in comparisons})
        if cpu is not None:
            facts[f"primary_cpu_{name}_percent"] = cpu * 100
    sent = arms.mean(metrics.WIRE_SHARE.name, on, place_of(comparisons[-1]))
    if sent is not None:
        facts["wire_share_percent"] = sent * 100
    return facts


def _commit_time_facts(arms: Arms) -> Facts:
    """Return the best of the other times commits were grouped for, where the commits were smallest."""
    times = arms.commit_times()
    baseline = times.get(commit_time_of(arms.baseline))
    made = {ms: c for ms, one in times.items() if (c := next(iter(arms.compared(baseline, one)), None)) is not None}
    if not made:
        return {}
    best_ms = max(made, key=lambda ms: gain_percent(made[ms].ratio, arms.metric.better))
    improves = made[best_ms].verdict is Verdict.IMPROVEMENT
    return decided_facts(made[best_ms], arms.metric) | {
        "baseline_level": typed_text(commit_time_of(arms.baseline)),
        "best_level": typed_text(best_ms if improves else commit_time_of(arms.baseline)),
        "best_differs": improves,
    }


def _verdict_of_all(faster: int, slower: int, undecided: int) -> Verdict:
    """Return the verdict of shapes together: some gain and none loses, or the other way round; else all must agree."""
    if bool(faster) != bool(slower):
        return Verdict.IMPROVEMENT if faster else Verdict.WORSE
    return Verdict.CANNOT_TELL if undecided or faster else Verdict.NO_DIFFERENCE


def _summary(comparisons: Sequence[Comparison], *, turned: bool = False) -> Facts:
    """Return the number of shapes by their result, and the verdict of all of them together."""
    verdicts = [_turned(c.verdict) if turned else c.verdict for c in comparisons]
    faster, slower = verdicts.count(Verdict.IMPROVEMENT), verdicts.count(Verdict.WORSE)
    undecided = verdicts.count(Verdict.CANNOT_TELL)
    return {
        "verdict": str(_verdict_of_all(faster, slower, undecided)),
        "confirmed": all(c.phase is Phase.CONFIRM for c in comparisons),
        "shapes_total": len(comparisons),
        "shapes_faster": faster,
        "shapes_slower": slower,
        "shapes_undecided": undecided,
        **trials_facts(comparisons),
        "trials_per_setting": min(min(len(c.reference_trials), len(c.candidate_trials)) for c in comparisons),
    }


def _turned(verdict: Verdict) -> Verdict:
    return {Verdict.IMPROVEMENT: Verdict.WORSE, Verdict.WORSE: Verdict.IMPROVEMENT}.get(verdict, verdict)


def _ends(c: Comparison, name: str, of: Callable[[float], float], unit: str = "_percent") -> Facts:
    """Return a ratio as an effect with the ends of its interval, where it has one."""
    facts: Facts = {f"{name}{unit}": of(c.ratio)}
    if has_interval(c.low, c.high):
        low, high = sorted((of(c.low), of(c.high)))
        facts |= {f"{name}_low{unit}": low, f"{name}_high{unit}": high}
    return facts


def _mean_ms(arms: Arms, setting: Setting, c: Comparison) -> float | None:
    position = arms.fit.position(setting, place_of(c)) if arms.fit is not None else None
    return None if arms.fit is None or position is None else math.exp(float(arms.fit.fit.log_means[position]))


def _per_insert_ms(arms: Arms, c: Comparison) -> float | None:
    """Return the time of an insert in the reference, None where it is not known how many were made."""
    inserts, time_ms = c.conditions.get(INSERTS), _mean_ms(arms, c.reference, c)
    return None if inserts is None or time_ms is None else time_ms / float(inserts)


def _rows(c: Comparison) -> int | None:
    """Return the rows per insert, None where they were not given: the number of inserts does not tell them."""
    return max(1, int(rows_of(c))) if ROWS_PER_INSERT in c.conditions else None


def _rows_facts(name: str, c: Comparison) -> Facts:
    rows = _rows(c)
    return {} if rows is None else {name: rows}
