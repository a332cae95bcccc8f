"""Where the measurements hold: the readings of each system before the first change, and other readings."""

from collections.abc import Sequence

from app.domain.session import BASELINE_FACT, NOISE_FACT, Environment, SessionRecord, is_lab
from app.domain.units import unit_word
from app.foundation.texts import _, local_number
from app.reporting.blocks import Block, Heading, Paragraph, Section, Start, fields
from app.reporting.numbers import percent
from app.reporting.wording import Vocabulary


def environment_section(session: SessionRecord, words: Vocabulary) -> Section:
    """Return the environment of every target, empty where nothing is known of any."""
    blocks: list[Block] = []
    varied = frozenset(factor.name for run in session.runs for factor in run.plan.factors)
    alike: list[tuple[list[Block], list[Environment]]] = []
    for environment in session.environments:
        read = [block for parts in words.parts for block in parts.environment_blocks(environment, varied)]
        same = next((others for told, others in alike if told == read), None)
        if same is None:
            alike.append((read, [environment]))
        else:
            same.append(environment)
    for read, environments in alike:
        if len(session.environments) > 1 or is_lab(environments[0].target):
            told = ", ".join(_named(environment.target) for environment in environments)
            blocks.append(Heading(told, minor=True))
        blocks += read + _other_readings(environments)
    blocks += [block for parts in words.parts for block in parts.shared_blocks(session.environments, varied)]
    if session.imported:
        text = _(
            "The measurements from {file} were made elsewhere. Their servers, versions, hardware and "
            "parameters are known only as far as the file itself states them."
        )
        blocks.append(Paragraph(text.format(file=session.imported_from or _("(not named)"))))
    return Section(_("Environment"), tuple(blocks), Start.FOLLOWS)


def _named(target: str) -> str:
    return _("{target} (simulated)").format(target=target) if is_lab(target) else target


def _other_readings(environments: Sequence[Environment]) -> list[Block]:
    """Return other readings of targets that are alike; differing ones with the target's name."""
    pairs: dict[tuple[str, str], list[str]] = {}
    for environment in environments:
        for name, value, unit in environment.facts:
            pairs.setdefault((_title(name), _reading(value, unit)), []).append(environment.target)
    told = [
        (name, value if len(targets) == len(environments) else f"{', '.join(targets)}: {value}")
        for (name, value), targets in pairs.items()
    ]
    return [Heading(_("Other readings"), minor=True), fields(told)] if told else []


def _title(name: str) -> str:
    """Return the name of a reading; a server's stand in the session in words, the program's own by its key."""
    titles = {
        NOISE_FACT: _("Run-to-run noise given with the measurements"),
        BASELINE_FACT: _("Baseline given with the measurements"),
    }
    return titles.get(name, name)


def _reading(value: str, unit: str) -> str:
    """Return a reading with its unit; a share in per cent."""
    try:
        read = float(value.replace(",", ""))
    except ValueError:
        return f"{value} {unit_word(unit)}".strip()
    return percent(read) if unit == "share" else f"{local_number(value)} {unit_word(unit)}".strip()
