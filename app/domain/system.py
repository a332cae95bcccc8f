"""The interface of a system: one folder under `systems/` that exports `SYSTEM` and holds all knowledge of it.

The rest of the program knows this protocol only. What a system reads of a target is its own kind of thing; it travels
through the program unopened and comes back to the system that read it.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol

from app.domain.errors import BadInput, ReplituneError
from app.domain.facts import COMPARED_FACTS, FactKind, FactKinds
from app.domain.family import Evidence, ExperimentFamily, Site, SiteOf, site_as
from app.domain.kept import Kept
from app.domain.naming import NOTHING_DECLARED, DeclaredTexts, Sentence
from app.domain.past import Past, PastHour
from app.domain.plan import Plan
from app.domain.ports import StatementSink
from app.domain.preflight import AskedUnseen
from app.domain.rig import RigKind
from app.domain.rights import LoginRights
from app.domain.server import EffectiveParameter, ServerInfo
from app.domain.server_versions import stated_version
from app.domain.session import Environment, RunRecord
from app.domain.target import Connection, Gate, Offer, Target
from app.foundation.rows import Cell
from app.foundation.texts import _

Unread = Callable[[ReplituneError], None]
"""Takes why a part of something could not be read."""

Watched = Mapping[Any, Callable[[], Any]]
"""What is read again and again: by key, a function that reads it once and raises TargetError."""


class SystemLab(Protocol):
    """The servers of a system, simulated.

    Attributes:
        kind: of the scenario files that describe them.
        default_scenario: name of the shipped one that is opened where none is named.
        takes_unnamed: scenario files that name no kind are of this one, as those of the first release were.
        simulated: the parameters that count in it, by subject; what is not named is refused there.
        where_absent: rows of each statement of its discovery at servers that have nothing of the system, by name; a
            served lab of another system answers them with these.
    """

    kind: str
    default_scenario: str
    takes_unnamed: bool
    simulated: Mapping[str, frozenset[str]]
    where_absent: Mapping[str, tuple[tuple[Cell, ...], ...]]

    def open(
        self,
        scenario: Path | None,
        seed: int,
        on_statement: StatementSink,
        noise: bool | None = None,
        faults: Sequence[Any] = (),
    ) -> Connection:
        """Build a lab in this process, everything running; its clock is virtual.

        Args:
            scenario: scenario file of this kind, None for the default one.
            seed: of the lab's noise: the same seed and statements give the same readings.
            on_statement: receives a record of every statement.
            noise: switches the scenario's noise on or off; None leaves it as the scenario says.
            faults: what goes wrong, besides the faults the file lists.

        Raises:
            BadInput: the scenario cannot be used.
        """
        ...

    def build(self, scenario: Path | None, seed: int, noise: bool | None = None, faults: Sequence[Any] = ()) -> Any:
        """Build the simulated servers alone, to be served over the engine's own protocol; as `open`."""
        ...


@dataclass(frozen=True)
class KeptSettings:
    """The settings of a system as an environment recorded them, for comparing two.

    Attributes:
        servers: with their versions.
        parameters: values in effect, by what they are of and name.
        others: what else was set, likewise.
    """

    servers: tuple[ServerInfo, ...] = ()
    parameters: Mapping[tuple[str, str], str] = field(default_factory=dict)
    others: Mapping[tuple[str, str], str] = field(default_factory=dict)

    def by_place(self) -> dict[tuple[str, str], str]:
        """Return all settings, by place and name."""
        of_servers: dict[tuple[str, str], str] = {}
        for server in self.servers:
            of_servers[server.name, _("version")] = server.version
            of_servers[server.name, _("edition")] = server.edition
            of_servers[server.name, _("logical processors")] = str(server.cpu_count)
        return {**of_servers, **self.parameters, **self.others}


