"""From measurements to comparisons, forecasts, findings and plots; computed again whenever it is asked for.

Data goes one way: what a session holds is gathered and sorted into experiments, these are compared, families say what
is known of each, and rules what that means. Each stage is given what the one before it made, nothing of the session;
what the client is to decide follows from all of it.

Advice is never stored: an old file read by a newer program gets the newer rules.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import chain
from operator import or_
from typing import Protocol

from app.advice import Pack, evaluate
from app.analysis.claim import ClaimedEvidence
from app.analysis.comparing.apart import apart
from app.analysis.comparing.evidence import Compared, compared
from app.analysis.comparing.experiment import experiments_of
from app.domain.comparison import Comparison
from app.domain.facts import FactValue
from app.domain.family import Evidence
from app.domain.finding import Finding, NotEvaluated
from app.domain.naming import DeclaredTexts, words
from app.domain.plan_field import ValueKind
from app.domain.plot import PlotSpec
from app.domain.session import Advice, SessionRecord
from app.domain.setting import Setting
from app.domain.system import system_of, systems_of
from app.domain.table import ResultTable
from app.foundation.texts import in_words_of
from app.reporting.decision_words import rivals_text
from app.reporting.matching import carrying_comparison
from app.reporting.wording import Vocabulary, is_change, with_conditions
from app.services.explain.cautions import cautions
from app.services.explain.deciding import decided
from app.services.explain.gathering import Families, gather


@dataclass(frozen=True)
class Explained:
    """One piece of evidence with all that its family makes of it, for the rules and for the reader.

    Attributes:
        engine, engine_version: of the server under test, as rules name it; the version "" where it is not known.
        trials: ids of the trials behind it.
        conditions: those that all its measurements share.
        apart: in words, those in which other experiments of the session differ.
        facts: of each factor.
    """

    family: str
    engine: str
    engine_version: str
    trials: tuple[str, ...]
    conditions: Setting
    apart: tuple[str, ...]
    facts: tuple[Mapping[str, FactValue], ...]
    plots: tuple[PlotSpec, ...]
    tables: tuple[ResultTable, ...]


@dataclass(frozen=True)
class Judged:
    """The rules' findings on one piece of evidence."""

    findings: tuple[Finding, ...]
    not_evaluated: tuple[NotEvaluated, ...]


def _unheard(_done: int, _total: int) -> None:
    """Nobody waits."""


@dataclass(frozen=True)
class Advisor:
    """Analysis and rules, ready to explain a session.

    Attributes:
        families: the known families, by id.
        packs: the rule packs, loaded and checked.
        on_progress: told after each experiment how many are explained, and of how many.
    """

    families: Families
    packs: tuple[Pack, ...]
    on_progress: Callable[[int, int], None] = _unheard

    def declared_texts(self) -> DeclaredTexts:
        """Return whose words the texts of a session are, as systems and families declare it; the rest are names."""
        choices = {
            family_id: words(*(field.name for field in family.load_fields if field.kind is ValueKind.CHOICE))
            for family_id, family in self.families.items()
        }
        own = (system.declared_texts() for system in systems_of(self.families))
        return reduce(or_, own, DeclaredTexts(loads=choices))

    def advise(self, session: SessionRecord) -> Advice:
        """Return everything the session's measurements support.

        Raises:
            BadInput: measurements from elsewhere hold more settings than can be compared.
        """
        with in_words_of(session):
            return self._advised(session)

    def _advised(self, session: SessionRecord) -> Advice:
        gathered = gather(session, self.families)
        measured = experiments_of(gathered.runs, gathered.elsewhere)
        pieces: list[Compared] = []
        explained: list[Explained] = []
        judged: list[Judged] = []
        words = Vocabulary(self.families.values())
        for experiment, names in zip(measured, apart(measured), strict=True):
            pieces.append(compared(experiment))
            held = words.apart(experiment.conditions, names)
            explained.append(_explained(pieces[-1].evidence, self.families, held))
            judged.append(_judged(explained[-1], self.packs, pieces[-1].evidence.comparisons))
            self.on_progress(len(judged), len(measured))
        ran = tuple((trial.trial_id, h) for run in session.runs for trial in run.trials for h in trial.happenings)
        warned = (
            caution
            for piece, each in zip(pieces, explained, strict=True)
            for caution in cautions(piece, ran, each.apart, self.families[each.family])
        )
        advice = replace(
            _together(pieces, explained, judged),
            warnings=tuple(dict.fromkeys((*gathered.warnings, *warned))),
            happenings=ran,
            contradictions=gathered.contradictions,
            is_windowed=session.is_windowed,
        )
        return decided(session, advice, self.families.values(), gathered.elsewhere.baseline)


