"""`replitune doctor`: health of this computer, and rights of a login on a target."""

import argparse
import dataclasses
import json
import sys
from collections.abc import Mapping
from enum import Enum
from pathlib import Path

from app.cli.arguments import add_journal, add_json, target_name
from app.cli.effects import Effects
from app.domain.errors import BadInput
from app.domain.rights import Mode
from app.domain.setting import value_text
from app.domain.system import System
from app.flows.target.doctor_view import experiments_table, parts_table
from app.foundation.clock import SystemClock
from app.foundation.terminal_text import lines_of
from app.foundation.texts import _
from app.reporting.render.terminal import table_lines
from app.services.look.by_dba import answered, preflights, write_script
from app.services.look.doctor import (
    Health,
    TargetHealth,
    computer_health,
    grant_script,
    libraries,
    revoke_script,
    target_health,
)
from app.services.look.first_contact import record_contact, write_contact
from app.services.program import Program
from app.services.run.journal_words import kept_sentences
from app.services.run.restoring import count_open, state_if_any


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("--target", type=target_name, metavar="NAME", help=_("also say what this login may do there"))
    parser.add_argument(
        "--record",
        type=Path,
        metavar="FILE",
        help=_(
            "send every reading statement once to the target, and write to FILE what came back against what the lab "
            "says: columns, types, errors, times, versions; no data and no names"
        ),
    )
    parser.add_argument(
        "--script",
        type=Path,
        metavar="FILE",
        help=_(
            "write a script that the client's DBA runs at each server before a visit: it only reads, and prints "
            "what this command asks"
        ),
    )
    parser.add_argument(
        "--engine",
        choices=sorted(preflights()),
        default="sqlserver",
        help=_("whose servers that script is for; one for Oracle is run by SQL*Plus"),
    )
    parser.add_argument(
        "--from",
        dest="printed",
        type=Path,
        nargs="+",
        metavar="FILE",
        help=_("say what the DBA's login may do from what that script printed, as far as it asked; one file a server"),
    )
    parser.add_argument(
        "--mode",
        choices=[_option(mode) for mode in Mode],
        default=_option(Mode.HANDS_ON),
        help=_("the way of working to script the missing rights for"),
    )
    add_journal(parser)
    add_json(parser)
    effects = Effects(parser)
    effects.add("--mode", _("--target or --from; --json and --record tell of all ways of working"), _scripts_one_mode)
    effects.add("--engine", "--script", lambda given: bool(given.script))
    effects.add(
        "--journal", _("a look, not with --record or --script"), lambda given: not (given.record or given.script)
    )
    parser.set_defaults(run_command=run)


def _scripts_one_mode(options: argparse.Namespace) -> bool:
    return bool(options.target or options.printed) and not (options.json or options.record)


def run(options: argparse.Namespace, program: Program) -> int:
    """Look, and print the findings; or record the servers' answers, or write a script that asks them."""
    if sum(given is not None for given in (options.target, options.script, options.printed)) > 1:
        raise BadInput(_("--target, --script and --from exclude each other; give one of them"))
    if options.record is not None:
        return _record(options, program)
    if options.script is not None:
        return _write_script(options, program.parts.load_systems())
    return _look(options, program)


def _look(options: argparse.Namespace, program: Program) -> int:
    """Look at this computer, and at a target where one is named, and print the findings."""
    parts = program.parts
    journal = options.journal or parts.journal_path
    health = computer_health(
        tuple(program.families),
        parts.target_ids,
        [(f"{pack.family}/{Path(pack.file).stem}", len(pack.rules)) for pack in program.advisor.packs],
        (*parts.installed(), *libraries()),
        count_open(journal),
        kept_sentences(state_if_any(journal).kept),
    )
    target = _target_seen(options, program)
    if options.json:
        content = {"schema": 1, **dataclasses.asdict(health), "target": _target_json(target)}
        json.dump(content, sys.stdout, ensure_ascii=False, indent=2, default=_plain)
        sys.stdout.write("\n")
        return 0
    mode = next(mode for mode in Mode if _option(mode) == options.mode)
    asked = _("As far as the script asked there; what needs another server's answer is known once it ran at that, too.")
    told = [*(_target(target, mode) if target else []), *([asked] if options.printed else [])]
    sys.stdout.write(lines_of([*_computer(health), *told]))
    return 0


def _target_seen(options: argparse.Namespace, program: Program) -> TargetHealth | None:
    if options.printed is not None:
        seen = answered(options.printed, program.parts.load_systems())
        return target_health(seen.key, program.families, lambda *_given: seen)
    return target_health(options.target, program.families, program.parts.open_target) if options.target else None


