"""The page a manager reads: what was measured, what was found, what was changed and put back."""

from collections.abc import Sequence

from app.domain.change import EntryState, JournalEntry
from app.domain.comparison import Verdict
from app.domain.finding import Finding
from app.domain.measurement import TrialStatus
from app.domain.plan import Phase
from app.domain.session import Advice, SessionRecord
from app.foundation.texts import _
from app.reporting.blocks import Block, Bullets, Callout, Cell, Column, Heading, Paragraph, Section, Start, Table
from app.reporting.document.in_effect import InEffect
from app.reporting.document.place import Places
from app.reporting.matching import carrying_comparison
from app.reporting.numbers import moment, number
from app.reporting.wording import Vocabulary, change_text, claim_word, interval_text, is_change, lead_word

_MOST_SENTENCES = 5  # more belong to the table below them


def summary_section(
    session: SessionRecord, advice: Advice, words: Vocabulary, places: Places, in_effect: InEffect
) -> Section:
    """Return the summary."""
    blocks: list[Block] = [Paragraph(what_was_measured(session, words))]
    blocks += simulation_notice(session)
    blocks += _what_was_found(advice, words, places, in_effect)
    blocks += _what_was_not(advice, places)
    blocks.append(Heading(_("What was changed on the servers"), minor=True))
    blocks += restored_blocks(session)
    if advice.warnings:
        blocks += [Heading(_("Please note"), minor=True), Bullets(advice.warnings)]
    notes = tuple(note for note in session.notes if note not in advice.warnings)
    if notes:
        blocks += [Heading(_("Notes of the session"), minor=True), Bullets(notes)]
    return Section(_("Summary"), tuple(blocks), Start.NEW_PAGE)


def what_was_measured(session: SessionRecord, words: Vocabulary) -> str:
    """Return in one or two sentences what the session measured, where and when."""
    texts = (_own_trials_text(session, words), _imported_text(session))
    return " ".join(text for text in texts if text) or _("Nothing has been measured in this session yet.")


def _own_trials_text(session: SessionRecord, words: Vocabulary) -> str:
    trials = [trial for run in session.runs for trial in run.trials]
    if not trials:
        return ""
    return _(
        "{trials} trials were run on {targets} between {first} and {last}; {used} of them are used. "
        "The experiments: {families}."
    ).format(
        trials=number(len(trials)),
        targets=", ".join(dict.fromkeys(run.target for run in session.runs)),
        first=moment(min(trial.started_utc for trial in trials)),
        last=moment(max(trial.finished_utc for trial in trials)),
        used=number(sum(trial.status is TrialStatus.USED for trial in trials)),
        families=", ".join(dict.fromkeys(words.family(run.plan.family) for run in session.runs)),
    )


def _imported_text(session: SessionRecord) -> str:
    if not session.imported:
        return ""
    runs = len({(m.family, m.trial_id) for m in session.imported})
    return _(
        "{count} measurements of {runs} runs come from the file {file}. They were not measured by this program: "
        "how they were made is not known here."
    ).format(count=number(len(session.imported)), runs=number(runs), file=session.imported_from or _("(not named)"))


def simulation_notice(session: SessionRecord) -> list[Block]:
    """Return a warning where trials ran on the lab: its numbers say nothing about a client's servers."""
    if not any(is_lab(run.target) for run in session.runs):
        return []
    return [
        Callout(
            "warn",
            _("Measured on the lab"),
            _(
                "Trials of this session ran on the program's simulated servers, not on a real installation. "
                "They show how the program works; measure on your own servers before you change a setting. Times of "
                "trials and statements are those of the lab's own clock."
            ),
        )
    ]


def is_lab(target: str) -> bool:
    """Tell whether a target is simulated, in the program or in a process of its own."""
    return target == "lab" or target.startswith(("lab:", "lab@"))


def _what_was_found(advice: Advice, words: Vocabulary, places: Places, in_effect: InEffect) -> list[Block]:
    changes = [finding for finding in advice.findings if is_change(finding)]
    blocks: list[Block] = [Heading(_("What was found"), minor=True)]
    if not advice.findings:
        return [*blocks, Paragraph(_("No rule led to a finding. What was compared stands under “All comparisons”."))]
    text = _("Findings: {count}; recommended changes of a value: {changes}.")
    blocks.append(Paragraph(text.format(count=number(len(advice.findings)), changes=number(len(changes)))))
    blocks += _recommendations(changes, places, in_effect)
    findings = sorted(advice.findings, key=lambda f: f.priority)
    judged = [f for f in findings if is_change(f) or carrying_comparison(f, advice.comparisons)]
    if judged:
        blocks.append(_findings_table(judged, advice, words, places))
    others = tuple(_titled(finding, places) for finding in findings if finding not in judged)
    if others:
        blocks += [Paragraph(_("For information:")), Bullets(others, small=True)]
    return blocks


