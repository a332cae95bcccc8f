"""The page a manager reads: action, gain, cost and risk of each decision, and that the servers are as they were."""

import re
from collections.abc import Sequence

from app.domain.comparison import Verdict
from app.domain.decision import Decision, DecisionKind, Gain
from app.domain.measurement import TrialResult, TrialStatus
from app.domain.session import SessionRecord, is_lab
from app.foundation.texts import _
from app.reporting.blocks import (
    Block,
    Bullets,
    Callout,
    Cell,
    Column,
    Heading,
    Paragraph,
    Section,
    Start,
    Table,
    Tile,
    Tiles,
)
from app.reporting.decision_words import (
    before_after,
    headline,
    is_only_together,
    kind_word,
    lead_text,
    level_word,
    listed_text,
    short_gain,
    short_gain_interval,
    task_text,
)
from app.reporting.document.figures import Figures
from app.reporting.document.restored import restored_blocks
from app.reporting.numbers import moment, number
from app.reporting.request import ReportRequest
from app.reporting.wording import Vocabulary, trial_ranges


def decision_section(request: ReportRequest, words: Vocabulary, figures: Figures) -> Section:
    """Return the first page: the first decision in full, all of them in a table, and the state of the servers."""
    session, decisions = request.session, request.advice.decisions
    blocks: list[Block] = []
    title = _("What was measured")
    if decisions:
        title = headline(decisions[0], words)
        blocks += _first(decisions[0], words, figures, "trials.csv" if session.runs else "measurements.csv")
    if len(decisions) > 1:
        blocks += _all_decisions(decisions, words)
    elif not decisions:
        blocks.append(Paragraph(_("No rule led to a finding. What was compared is attached as comparisons.csv.")))
    blocks += restored_blocks(session)
    blocks.append(Paragraph(measured_summary(session, words), quiet=True))
    return Section(title, tuple(blocks), Start.FOLLOWS)


def _first(decision: Decision, words: Vocabulary, figures: Figures, listed_in: str) -> list[Block]:
    blocks: list[Block] = [Paragraph(lead_text(decision, words)), *paragraphs(decision.own_words)]
    if decision.kind is DecisionKind.CHANGE:
        blocks.append(Tiles(_tiles(decision)))
    blocks += figures.claiming(decision) or figures.of(decision)
    blocks += prerequisite_blocks(decision)
    blocks.append(
        Paragraph(
            _("Valid for {where}. Trials behind it: {trials}; each is in the attached {file}.").format(
                where=decision.where or words.family(decision.family),
                trials=trial_ranges(decision.trials),
                file=listed_in,
            ),
            quiet=True,
            link=evidence_anchor(decision),
        )
    )
    return blocks


def evidence_anchor(decision: Decision) -> str:
    """Return where the evidence of a decision stands, with the trials behind it."""
    return f"decision-{decision.number}"


def paragraphs(text: str) -> tuple[Paragraph, ...]:
    """Return the consultant's text, a paragraph for each part between empty lines."""
    parts = (" ".join(part.split()) for part in re.split(r"\n\s*\n", text))
    return tuple(Paragraph(part) for part in parts if part)


def _tiles(decision: Decision) -> tuple[Tile, ...]:
    asked, gain = decision.change_effort, decision.gain
    gained = (
        ()
        if gain is None
        else (
            Tile(
                _("Gain"),
                short_gain(gain),
                _gained(gain),
                is_gain=gain.comparison.verdict is Verdict.IMPROVEMENT,
            ),
        )
    )
    return (
        *gained,
        Tile(_("Effort"), level_word(asked.effort_level), asked.effort),
        Tile(_("Interruption"), *_halves(asked.interruption_told)),
        Tile(_("Risk"), level_word(asked.risk_level), _risk(decision) or "–"),
    )


def _gained(gain: Gain) -> str:
    """Return the words below a gain."""
    if gain.mixed:
        return _("on your mix of transactions")
    if gain.elsewhere:
        return _("depending on the transaction")
    return before_after(gain) or short_gain_interval(gain)


def _risk(decision: Decision) -> str:
    """Return the risk as it was counted here, else in general; all of it stands with the evidence."""
    return decision.change_effort.counted or " ".join(map(_first_sentence, decision.risks))


def _halves(text: str) -> tuple[str, str]:
    """Return a sentence as the words before its colon, to be set large, and those behind it."""
    head, _colon, rest = text.partition(": ")
    return (head, rest[:1].upper() + rest[1:]) if rest else (text.rstrip("."), "")