class System(Protocol):
    """One system experiments can be made with. What it does not say has a default.

    Attributes:
        system_id: its folder's name.
        engine: id of the driver's folder that reaches its servers, as rules name it.
        position: where it stands among the systems, ascending, on screen and in reports.
        capabilities: what it may offer on a target, by id, as a person says it.
        load_statements: names of its changing statements that write the load of a trial and nothing else, which are
            the program's own to send in guided work, too.
        statement_places: servers and databases the headers of its statements name, besides those of every server.
        facts: what its families and its observing tell the rules, each fact declared once.
        derived_titles: what a number is that a shipped rule works out of facts, where its name does not say it.
        texts: whose words the details of its changes are, its kinds of names, and names every installation has.
        keeps: what it keeps of a target with a session.
        site_type: the site an experiment knows.
        nothing_here: why no experiment can be made at a `{target}` without it, and what to do.
        asked_unseen: the questions of a DBA's script before there is a connection.
    """

    system_id: str
    engine: str
    position: int
    capabilities: Mapping[str, str]
    load_statements: frozenset[str] = frozenset()
    statement_places: frozenset[str] = frozenset()
    facts: tuple[FactKind, ...] = ()
    derived_titles: Mapping[str, str] = {}
    texts: DeclaredTexts = NOTHING_DECLARED
    keeps: Kept[Any]
    site_type: type[SiteOf[Any]] = SiteOf
    nothing_here: str = ""
    asked_unseen: AskedUnseen = AskedUnseen()

    def part(self, module: str, name: str) -> Any:
        """Return an object that a module of its folder exports, loaded when it is first asked for."""
        return getattr(import_module(f"app.systems.{self.system_id}.{module}"), name)

    @property
    def lab(self) -> SystemLab:
        """Its servers, simulated."""
        lab: SystemLab = self.part("lab_server", "LAB")  # the simulation is a large import
        return lab

    def offer(self, connection: Connection) -> Offer:
        """Return the system's ports over an open connection of its engine; sends nothing."""
        ...

    def by_hand(self, connection: Connection, gate: Gate) -> Offer:
        """Return its ports with every change made through a gate."""
        offered = self.offer(connection)
        return replace(offered, changes=gate.changes(offered.changes))

    def discover(self, target: Target, unread: Unread) -> Any | None:
        """Read the system's topology, None where the target has none; raises TargetError.

        Args:
            unread: is told why where a part could not be read that the rest can be shown without.
        """
        ...

    def servers_of(self, found: Any) -> tuple[ServerInfo, ...]:
        """Return the servers of a topology."""
        servers: tuple[ServerInfo, ...] = found.servers
        return servers

    def home_of(self, found: Any) -> ServerInfo | None:
        """Return the server whose version counts and where scripts are run, None where it is not known."""
        return next(iter(self.servers_of(found)), None)

    def in_effect(self, found: Any) -> Mapping[str, Sequence[EffectiveParameter]]:
        """Return the parameters in effect in a topology, by the name of their server or process."""
        return {}

    def read_rights(self, target: Target, discovered: Any | None) -> LoginRights:
        """Read the rights of this login at the servers of a topology.

        Args:
            discovered: None where nothing was, perhaps because this login may not read it; then what is needed first.
        """
        ...

    def rights_at(self, target: Target, site: Site, plan: Plan) -> LoginRights:
        """Read the rights of this login at the servers where a plan works."""
        return self.read_rights(target, self._found(site))

    def read_site(self, target: Target, subject: str) -> Site:
        """Read the site: everything an experiment on a subject needs to know.

        Raises:
            BadInput: there is no such subject on the target.
            TargetError: it cannot be read.
        """
        found = self.discover(target, _unheard)
        if found is None:
            raise BadInput(self.nothing_here.format(target=target.key))
        return self.site_of(found)

    def site_of(self, found: Any) -> Site:
        """Return the site of a topology."""
        parameters = {parameter.name: parameter for own in self.in_effect(found).values() for parameter in own}
        return self.site_type(parameters=parameters, topology=found)

    def read_leftovers(self, target: Target, site: Site | None = None) -> tuple[str, ...]:
        """Return leftovers of earlier sessions of this program, one sentence each: they must be gone before anything
        counts as original.

        Args:
            site: what was read of the target; None where it was not, and is where that is needed.
        """
        return ()

    def environment(self, target: Target, site: Site) -> Environment:
        """Read the environment that a report describes, to be kept with the session."""
        return self.keeps.environment(target, self._found(site))

    def kept(self, environment: Environment) -> Any | None:
        """Return the system's own part of an environment, None where it has none.

        Raises:
            CodecError: it is not what this program could have written.
        """
        return self.keeps.of(environment)

    def kept_settings(self, environment: Environment) -> KeptSettings:
        """Return the settings that an environment recorded of this system, none where the system is not there.

        Raises:
            CodecError: it is not what this program could have written.
        """
        found = self.kept(environment)
        if found is None:
            return KeptSettings()
        values = {(owner, p.name): p.value for owner, own in self.in_effect(found).items() for p in own}
        return KeptSettings(self.servers_of(found), values)

    def kept_site(self, environment: Environment, subject: str) -> Site | None:
        """Return the site an environment was read from, None for measurements from elsewhere or of another system."""
        found = self.kept(environment)
        return None if found is None else self.site_of(found)

    def rig_kind(self, subject: str) -> RigKind:
        """Return the kind of rig for a subject."""
        ...

    def place_of_scripts(self, site: Site, otherwise: str) -> str:
        """Return where scripts for a DBA are to be run, `otherwise` where that is not known."""
        home = self._home(site)
        return otherwise if home is None else home.name

    def engine_version(self, piece: Evidence) -> str:
        """Return the version measurements were made on, as rules compare it; "" where it is not known.

        A file may state it by number or by name.
        """
        if not isinstance(piece.site, self.site_type):
            return stated_version(piece.conditions)
        home = self._home(piece.site)
        return "" if home is None else home.version

    def observe(self, target: Target, looking: Any) -> Any | None:
        """Look without an experiment, reading only, as `services.look.looking.Looking` says; None for nothing there.

        Raises:
            BadInput, TargetError: what is there cannot be read.
        """
        found = self.discover(target, _unheard)
        return None if found is None else looking.seen(target, self.system_id, found)

    def read_past(self, target: Target, plan: Plan, subject: str, window_h: int) -> tuple[Past, ...]:
        """Read the history of what a plan was about, reading only; here of each that has the parameters it varied.

        Args:
            subject: of the plan's family.
            window_h: hours of history to read, where one is kept.

        Raises:
            BadInput, TargetError: what the plan was about is not there, or cannot be read.
        """
        found = self.discover(target, _unheard)
        varied = {factor.name for factor in plan.factors}
        return tuple(
            Past(owner, target.clock.now_utc(), (), None, tuple(own))
            for owner, own in ({} if found is None else self.in_effect(found)).items()
            if varied & {parameter.name for parameter in own}
        )

    def kept_hours(self, environment: Environment, subject: str, owner: Sentence) -> tuple[PastHour, ...]:
        """Return the hours of history that a session keeps of an `owner`, as `read_past` has it, oldest first.

        Args:
            subject: of the plan's family.
        """
        return ()

    def no_history(self, subject: str) -> str:
        """Return why servers cannot tell later how a subject did before and since a change, for a sentence.

        Only where `read_past` found no hours. Here of servers that keep nothing by the hour.
        """
        return _("the servers keep no history of what the experiment compared")

    def watched(self, target: Target, discovered: Any, /) -> Watched:
        """Return how each of the discovered things is read at little cost, by its key."""
        return {}

    def read_now(self, target: Target, discovered: Any, earlier: Any | None) -> Any | None:
        """Read everything that is watched, by key; None where there is nothing.

        Args:
            earlier: the reading before, None for the first.

        Raises:
            TargetError: it cannot be read.
        """
        return {key: read() for key, read in self.watched(target, discovered).items()} or None

    def declared_texts(self) -> DeclaredTexts:
        """Declare whose words its texts in a session are; undeclared ones are the client's.

        Raises as the catalogue of its engine's statements, whose headers say it of their parameters.
        """
        of_statements: DeclaredTexts = import_module(f"app.drivers.{self.engine}.declared").declared_texts()
        return of_statements | replace(self.texts, kept=(self.keeps.of,))

    def load_views(self) -> Any:
        """Load its views for the window and the command line; see `flows.system_views`."""
        return self.part("views", "VIEWS")

    def load_hand_over(self) -> Any:
        """Load its parts of reports and scripts; see `reporting.system_parts`."""
        return self.part("hand_over", "HAND_OVER")

    def _found(self, site: Site) -> Any:
        return site_as(self.site_type, site).topology

    def _home(self, site: Site) -> ServerInfo | None:
        return self.home_of(site.topology) if isinstance(site, self.site_type) else None


