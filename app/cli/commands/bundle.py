"""`replitune bundle export|import`: a client's file with its results as one archive, out and in."""

import argparse
import sys
from pathlib import Path

from app.cli.arguments import add_effects_of_names, add_names, names_of
from app.flows.words import counted
from app.foundation.texts import _
from app.services.hand_over.bundles import export_bundle, import_bundle
from app.services.program import Program


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's actions."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    out = actions.add_parser("export", help=_("pack a client's file with report, scripts and tables of each session"))
    out.add_argument("file", type=Path, metavar="FILE", help=_("a .replitune file"))
    out.add_argument("--out", type=Path, required=True, metavar="X.zip", help=_("the bundle"))
    add_names(out)
    add_effects_of_names(out)
    out.set_defaults(run_command=_export)
    into = actions.add_parser("import", help=_("check a bundle and unpack it into a new folder"))
    into.add_argument("bundle", type=Path, metavar="X.zip", help=_("the bundle"))
    into.add_argument("--out", type=Path, required=True, metavar="FOLDER", help=_("a folder that is empty or new"))
    into.set_defaults(run_command=_import)


def _export(options: argparse.Namespace, program: Program) -> int:
    made = export_bundle(
        options.file,
        options.out,
        program.advisor,
        program.parts.make_renderer(),
        redact=options.redact,
        names=names_of(options),
    )
    text = _("Bundle: {path} ({sessions}, {parts}, {size:,} bytes)")
    parts = counted(len(made.parts), _("1 file"), _("{count} files"))
    sys.stdout.write(
        text.format(path=made.path, sessions=_sessions(made.sessions), parts=parts, size=made.size_bytes) + "\n"
    )
    return 0


def _import(options: argparse.Namespace, _program: Program) -> int:
    opened = import_bundle(options.bundle, options.out)
    text = _("Unpacked: {path} ({sessions})")
    sys.stdout.write(text.format(path=opened.session_file, sessions=_sessions(opened.sessions)) + "\n")
    if opened.redacted:
        sys.stdout.write(_("Names of servers, databases and logins are replaced in it.") + "\n")
    return 0


def _sessions(count: int) -> str:
    return counted(count, _("1 session"), _("{count} sessions"))