def _first_sentence(text: str) -> str:
    return text.split(". ", 1)[0].rstrip(".") + "."


def prerequisite_blocks(decision: Decision) -> list[Block]:
    """Return the prerequisites of a change."""
    if decision.kind is not DecisionKind.CHANGE or not decision.change_effort.prerequisites:
        return []
    texts = (prerequisite.text for prerequisite in decision.change_effort.prerequisites)
    return [Callout("warn", _("Before the change"), " ".join(texts))]


def _all_decisions(decisions: Sequence[Decision], words: Vocabulary) -> list[Block]:
    columns = (
        Column("", "right"),
        Column(_("We ask you to decide"), width=2.5),
        Column(_("Where"), width=2.2),
        Column(_("Effect"), "right"),
        Column(_("95 % interval"), "right"),
        Column(_("Effort, risk"), width=1.25),
    )
    rows = tuple(_row(decision, words) for decision in decisions)
    order = _(
        "Changes first, ordered by the certain gain (the near end of the interval; half of it without "
        "fresh trials) divided by effort and risk; then what to measure again; then what stays."
    )
    if any(decision.is_worth_open for decision in decisions):
        order += " " + _("Changes that may gain less than is worth acting on stand last among the changes.")
    return [Heading(_("All decisions"), minor=True), Table(columns, rows, caption=order, small=True)]


def _row(decision: Decision, words: Vocabulary) -> tuple[str | Cell, ...]:
    gain, asked = decision.gain, decision.change_effort
    is_change = decision.kind is DecisionKind.CHANGE
    effect = "–" if gain is None else short_gain(gain)
    where = decision.where or words.family(decision.family)
    is_told = all(condition in where for condition in decision.finding.apart)
    return (
        Cell(number(decision.number), link=evidence_anchor(decision)),
        listed_text(decision.kind, kind_word(decision), task_text(decision, tells_conditions=not is_told)),
        where,
        _("{effect} together").format(effect=effect) if is_change and is_only_together(decision) else effect,
        "–" if gain is None else short_gain_interval(gain),
        f"{level_word(asked.effort_level)}, {level_word(asked.risk_level).lower()}" if is_change else "–",
    )


def measured_summary(session: SessionRecord, words: Vocabulary) -> str:
    """Return subject, place and time of the session's measurements in one or two sentences."""
    texts = (_own_trials_text(session, words), _imported_text(session))
    return " ".join(text for text in texts if text) or _("Nothing has been measured in this session yet.")


def _own_trials_text(session: SessionRecord, words: Vocabulary) -> str:
    trials = [trial for run in session.runs for trial in run.trials]
    if not trials:
        return ""
    counts = {
        "trials": number(len(trials)),
        "targets": ", ".join(dict.fromkeys(run.target for run in session.runs)),
        "used": number(sum(trial.status is TrialStatus.USED for trial in trials)),
        "families": "; ".join(dict.fromkeys(words.family(run.plan.family) for run in session.runs)),
    }
    # A lab's clock is its own: its days say nothing about when this was measured.
    if any(is_lab(run.target) for run in session.runs):
        text = _("{trials} trials ran on {targets}; {used} of them are used. Experiments: {families}.")
        return text.format(**counts)
    first, last = _span(trials)
    return _(
        "{trials} trials ran on {targets} between {first} and {last}; {used} of them are used. Experiments: {families}."
    ).format(**counts, first=first, last=last)


def _span(trials: Sequence[TrialResult]) -> tuple[str, str]:
    """Return when the first of the trials began and the last one ended."""
    return moment(min(trial.started_utc for trial in trials)), moment(max(trial.finished_utc for trial in trials))


def _imported_text(session: SessionRecord) -> str:
    if not session.imported:
        return ""
    runs = len({(m.family, m.trial_id) for m in session.imported})
    return _(
        "{count} measurements of {runs} runs come from the file {file}. This program did not measure "
        "them and does not know how they were made."
    ).format(count=number(len(session.imported)), runs=number(runs), file=session.imported_from or _("(not named)"))


def note_blocks(session: SessionRecord, warnings: Sequence[str]) -> list[Block]:
    """Return the notes of a session and the cautions a reader must know before believing the rest."""
    notes = tuple(dict.fromkeys((*warnings, *session.notes)))
    return [Heading(_("Points to note"), minor=True), Bullets(notes, small=True)] if notes else []
