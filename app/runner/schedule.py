"""Which trial comes next: exploring blocks, then fresh confirmation blocks of the winner against the baseline.

Where parameters declare which of their values cost more, the winner is the simplest setting that is not worse than the
best; while that is open, blocks of the settings concerned alone come in between.

Where a family names all its comparisons beforehand there is no winner to pick: every block holds every setting.

Decides from the plan and the finished trials alone, so an interrupted run goes on where it stopped.
"""

from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import replace
from itertools import count

from app.analysis.confirmed import Confirming, before_confirming, compare_confirmed, confirming_now, read_confirmation
from app.analysis.most_trials import most_trials
from app.analysis.order import block_order, pair_order
from app.analysis.outcomes import Circumstances, circumstances_of
from app.analysis.plan_settings import plan_settings
from app.analysis.racing import RaceRules, RaceState, next_block, start_race, update
from app.analysis.regression import taken_apart
from app.analysis.response.exploring import Advice
from app.analysis.response.figure import departure_sentence, prediction_plot, response_sentence
from app.analysis.response.guided import Guide, ended_trials, guide_of, most_exploring
from app.analysis.simplest import MOST_FURTHER_BLOCKS, Choice, Judging, choose, costly_of
from app.domain.comparison import Verdict
from app.domain.events import Predicted
from app.domain.family import ExperimentFamily
from app.domain.measurement import Measurement, Metric, TrialResult, TrialStatus
from app.domain.plan import Phase, Plan, Stop, TrialSpec
from app.domain.response import ResponseCurve, response_of
from app.domain.setting import Parameter, Setting, effective_setting, value_text
from app.foundation.texts import _
from app.runner.ended_settings import ended_settings

# Confirmation draws its own order, or it would repeat the first exploring block.
_CONFIRM_SEED_SHIFT = 7_919
_PAIR = 2
"""Windows of a pair: the baseline's and the candidate's."""


def schedule_of(
    plan: Plan,
    run_id: str,
    family: ExperimentFamily,
    least_confirm_blocks: int = 0,
    kept: Sequence[TrialResult] = (),
) -> "Schedule":
    """Return the order of the trials of one run of a family; the number and the kept trials as in `Schedule`."""
    return Schedule(
        plan,
        run_id,
        family.main_metric(plan),
        family.parameters,
        family.metrics,
        compares_all=family.compares_all,
        least_confirm_blocks=least_confirm_blocks,
        kept=kept,
        curve=response_of(family, plan) if plan.design.stop is Stop.MODEL else None,
    )


_Explored = tuple[list[Measurement], Circumstances, Setting | None]