def _write_script(options: argparse.Namespace, systems: Mapping[str, System]) -> int:
    """Write the script for a DBA, and say what becomes of it."""
    write_script(options.script, options.engine, systems)
    if options.json:
        json.dump({"schema": 1, "file": str(options.script)}, sys.stdout, ensure_ascii=False, indent=2)
        sys.stdout.write("\n")
        return 0
    said = _(
        "{file} only reads; its first lines tell the DBA how it is run at each server. Give what comes back to "
        "`replitune doctor --from`."
    )
    sys.stdout.write(lines_of([said.format(file=options.script)]))
    return 0


def _record(options: argparse.Namespace, program: Program) -> int:
    """Write a record of the target's answers, and print the differences from the lab."""
    if options.target is None:
        raise BadInput(_("--record needs a target; add --target NAME"))
    contact = record_contact(options.target, program.advisor, program.parts.open_target)
    differences = write_contact(contact, options.record, SystemClock().now_utc())
    if options.json:
        told = {
            "schema": 1,
            "file": str(options.record),
            "answers": len(contact.answers),
            "not_asked": [dataclasses.asdict(one) for one in contact.not_asked],
            "differences": [dataclasses.asdict(one) for one in differences],
        }
        json.dump(told, sys.stdout, ensure_ascii=False, indent=2)
        sys.stdout.write("\n")
        return 0
    lines = [
        _("{count} answers of {servers} servers are in {file}; it holds no data and no names").format(
            count=len(contact.answers), servers=len(contact.servers), file=options.record
        ),
        _("{count} reading statements were not sent; the file says why").format(
            count=value_text(len(contact.not_asked))
        ),
    ]
    if differences:
        lines.append(_("Different from the lab ({count}):").format(count=len(differences)))
        lines += [f"  {one.statement} ({one.server}): {one.what}" for one in differences]
        lines.append(_("Send the file in: it becomes a test."))
    else:
        lines.append(_("Everything is as in the lab."))
    sys.stdout.write(lines_of(lines))
    return 0


def _option(mode: Mode) -> str:
    return mode.value.replace("_", "-")


def _plain(value: object) -> str:
    return str(value.value) if isinstance(value, Enum) else str(value)


def _target_json(target: TargetHealth | None) -> object:
    if target is None:
        return None
    return {
        "target": target.target,
        "login": target.rights.login,
        "experiments": [
            {
                "family": experiment.family,
                "possible": not experiment.impossible,
                "because": experiment.impossible,
                "modes": [mode.value for mode in experiment.modes],
                "missing": [f"{right.title} at {right.server}" for right in experiment.missing],
            }
            for experiment in target.experiments
        ],
        "grants": grant_script(target),
        "scripts": {
            mode.value: {"grant": grant_script(target, mode), "take_back": revoke_script(target, mode)} for mode in Mode
        },
        "unread": tuple(dict.fromkeys((*target.rights.unread, *target.discovery.unread))),
    }


def _computer(health: Health) -> list[str]:
    lines = [
        _("Replitune {version}, Python {python}, {system}").format(
            version=health.version, python=health.python, system=health.system
        ),
        _("Experiments: {families}").format(families=", ".join(health.families)),
        _("Engines: {targets}").format(targets=", ".join(health.targets)),
        _("Rules: {rules} in {packs} packs").format(
            rules=sum(count for _pack, count in health.rules), packs=len(health.rules)
        ),
        "",
    ]
    lines += table_lines(parts_table(health))
    if health.open_changes:
        lines += [
            "",
            _("{count} changes of earlier runs are not undone yet; run `replitune restore`").format(
                count=health.open_changes
            ),
        ]
    return [*lines, *health.kept]


def _target(target: TargetHealth, mode: Mode) -> list[str]:
    lines = ["", _("{target} as {login}").format(target=target.target, login=target.rights.login or _("(unknown)"))]
    lines += table_lines(experiments_table(target))
    unread = dict.fromkeys((*target.rights.unread, *target.discovery.unread))
    lines += [_("  not readable: {sentence}").format(sentence=sentence) for sentence in unread]
    script = grant_script(target, mode)
    if script:
        names = {Mode.OBSERVE: _("observing"), Mode.GUIDED: _("guided work"), Mode.HANDS_ON: _("hands-on work")}
        lines += ["", _("-- For {work} a DBA would run:").format(work=names[mode]), *script.split("\n")]
        lines += [_("-- To revoke all of it afterwards:"), *revoke_script(target, mode).split("\n")]
    return lines