def _unheard(_error: ReplituneError) -> None:
    """Nobody asked why a part could not be read."""


def system_simulated(systems: Iterable[System], kind: str) -> System | None:
    """Return the system whose lab a scenario file of some kind describes, None where it is not installed.

    Args:
        kind: "" where the file names none.
    """
    return next((s for s in systems if s.lab.kind == kind or (not kind and s.lab.takes_unnamed)), None)


def in_order(systems: Collection[System]) -> tuple[System, ...]:
    """Return systems as they stand on screen and in reports."""
    return tuple(sorted(systems, key=lambda system: (system.position, system.system_id)))


def system_of(family: ExperimentFamily) -> System:
    """Return the system a family belongs to."""
    system: System = family.system
    return system


def systems_of(families: Mapping[str, ExperimentFamily]) -> tuple[System, ...]:
    """Return the systems that families belong to, in order."""
    return in_order({family.system.system_id: system_of(family) for family in families.values()}.values())


def site_key(family: ExperimentFamily) -> tuple[str, str]:
    """Return the key by which families share a site: system and subject."""
    return system_of(family).system_id, family.subject


def rig_of(family: ExperimentFamily) -> RigKind:
    """Return the kind of rig for a family's subject."""
    return system_of(family).rig_kind(family.subject)


def site_of_run(environments: Iterable[Environment], run: RunRecord, family: ExperimentFamily) -> Site | None:
    """Return the site that a run measured as it was read before, None where it was not recorded."""
    read = next((environment for environment in environments if environment.target == run.target), None)
    kept = None if read is None else system_of(family).kept_site(read, family.subject)
    return None if kept is None else rig_of(family).site_of_plan(run.plan, kept)