class Schedule:
    """The order of the trials of one run.

    Where all comparisons are named beforehand (`compares_all`) nothing is explored: every setting runs in each of the
    plan's `blocks`, as a confirmation.

    Where somebody asked to extend the run there are `least_confirm_blocks` at least, as far as the plan allows them.
    Of the trials `kept` from before an interruption, pairs of windows that lack one are made up for by whole new pairs:
    a window hours later is no partner.
    """

    def __init__(
        self,
        plan: Plan,
        run_id: str,
        metric: Metric,
        parameters: Sequence[Parameter] = (),
        metrics: Sequence[Metric] = (),
        *,
        compares_all: bool = False,
        least_confirm_blocks: int = 0,
        kept: Sequence[TrialResult] = (),
        curve: ResponseCurve | None = None,
    ) -> None:
        self._plan = replace(plan, baseline=effective_setting(plan.baseline, parameters))
        self._run_id = run_id
        self._metric = metric
        self._metrics = metrics
        self._compares_all = compares_all
        self._least_confirm_blocks = least_confirm_blocks
        self._settings = plan_settings(plan, parameters)
        self._halves = half_pairs(kept) if plan.design.is_windowed and not compares_all else {}
        # The race's blocks as they were last replayed: what was measured in each, and how the race stood after it.
        self._raced: list[tuple[list[Measurement], RaceState]] = []
        # Orders of the blocks of all settings, and the settings that were last chosen, by what they follow from.
        self._orders: dict[int, tuple[Setting, ...]] = {}
        self._chosen: deque[tuple[_Explored, Choice]] = deque(maxlen=1 + MOST_FURTHER_BLOCKS)
        self._parameters = tuple(parameters)
        is_guided = plan.design.stop is Stop.MODEL and not compares_all
        self._guide = guide_of(self._plan, parameters, metric, curve, metrics) if is_guided else None
        self._judging = Judging(
            baseline=self._plan.baseline,
            costly=costly_of(parameters),
            better=metric.better,
            minimum_effect=plan.design.minimum_effect,
            noise_cv=plan.design.noise_cv,
        )

    def next_spec(self, done: Sequence[TrialResult]) -> TrialSpec | None:
        """Return the next trial, None when the run is complete; never more than were told before it."""
        if len(done) >= self.most_trials(done):
            return None
        planned = self._compare_all(done) if self._compares_all else self._explore(done) or self._confirm(done)
        if planned is None:
            return None
        phase, block, setting = planned
        taken = {trial.trial_id for trial in done}
        order = next(number for number in count(len(done) + 1) if self._trial_id(number) not in taken)
        return TrialSpec(self._trial_id(order), order, block, phase, setting)

    def _trial_id(self, order: int) -> str:
        """Return the name of a trial; of a resumed run those that could not be used are missing among the others."""
        return f"{self._run_id}-T{order:03d}"

    def most_trials(self, done: Sequence[TrialResult]) -> int:
        """Return how many trials there are at the very most, those that ended before included."""
        most = most_trials(self._plan, self._parameters, compares_all=self._compares_all, done=done)
        return most + sum(self._halves.values())

    def winner(self, done: Sequence[TrialResult]) -> Setting | None:
        """Return the setting that goes on to be confirmed, None before any trial was used.

        It did best in the exploring trials, or is simpler and not worse (`analysis.simplest`). After a race, only those
        count that it did not eliminate. What once began to be confirmed stays, unless a model's exploring went on.
        """
        baseline = self._plan.baseline
        begun = (t.setting for t in confirming_now(done) if t.setting != baseline)
        return next(begun, None) or self._explored_winner(done)

    def _explored_winner(self, done: Sequence[TrialResult]) -> Setting | None:
        if self._guide is not None:
            return self._guide.pick(done)
        choice = self._choice(done)
        return None if choice is None else choice.setting

    def _choice(self, done: Sequence[TrialResult]) -> Choice | None:
        """Return which setting goes on as the exploring trials say by now, None before any was used."""
        explored = self._used(done, Phase.EXPLORE)
        best = None
        if self._plan.design.stop is Stop.RACE:
            state, _missing = self._replay_race([trial for trial in done if trial.phase is Phase.EXPLORE])
            best = (self._shown_by_itself(explored) if explored else None) or state.leader
            explored = [m for m in explored if m.setting in state.racing or m.setting == best]
            if best is None:
                return None
        return self._chosen_of(explored, self._circumstances(done), best) if explored else None

    def _shown_by_itself(self, explored: Sequence[Measurement]) -> Setting | None:
        """Return the setting in which only those factors are changed that help by themselves, as after blocks.

        None where the trials do not take them apart: a race drops settings.
        """
        apart = taken_apart(explored, self._plan.baseline, self._metric.better, self._plan.design.noise_cv)
        return None if apart is None else apart.recommended

    def _chosen_of(self, explored: list[Measurement], circumstances: Circumstances, best: Setting | None) -> Choice:
        """Return the setting that goes on; the result for the same trials is cached."""
        following_from = (explored, circumstances, best)
        choice = next((choice for known, choice in self._chosen if known == following_from), None)
        if choice is None:
            choice = choose(explored, replace(self._judging, circumstances=circumstances), best)
            self._chosen.append((following_from, choice))
        return choice

    def planned_trials(self, done: Sequence[TrialResult]) -> int:
        """Return how many trials the run will have in all, as known now; the most where it may end earlier."""
        design = self._plan.design
        if self._compares_all:
            return len(self._settings) * design.blocks
        if self._explore(done) is not None:
            return max(self._most_exploring, len(done) + 1) + 2 * design.confirm_blocks
        confirming = self._windows_until(self._confirming_blocks(done)) if self._to_confirm(done) else 0
        return len(before_confirming(done)) + confirming

    def reason(self, done: Sequence[TrialResult]) -> str:
        """Return in one sentence how the completed run ended."""
        if self._compares_all:
            used = sum(trial.status is TrialStatus.USED for trial in done)
            return _("complete; {used} of {count} trials can be used").format(
                used=value_text(used), count=value_text(len(done))
            )
        winner = self.winner(done)
        if winner is None:
            return _("complete, but no trial could be used")
        if winner == self._plan.baseline:
            return _("complete; no setting was clearly better than the baseline, so there was nothing to confirm")
        return self._how_it_won(winner, done)

    def _how_it_won(self, winner: Setting, done: Sequence[TrialResult]) -> str:
        """Return why a setting was picked, and whether it ran against the baseline again."""
        choice = None if self._guide is not None else self._choice(before_confirming(done))
        is_confirmed = any(trial.phase is Phase.CONFIRM for trial in done)
        if choice is not None and choice.best != winner:
            text = (
                _("complete; {winner}, the simplest not worse than {best}, ran against the baseline again")
                if is_confirmed
                else _("complete; {winner} is the simplest not worse than {best}; nothing was confirmed")
            )
            return text.format(winner=winner.text(), best=choice.best.text())
        if self._guide is not None and is_confirmed:
            return _("complete; {winner}, the pick of the model, ran against the baseline again").format(
                winner=winner.text()
            )
        text = (
            _("complete; {winner} did best and ran against the baseline again")
            if is_confirmed
            else _("complete; {winner} did best in the exploring trials; nothing was confirmed")
        )
        return text.format(winner=winner.text())

    def _compare_all(self, done: Sequence[TrialResult]) -> tuple[Phase, int, Setting] | None:
        """Return the next trial of the blocks that hold every setting, None when all are done."""
        design = self._plan.design
        for block in range(1, design.blocks + 1):
            order = self._order(block)
            missing = _first_missing(order, done, block)
            if missing is not None:
                return Phase.CONFIRM, block, missing
        return None

    def _order(self, block: int) -> tuple[Setting, ...]:
        if block not in self._orders:
            self._orders[block] = block_order(self._settings, self._plan.baseline, block, self._plan.design.seed)
        return self._orders[block]

    def _explore(self, done: Sequence[TrialResult]) -> tuple[Phase, int, Setting] | None:
        """Return the next exploring trial; none comes once something is being confirmed, but by a refuted model."""
        if self._guide is not None:
            return self._guided(self._guide, done)
        if any(trial.phase is Phase.CONFIRM for trial in done):
            return None
        explored = [trial for trial in done if trial.phase is Phase.EXPLORE]
        design = self._plan.design
        if design.stop is Stop.RACE:
            return self._race(explored) or self._settle(explored)
        for block in range(1, design.blocks + 1):
            order = self._order(block)
            missing = _first_missing(order, explored, block)
            if missing is not None:
                return Phase.EXPLORE, block, missing
        return self._settle(explored)

    def _settle(self, explored: Sequence[TrialResult]) -> tuple[Phase, int, Setting] | None:
        """Return the next trial of the blocks that settle which setting is the simplest that is not worse."""
        regular = self._regular_blocks(explored)
        left = self._plan.design.settling_trials
        for block in range(regular + 1, regular + MOST_FURTHER_BLOCKS + 1):
            choice = self._choice([trial for trial in explored if trial.block < block])
            if choice is None or not choice.contenders or len(choice.contenders) > left:
                break
            left -= len(choice.contenders)
            order = block_order(choice.contenders, choice.contenders[-1], block, self._plan.design.seed)
            missing = _first_missing(order, explored, block)
            if missing is not None:
                return Phase.EXPLORE, block, missing
        return None

    def _regular_blocks(self, explored: Sequence[TrialResult]) -> int:
        """Return the number of exploring blocks before the first that only settles which setting is the simplest."""
        design = self._plan.design
        return self._replay_race(explored)[0].blocks_done if design.stop is Stop.RACE else design.blocks

    def advice(self, done: Sequence[TrialResult]) -> Advice | None:
        """Return the model's advice after the exploring trials, None where no model guides this run."""
        return None if self._guide is None else self._guide.advice(done)

    def advice_on_pick(self, done: Sequence[TrialResult]) -> Advice | None:
        """Return the evidence of all trials on the model's pick, None where no model guides this run."""
        return None if self._guide is None else self._guide.advice_on_pick(done)

    def predicted(self, done: Sequence[TrialResult]) -> Predicted | None:
        """Return the model's predictions to show after the trials, None where there are none or they are being
        confirmed."""
        if self._guide is None or confirming_now(done):
            return None
        advice = self._guide.advice(done)
        if advice.pick is None:
            return None
        ended, is_refuted = ended_trials(done, self._metric, self._metrics), self._guide.went_on(done)
        plot = prediction_plot(self._run_id, self._metric, ended, advice, is_refuted=is_refuted)
        return Predicted(self._run_id, plot, response_sentence(advice, is_refuted=is_refuted))

    def departure(self, done: Sequence[TrialResult]) -> str:
        """Return how confirming trials departed from the model's predictions, and whether exploring goes on.

        "" where they did not, none guides this run, or exploring went on and it was told then.
        """
        if self._guide is None or self._guide.went_on(done):
            return ""
        return departure_sentence(self._guide, done, self._metric, goes_on=self._explore(done) is not None)

    def _guided(self, guide: Guide, done: Sequence[TrialResult]) -> tuple[Phase, int, Setting] | None:
        """Return the trial the model learns most from; its block counts the trials of its setting.

        Whoever asked for further confirming blocks asked for no exploring. Of windows the first two are the baseline's,
        which tell how long all are to be; their pairs never refute a model: the level drifts between exploring and
        confirming, and the looks pay for one setting.
        """
        design = self._plan.design
        is_extended = self._least_confirm_blocks > design.confirm_blocks
        setting = guide.proposed(done, may_go_on=not is_extended and not design.is_windowed)
        if design.is_windowed and setting is not None and _is_first_baseline(done, self._plan.baseline):
            setting = self._plan.baseline
        if setting is None:
            return None
        return Phase.EXPLORE, 1 + sum((t.phase, t.setting) == (Phase.EXPLORE, setting) for t in done), setting

    @property
    def _most_exploring(self) -> int:
        design = self._plan.design
        if design.stop is Stop.MODEL:
            return most_exploring(self._plan, self._parameters)
        return len(self._settings) * design.blocks

    def _race(self, explored: Sequence[TrialResult]) -> tuple[Phase, int, Setting] | None:
        """Return the trial that the race's next block still lacks, None when it is over."""
        state, missing = self._replay_race(explored)
        return None if missing is None else (Phase.EXPLORE, state.blocks_done + 1, missing)

    def _replay_race(self, explored: Sequence[TrialResult]) -> tuple[RaceState, Setting | None]:
        """Replay the race over the finished blocks; return it with the first setting its next block lacks."""
        state = start_race(self._settings, self._plan.baseline, self._rules())
        while order := next_block(state):
            block = state.blocks_done + 1
            missing = _first_missing(order, explored, block)
            if missing is not None:
                return state, missing
            state = self._raced_on(state, [m for m in self._used(explored, Phase.EXPLORE) if m.block == block])
        return state, None

    def _raced_on(self, state: RaceState, measured: list[Measurement]) -> RaceState:
        """Return the race after one more block; the result for the same trials is cached."""
        number = state.blocks_done
        if number < len(self._raced) and self._raced[number][0] == measured:
            return self._raced[number][1]
        del self._raced[number:]
        after = update(state, measured)
        self._raced.append((measured, after))
        return after

    def _rules(self) -> RaceRules:
        design = self._plan.design
        return RaceRules(
            better=self._metric.better,
            minimum_effect=design.minimum_effect,
            most_blocks=design.blocks,
            seed=design.seed,
            noise_cv=design.noise_cv,
        )

    def _confirm(self, done: Sequence[TrialResult]) -> tuple[Phase, int, Setting] | None:
        """Return the next confirmation trial; its blocks are numbered after all that ran before."""
        winner = self._to_confirm(done)
        if winner is None:
            return None
        last = _last_block(done)
        confirming = confirming_now(done)
        for number in range(1, self._confirming_blocks(done) + 1):
            if last + number in self._halves:
                continue
            seed = self._plan.design.seed + _CONFIRM_SEED_SHIFT
            order = self._confirming_order(winner, number, seed)
            missing = _first_missing(order, confirming, last + number)
            if missing is not None:
                return Phase.CONFIRM, last + number, missing
        return None

    def _confirming_order(self, winner: Setting, number: int, seed: int) -> tuple[Setting, ...]:
        if self._plan.design.is_windowed:
            return pair_order(winner, self._plan.baseline, number, seed)
        return block_order((winner,), self._plan.baseline, number, seed)

    def _to_confirm(self, done: Sequence[TrialResult]) -> Setting | None:
        """Return the winner where it has something to confirm that was not confirmed before exploring went on."""
        winner, before = self.winner(done), before_confirming(done)
        is_confirmed = any((trial.phase, trial.setting) == (Phase.CONFIRM, winner) for trial in before)
        return None if is_confirmed or winner == self._plan.baseline else winner

    def _confirming_blocks(self, done: Sequence[TrialResult]) -> int:
        """Return how many confirming blocks there are to be, as far as those that ended say so."""
        design, last = self._plan.design, _last_block(done)
        asked = min(self._least_confirm_blocks, design.most_confirm_blocks)
        lost = len(self._halves)
        blocks = max(design.confirm_blocks, asked) + lost
        while blocks and blocks < design.most_confirm_blocks + lost:
            ended = [trial for trial in confirming_now(done) if trial.block <= last + blocks]
            if len(ended) < self._windows_until(blocks) or not self._wants_more(done, ended):
                break
            blocks += 1
        return blocks

    def _windows_until(self, blocks: int) -> int:
        """Return how many trials so many confirming blocks have, those included that lack one for good."""
        return 2 * (blocks - len(self._halves)) + sum(self._halves.values())

    def _wants_more(self, done: Sequence[TrialResult], ended: Sequence[TrialResult]) -> bool:
        """Tell whether one more block may settle a question that the finished blocks leave open."""
        before = [trial for trial in before_confirming(done) if trial.phase is Phase.CONFIRM]
        if self._plan.design.is_windowed:  # a look is what it was, whatever came after it
            done = done[: max(place for place, trial in enumerate(done, 1) if trial in ended)]
        confirming = self._confirming(done, [*before, *ended])
        if confirming is None:
            return False
        pairs = [each for each in read_confirmation(confirming) if each.candidate == self.winner(done)]
        return any(each.read is None or each.read.wants_more for each in pairs)

    def confirmed_blocks(self, done: Sequence[TrialResult]) -> int:
        """Return how many confirming blocks have ended, whole or not; of kept pairs of windows the whole ones."""
        return len({trial.block for trial in confirming_now(done)} - self._halves.keys())

    def is_settled(self, done: Sequence[TrialResult]) -> bool:
        """Tell whether the confirming trials show a difference, or that there is none."""
        confirming = self._confirming(done, done)
        compared = () if confirming is None else compare_confirmed(confirming)
        verdicts = {comparison.verdict for comparison in compared if comparison.candidate == self.winner(done)}
        return bool(verdicts) and Verdict.CANNOT_TELL not in verdicts

    def confirmed(self, done: Sequence[TrialResult]) -> Setting | None:
        """Return the setting that the confirming trials show to be better than the baseline, None where none is."""
        confirming = self._confirming(done, done)
        compared = () if confirming is None else compare_confirmed(confirming)
        winner = self.winner(done)
        is_shown = any(one.candidate == winner and one.verdict is Verdict.IMPROVEMENT for one in compared)
        return winner if is_shown else None

    def _confirming(self, done: Sequence[TrialResult], ended: Sequence[TrialResult]) -> Confirming | None:
        """Return the evidence for judging the confirming trials that ended, None where none can be used."""
        used, design = self._used(ended, Phase.CONFIRM), self._plan.design
        if not used:
            return None
        return Confirming(
            measurements=tuple(used),
            baseline=self._plan.baseline,
            explored=tuple(self._used(done, Phase.EXPLORE)),
            better=self._metric.better,
            minimum_effect=design.minimum_effect,
            noise_cv=design.noise_cv,
            step=self._metric.step,
            circumstances=self._circumstances(done),
            most_pairs=design.most_pairs,
        )

    def _circumstances(self, done: Sequence[TrialResult]) -> Circumstances:
        return circumstances_of(self._metrics, (m for trial in done for m in trial.measurements), done)

    def _used(self, done: Sequence[TrialResult], phase: Phase) -> list[Measurement]:
        return [
            measurement
            for trial in done
            if trial.phase is phase and trial.status is TrialStatus.USED
            for measurement in trial.measurements
            if measurement.metric == self._metric.name
        ]


def half_pairs(kept: Sequence[TrialResult]) -> dict[int, int]:
    """Return the confirming blocks begun before an interruption that lack a usable window, each with those it has."""
    begun, used = Counter[int](), Counter[int]()
    for trial in confirming_now(kept):
        begun[trial.block] += 1
        used[trial.block] += trial.status is TrialStatus.USED
    return {block: count for block, count in begun.items() if used[block] < _PAIR}


def _is_first_baseline(done: Sequence[TrialResult], baseline: Setting) -> bool:
    """Tell whether one trial has ended that can be used, the baseline's."""
    return [(trial.setting, trial.status) for trial in done] == [(baseline, TrialStatus.USED)]


def _last_block(done: Sequence[TrialResult]) -> int:
    """Return the number of the last block before the present confirmation, 0 for none; its blocks are numbered
    after."""
    return max((trial.block for trial in before_confirming(done)), default=0)


def _first_missing(order: Sequence[Setting], done: Sequence[TrialResult], block: int) -> Setting | None:
    """Return the first setting of a block that has not finished its trial, and has not failed alike twice before."""
    finished = {trial.setting for trial in done if trial.block == block} | ended_settings(done)
    return next((setting for setting in order if setting not in finished), None)