def _titled(finding: Finding, places: Places) -> str:
    where = places.text(finding)
    return f"{finding.title} ({where})" if where else finding.title


def _recommendations(changes: Sequence[Finding], places: Places, in_effect: InEffect) -> list[Block]:
    """Return one sentence for each recommended change and where it holds, the most urgent first."""
    items = []
    for finding in sorted(changes, key=lambda f: f.priority)[:_MOST_SENTENCES]:
        parts = (finding.recommendation, in_effect.note(finding))
        where, text = places.text(finding), " ".join(part for part in parts if part)
        items.append(_("{where}: {text}").format(where=where, text=text) if where else text)
    blocks: list[Block] = [Bullets(tuple(items))] if items else []
    left = len(changes) - len(items)
    if left > 0:
        text = _("More recommended changes, in the table below: {count}.")
        blocks.append(Paragraph(text.format(count=number(left))))
    return blocks


def _findings_table(findings: Sequence[Finding], advice: Advice, words: Vocabulary, places: Places) -> Table:
    columns = (
        Column(_("Prio."), "right"),
        Column(_("Finding"), width=3.4),
        Column(_("Where"), width=1.7),
        Column(_("Effect (95 % interval)"), width=2.3),
        Column(_("Verdict"), width=1.6),
    )
    rows = []
    for finding in findings:
        comparison = carrying_comparison(finding, advice.comparisons)
        effect: str = "–"
        verdict: str | Cell = "–"
        if comparison is not None:
            effect = _("{metric} {change} ({interval})").format(
                metric=words.metric(comparison.family, comparison.metric),
                change=change_text(comparison.ratio),
                interval=interval_text(comparison.low, comparison.high),
            )
            verdict = (
                Cell(lead_word(comparison.verdict))
                if places.is_lead(comparison)
                else Cell(claim_word(comparison), verdict=comparison.verdict)
            )
        rows.append((number(finding.priority), finding.title, places.text(finding) or "–", effect, verdict))
    return Table(columns, tuple(rows), small=True)


def _what_was_not(advice: Advice, places: Places) -> list[Block]:
    claims = [c for c in advice.comparisons if c.phase is Phase.CONFIRM]
    counted = claims or advice.comparisons
    if claims:
        text = _("Comparisons that carry a claim: {count}; without a difference: {equal}; open: {open}.")
    elif any(map(places.is_lead, counted)):
        text = _("Comparisons, all of them leads: {count}; without a difference: {equal}; open: {open}.")
    else:
        text = _("Comparisons: {count}; without a difference: {equal}; open: {open}.")
    parts = [
        text.format(
            count=number(len(counted)),
            equal=number(sum(c.verdict is Verdict.NO_DIFFERENCE for c in counted)),
            open=number(sum(c.verdict is Verdict.CANNOT_TELL for c in counted)),
        )
    ]
    if advice.not_evaluated:
        parts.append(
            _("Rules that could not be evaluated, for want of a fact: {count}.").format(
                count=number(len(advice.not_evaluated))
            )
        )
    return [Paragraph(" ".join(parts))] if advice.comparisons or advice.not_evaluated else []


def restored_blocks(session: SessionRecord) -> list[Block]:
    """Return whether everything that was changed on a server has been put back."""
    entries = session.changes
    if not entries:
        if session.runs:
            return [
                Callout("good", _("Nothing was changed"), _("No setting of any server was changed in this session."))
            ]
        return [Paragraph(_("This program was connected to no server and changed nothing."))]
    left = not_restored(entries)
    if left:
        text = _(
            "{left} of {count} changes are not put back. They stand under “Changes and their undo” with the script "
            "for each; "
            "run “replitune restore”, or rollback.sql beside the session."
        )
        return [
            Callout(
                "bad", _("Not everything was put back"), text.format(left=number(len(left)), count=number(len(entries)))
            )
        ]
    text = _("{count} changes were made to servers. Each was undone, and its original value was read back afterwards.")
    return [Callout("good", _("Everything was put back"), text.format(count=number(len(entries))))]


def not_restored(entries: Sequence[JournalEntry]) -> tuple[JournalEntry, ...]:
    """Return the changes whose original value was not read back."""
    return tuple(entry for entry in entries if entry.state is not EntryState.RESTORED)