class HasAdvisor(Protocol):
    """The program, as far as explaining needs it."""

    @property
    def advisor(self) -> Advisor:
        """Analysis and rules; raises BadInput where a rule pack cannot be used."""
        ...


def _together(pieces: Sequence[Compared], explained: Sequence[Explained], judged: Sequence[Judged]) -> Advice:
    """Return all pieces as one advice: claims before the comparisons beside them, findings by their priority."""
    every = chain.from_iterable
    claimed = every(piece.told for piece in pieces)
    findings = every(each.findings for each in judged)
    return Advice(
        comparisons=(*claimed, *every(piece.told_beside for piece in pieces)),
        forecasts=tuple(every(piece.evidence.forecasts for piece in pieces)),
        findings=tuple(sorted(findings, key=lambda finding: finding.priority)),
        not_evaluated=tuple(dict.fromkeys(every(each.not_evaluated for each in judged))),
        plots=tuple(every(each.plots for each in explained)),
        tables=tuple(every(each.tables for each in explained)),
    )


def _explained(evidence: Evidence, families: Families, held: tuple[str, ...]) -> Explained:
    """Return the family's explanation of a piece of evidence."""
    family, evidence = families[evidence.family], ClaimedEvidence.of(evidence)
    measured = dict.fromkeys(m.trial_id for m in evidence.measurements)
    return Explained(
        family=evidence.family,
        engine=system_of(family).engine,
        engine_version=system_of(family).engine_version(evidence),
        trials=tuple(measured) or tuple(t.trial_id for t in evidence.trials),
        conditions=evidence.conditions,
        apart=held,
        facts=tuple(family.facts(evidence, factor) for factor in _factors(evidence)),
        plots=tuple(replace(plot, title=with_conditions(plot.title, held)) for plot in family.plots(evidence)),
        tables=tuple(replace(table, title=with_conditions(table.title, held)) for table in family.tables(evidence)),
    )


def _factors(evidence: Evidence) -> list[str]:
    if evidence.plan is not None:
        return sorted(factor.name for factor in evidence.plan.factors)
    return sorted({name for m in evidence.measurements for name in m.setting})


def _judged(explained: Explained, packs: Sequence[Pack], comparisons: Sequence[Comparison]) -> Judged:
    """Evaluate the rules on the facts of each factor; each finding names the plot that shows it.

    One that asks for a change says which other values may do better still.
    """
    figures = {plot.plot_id.rsplit("/", 1)[-1]: plot.plot_id for plot in explained.plots}
    findings: list[Finding] = []
    missing: list[NotEvaluated] = []
    for facts in explained.facts:
        of_family, unknown = evaluate(
            packs,
            explained.engine,
            explained.family,
            facts,
            explained.trials,
            engine_version=explained.engine_version,
        )
        shown = (replace(f, figure=figures.get(f.figure, figures.get("by-setting", ""))) for f in of_family)
        held = (replace(f, conditions=explained.conditions, apart=explained.apart) for f in shown)
        findings += [_beside_rivals(finding, comparisons) for finding in held]
        missing += unknown
    return Judged(tuple(findings), tuple(missing))


def _beside_rivals(finding: Finding, comparisons: Sequence[Comparison]) -> Finding:
    carrying = carrying_comparison(finding, comparisons) if is_change(finding) else None
    rivals = "" if carrying is None else rivals_text(carrying, finding.parameter)
    return replace(finding, because=f"{finding.because} {rivals}") if rivals else finding
