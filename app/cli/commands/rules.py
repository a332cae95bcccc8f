"""`replitune rules check|test [DIR]`: are rule packs valid, and do their own cases hold?"""

import argparse
import sys
from pathlib import Path

from app.advice import check_cases, load_packs
from app.cli.ending import ending_with
from app.domain.errors import BadInput
from app.domain.system import fact_kinds
from app.foundation.texts import _
from app.services.program import Program


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("action", choices=("check", "test"), help=_("check: valid? test: do the cases hold?"))
    parser.add_argument("folder", type=Path, nargs="?", metavar="DIR", help=_("rule packs (default: the shipped ones)"))
    parser.set_defaults(run_command=run)


def run(options: argparse.Namespace, program: Program) -> int:
    """Check or test; the first mistake is told with file and line, exit code 2."""
    roots = (options.folder,) if options.folder else program.parts.rules_roots
    kinds = fact_kinds(program.systems.values())
    packs = load_packs(roots, program.parts.family_ids, kinds, shared=program.parts.rules_roots)
    for pack in packs:
        if pack.missing_families:
            text = _("{file}: left out for {families}, which this program does not have")
            sys.stderr.write(text.format(file=pack.file, families=", ".join(pack.missing_families)) + "\n")
    rules = [rule for pack in packs for rule in pack.rules]
    if options.action == "test":
        failures = check_cases(packs).failures
        with ending_with(BadInput.exit_code if failures else 0):
            for failure in failures[1:]:
                sys.stderr.write(f"{failure.sentence()}\n")
        if failures:
            raise BadInput(
                _("{count} cases do not hold; the first: {sentence}").format(
                    count=len(failures), sentence=failures[0].sentence()
                )
            )
    sys.stdout.write(
        _("{packs} packs, {rules} rules, {cases} cases: all valid").format(
            packs=len(packs), rules=len(rules), cases=sum(len(rule.cases) for rule in rules)
        )
        + "\n"
    )
    return 0
