"""`replitune target`: targets kept under a name, and whether they can be reached."""

import argparse
import sys

from app.cli.arguments import add_json
from app.cli.asking import ask_password
from app.cli.summary import print_json
from app.domain.connection import ServerUrl
from app.domain.statement import StatementRecord
from app.flows.system_views import views_of
from app.foundation.terminal_text import lines_of
from app.foundation.texts import _
from app.lab.scenario_file import shipped_scenarios
from app.services.look.discovering import read_discovery
from app.services.program import Program
from app.services.target.target_spec import LabSpec, find_scenario, parse_target


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    add = actions.add_parser(
        "add",
        help=_("save a target under a name; its password goes into the system's keyring"),
        description=_url_help(),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add.add_argument("name", metavar="NAME", help=_("what to call it"))
    add.add_argument(
        "target",
        metavar="TARGET",
        help=_("such as sqlserver://user@host:port, oracle://user@host:port/service or lab:wan-512k"),
    )
    add.add_argument("--no-password", action="store_true", help=_("do not ask for the password now"))
    add.set_defaults(run_command=_add)
    listing = actions.add_parser("list", help=_("list the saved targets"))
    add_json(listing)
    listing.set_defaults(run_command=_list)
    test = actions.add_parser("test", help=_("connect, and say what is there"))
    test.add_argument("target", metavar="NAME", help=_("a name, or a target itself"))
    add_json(test)
    test.set_defaults(run_command=_test)
    remove = actions.add_parser("remove", help=_("remove a target and its password"))
    remove.add_argument("name", metavar="NAME", help=_("what it is called"))
    remove.set_defaults(run_command=_remove)


def _url_help() -> str:
    return _(
        "A SQL Server is written sqlserver://USER@HOST:PORT?OPTIONS, or sqlserver://@HOST\\INSTANCE for Windows\n"
        "sign-in. Understood are host:port, host\\instance, //host:port/service, JDBC and TNS strings, and those of\n"
        "SSMS, ADO.NET and ODBC as well. A password is never part of it. Options, joined by &:\n"
        "  auth=sql|windows|entra-interactive|entra-password|entra-integrated|entra-service-principal\n"
        "  encrypt=yes|strict|no        yes unless said otherwise\n"
        "  trust=yes                    do not verify the server's certificate; the report says so\n"
        "  certificate_host=NAME        name in the certificate; certificate_file=FILE compares with a file\n"
        "  failover_partner=HOST, multi_subnet_failover=yes, intent=readonly\n"
        "  server.NAME=HOST,PORT        where another server of the topology is reached\n"
        "  spn=MSSQLSvc/HOST:PORT       with Windows sign-in from outside the domain; spn.NAME=SPN for another server\n"
        "  login_timeout=S, statement_timeout=S\n"
        "  driver=18|17|freetds|mssql-python|PATH   the first of these that is there unless said otherwise"
    )


def _add(options: argparse.Namespace, program: Program) -> int:
    parts = program.parts
    spec = parse_target(parts.saved_targets.as_target(options.target))
    if isinstance(spec, LabSpec) and spec.scenario is not None:
        find_scenario(spec, shipped_scenarios())  # so that no name is kept that leads nowhere
    needs_password = isinstance(spec, ServerUrl) and parts.needs_password(spec)
    parts.saved_targets.add(options.name, options.target)
    sys.stdout.write(_("saved: {name}").format(name=options.name) + "\n")
    if isinstance(spec, ServerUrl) and needs_password:
        sys.stdout.write(_keep_password(program, spec, is_asked=not options.no_password) + "\n")
    return 0


def _keep_password(program: Program, url: ServerUrl, *, is_asked: bool) -> str:
    """Ask for the password where somebody can be asked, and report where it is kept."""
    credentials = program.parts.credentials
    if is_asked and credentials.can_keep():
        password = ask_password(url.login)
        if password is not None:
            if credentials.remember(url, password, is_kept=True):
                return _("its password is kept in the keyring of this system")
            return _("The keyring did not accept the password; you will be asked for it again next time.")
    elif not credentials.can_keep():
        return _("this system has no keyring, so the password is asked for each time and never stored")
    return _("its password is asked for each time, or taken from REPLITUNE_PASSWORD")


def _list(options: argparse.Namespace, program: Program) -> int:
    saved = program.parts.saved_targets.list()
    if options.json:
        print_json({"schema": 1, "targets": [{"name": entry.name, "target": entry.shown} for entry in saved]})
    elif saved:
        width = max(len(entry.name) for entry in saved)
        sys.stdout.write("".join(f"{entry.name:<{width}}  {entry.shown}\n" for entry in saved))
    else:
        sys.stdout.write(_("No targets are saved; save one with `replitune target add NAME TARGET`.") + "\n")
    return 0


def _test(options: argparse.Namespace, program: Program) -> int:
    sent: list[StatementRecord] = []
    target = program.parts.open_target(options.target, 1, sent.append)
    try:
        first = read_discovery(target, program.systems).by_system[:1]
        facts = dict(target.connection)
    finally:
        target.close()
    servers = [server for system, part in first for server in views_of(system).servers(part)]
    if options.json:
        told = [{"name": s.name, "role": s.role, "version": s.version} for s in servers]
        print_json({"schema": 1, "target": target.key, "connection": facts, "servers": told})
        return 0
    lines = [_("connected: {label}").format(label=target.label)]
    lines += [f"  {name}: {value}" for name, value in facts.items()]
    lines += [f"  {server.role}: {server.name}, {server.version}" for server in servers]
    sys.stdout.write(lines_of(lines))
    return 0


def _remove(options: argparse.Namespace, program: Program) -> int:
    parts = program.parts
    removed = parts.saved_targets.remove(options.name)
    url = removed.url
    if url is not None and url.login not in {entry.url.login for entry in parts.saved_targets.list() if entry.url}:
        parts.credentials.forget(url)
    sys.stdout.write(_("removed: {name}").format(name=removed.name) + "\n")
    return 0