def missing_needs(family: ExperimentFamily, target: Target) -> list[str]:
    """Return the capabilities a family needs and a target lacks, in words, sorted."""
    words = system_of(family).capabilities
    return sorted(words.get(need, need) for need in family.needs - target.capabilities)


def answers_where_absent(systems: Iterable[System], engine: str) -> Mapping[str, tuple[tuple[Cell, ...], ...]]:
    """Return the answers of servers to the discovery of each system that is absent there, by statement."""
    return {
        name: rows for system in systems if system.engine == engine for name, rows in system.lab.where_absent.items()
    }


def fact_kinds(systems: Iterable[System]) -> FactKinds:
    """Return the declarations of all facts that rules may ask for, by name."""
    own = (kind for system in systems for kind in system.facts)
    return {kind.name: kind for kind in (*COMPARED_FACTS, *own)}


def families_in_order(families: Mapping[str, ExperimentFamily]) -> tuple[ExperimentFamily, ...]:
    """Return families as they stand on screen and in reports: system by system."""
    return tuple(sorted(families.values(), key=place_of))


def place_of(family: ExperimentFamily) -> tuple[int, str, int, str]:
    """Return where a family stands among all, to sort by."""
    system = system_of(family)
    return system.position, system.system_id, family.position, family.family_id
