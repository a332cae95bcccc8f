"""The lab's answers to each reading statement, as rows in the order of its declared columns."""

import re
from dataclasses import replace
from functools import cache
from typing import Any, Final

from app.domain.units import convert
from app.drivers.sqlserver.catalogue import catalogue
from app.drivers.sqlserver.errors import SqlError
from app.drivers.sqlserver.lab.answer import Answers, Parameters, Result, row_of, rows_of
from app.drivers.sqlserver.lab.collation import compared
from app.drivers.sqlserver.lab.counters import Shown, shown
from app.drivers.sqlserver.lab.time_answers import local_text, moment_utc
from app.drivers.sqlserver.session import Place
from app.systems.transactional_replication.agent_kind import AgentKind
from app.systems.transactional_replication.enumerations import ANONYMOUS, PULL, PUSH
from app.systems.transactional_replication.lab.scenario import PairNames
from app.systems.transactional_replication.lab_server.history import AgentHistory, HistoryRow
from app.systems.transactional_replication.lab_server.profiles import parameter_list
from app.systems.transactional_replication.lab_server.site import (
    DISTRIBUTION_DB,
    DISTRIBUTION_LISTENER,
    DISTRIBUTOR,
    LISTENER,
    OTHER_REPLICA,
    PRIMARY,
    PUBLISHER,
    TABLES,
    LabAgent,
    LabPair,
    names_in,
)
from app.systems.transactional_replication.lab_server.state import LabState
from app.systems.transactional_replication.lab_server.steps import Switch, find_tokens, masked_hash, switches_of
from app.systems.transactional_replication.readings import AgentReading, ReplicationSample
from app.systems.transactional_replication.server.documented import AGENT_TYPES
from app.systems.transactional_replication.topology import (
    Agent,
    JobStart,
    RunsElsewhere,
    Subscription,
    SubscriptionNature,
)

_IDLE_ROW_S: Final = 60  # MessageInterval, as it is unless somebody set it
_LARGEST_PROBE_BYTES: Final = int(convert(64, "MiB", "bytes"))


@cache
def _switches_listed() -> tuple[frozenset[str], frozenset[str]]:
    """Return the switches the statement knows: those with a number, and the others."""
    lists = catalogue()["job_step_tokens"].body.split("INSERT INTO")
    named = [frozenset(re.findall(r"\(N'(-\w+)'\)", text)) for text in lists]
    return named[1], named[2]


class DiscoveryAnswers(Answers):
    """Topology, profiles, parameters and job steps."""

    def __init__(self, state: LabState) -> None:
        self._state = state
        self._site = state.site

    def _distribution_databases(self, _place: Place, _values: Parameters) -> Result:
        return [
            (
                name,
                int(name == DISTRIBUTION_DB and self._site.found.is_distribution_db_in_group),
                int(name != DISTRIBUTION_DB or self._state.distribution_role == PRIMARY),
            )
            for name in sorted(self._site.distribution_dbs)
        ]

    def _parameter_limits(self, _place: Place, values: Parameters) -> Result:
        return list(parameter_list(int(values["agent_type"])))

    def _load_table(self, _place: Place, _values: Parameters) -> Result:
        return [(1,)]

    def _server_info(self, place: Place, _values: Parameters) -> Result:
        server, topology = self._site.server(place.server), self._site.scenario.topology
        assert server is not None  # the place was checked before
        return [(server.name, topology.product_version, topology.edition, server.cpu_count)]

    def _names_alike(self, place: Place, values: Parameters) -> Result:
        server = self._site.server(place.server)
        assert server is not None  # the place was checked before
        one, other = (compared(str(values[name]), server.collation) for name in ("one", "spelling"))
        return [(int(one == other),)]

    def _server_addresses(self, _place: Place, _values: Parameters) -> Result:
        # The Distributor's own entry has server_id 0 and stands first.
        own = [(DISTRIBUTOR, self._state.addresses[DISTRIBUTOR], 1)]
        others = [(name, address, 0) for name, address in self._state.addresses.items() if name != DISTRIBUTOR]
        return [*own, *others]

    def _publications(self, _place: Place, _values: Parameters) -> Result:
        publisher = self._site.name_by("publications", PUBLISHER)
        return [
            (publisher, pair.publisher_db, pair.publication, table, "dbo", table, "dbo", table)
            for pair in self._site.live_pairs
            for table in pair.tables
            if publisher is not None and not pair.is_snapshot
        ]

    def _subscriptions(self, _place: Place, _values: Parameters) -> Result:
        return [
            row_of("subscriptions", Subscription(pair.publication, pair.publisher_db, name, pair.subscriber_db, kind))
            for pair in self._site.live_pairs
            for name, kind in [(self._site.name_by("subscriptions", pair.subscriber), self._type_of(pair))]
            if name is not None and not pair.is_snapshot and not self._lacks_name(pair) and kind != ANONYMOUS
        ]

    def _type_of(self, pair: LabPair) -> str:
        if pair.distribution.pair + 1 in self._site.found.anonymous_subscriptions:
            return ANONYMOUS
        return PULL if self._site.is_pull(pair.distribution) else PUSH

    def _lacks_name(self, pair: LabPair) -> bool:
        return pair.distribution.pair + 1 in self._site.found.unlisted_subscribers

    def _subscription_natures(self, _place: Place, _values: Parameters) -> Result:
        found = self._site.found
        return [
            row_of(
                "subscription_natures",
                SubscriptionNature(
                    agent.agent_id, number in found.updatable_subscriptions, number in found.other_engines
                ),
            )
            for agent in self._site.live_agents
            if agent.kind is AgentKind.DISTRIBUTION
            for number in [agent.pair + 1]
        ]

    def _publication_options(self, place: Place, values: Parameters) -> Result:
        own = [
            pair.distribution.pair + 1
            for pair in self._site.live_pairs
            if pair.publisher_db == place.database and values["publication"] in ("", pair.publication)
        ]
        return [(len(own), sum(number in self._site.found.peer_publications for number in own))]

    def _agents(self, _place: Place, _values: Parameters) -> Result:
        publisher = self._site.name_by("agents", PUBLISHER)
        found: list[Agent] = []
        for pair in self._site.live_pairs if publisher is not None else ():
            if self._site.reads_log(pair):
                found.append(self._discovered(pair.log_reader, publisher or "", pair))
            subscriber = "" if self._lacks_name(pair) else self._site.name_by("agents", pair.subscriber)
            if subscriber is not None:
                found.append(
                    replace(
                        self._discovered(pair.distribution, publisher or "", pair),
                        publication=pair.publication,
                        subscriber=subscriber,
                        subscriber_db=self._said(pair.distribution).agents_say_copy or pair.subscriber_db,
                        subscription_type=self._type_of(pair),
                    )
                )
        return [row_of("agents", agent) for agent in sorted(found, key=lambda agent: AGENT_TYPES[agent.kind])]

    def _discovered(self, agent: LabAgent, publisher: str, pair: LabPair) -> Agent:
        profile_id, job_id = self._state.profile_ids[agent.job_id], "" if self._site.is_pull(agent) else agent.job_id
        name = self._site.name_of(agent)
        said = self._said(agent).agents_say or pair.publisher_db
        return Agent(agent.kind, agent.agent_id, name, job_id, profile_id, publisher, said)

    def _said(self, agent: LabAgent) -> PairNames:
        """Return the names of an agent's pair, with the spellings that the tables of agents have."""
        return names_in(self._site.scenario, agent.pair + 1)

    def _distribution_primary(self, place: Place, _values: Parameters) -> Result:
        if not self._site.found.is_distribution_db_in_group:
            return [(None, None)]
        is_here = self._state.distribution_role == PRIMARY
        return [(place.server if is_here else OTHER_REPLICA, DISTRIBUTION_LISTENER)]

    def _redirected_publishers(self, _place: Place, _values: Parameters) -> Result:
        redirected = (pair for pair in self._site.live_pairs if self._site.is_redirected(pair))
        return [(PUBLISHER, pair.publisher_db, LISTENER) for pair in redirected]

    def _agent_profile(self, _place: Place, values: Parameters) -> Result:
        agent = self._site.agent_of_type(int(values["agent_type"]), int(values["agent_id"]))
        if agent is None:
            return []
        profile_id = self._state.profile_ids[agent.job_id]
        profile = self._state.profiles.get(profile_id)
        named = (None, None) if profile is None else (profile.name, profile.profile_type)
        job_id = None if self._site.is_pull(agent) else agent.job_id
        return [(self._site.name_of(agent), profile_id, *named, job_id, None)]

    def _profile_by_name(self, _place: Place, values: Parameters) -> Result:
        profile = self._state.profiles.find(int(values["agent_type"]), str(values["profile_name"]))
        if profile is None:
            return []
        using = sum(1 for profile_id in self._state.profile_ids.values() if profile_id == profile.profile_id)
        return [(profile.profile_id, profile.profile_type, using)]

    def _own_profiles(self, _place: Place, _values: Parameters) -> Result:
        used = list(self._state.profile_ids.values())
        return [(profile.name, used.count(profile.profile_id)) for profile in self._state.profiles.own()]

    def _profile_parameters(self, _place: Place, values: Parameters) -> Result:
        profile = self._state.profiles.get(int(values["profile_id"]))
        return [] if profile is None else [(name, value) for name, value in sorted(profile.values.items())]

    def _job_step_tokens(self, _place: Place, values: Parameters) -> Result:
        agent = self._site.agent_of_job(str(values["job_id"]))
        if agent is None:
            return []
        known, others = _switches_listed()
        spelled = {name.lower(): name for name in (*known, *others)}
        found: dict[str, list[Switch]] = {}
        for one in switches_of(self._state.steps[agent.job_id], frozenset(spelled)):
            found.setdefault(spelled.get(one.name.lower(), ""), []).append(one)
        return [
            (name, self._told(name, ones[0].value, is_number=name in known), len(ones), int(ones[0].is_quoted))
            for name, ones in sorted(found.items())
        ]

    def _told(self, name: str, value: str, *, is_number: bool) -> str:
        """Return as much of a switch's value as leaves the server."""
        if (is_number and value.isdigit()) or (name == "-SkipErrors" and re.fullmatch(r"[0-9:;, ]*", value)):
            return value
        is_profile = name == "-ProfileName" and any(
            self._state.profiles.find(kind, value) for kind in AGENT_TYPES.values()
        )
        return value if is_profile else ""

    def _job_step_token(self, _place: Place, values: Parameters) -> Result:
        agent, parameter = self._site.agent_of_job(str(values["job_id"])), str(values["parameter"])
        if agent is None:
            return []
        command = self._state.steps[agent.job_id]
        tokens = find_tokens(command, parameter)
        value = tokens[0].value if tokens and tokens[0].value.isdigit() else None
        return [(1, value, min(2, len(tokens)), masked_hash(command, parameter))]

    def _job_activity(self, _place: Place, values: Parameters) -> Result:
        agent = self._site.agent_of_job(str(values["job_id"]))
        if agent is None:
            return []
        is_running, began_s = self._state.is_job_running(agent), self._state.agent_state(agent).session_start_s
        started = local_text(began_s) if is_running and began_s is not None else None
        is_enabled = agent.job_id not in self._state.disabled
        return [(self._site.name_of(agent), int(is_enabled), int(is_running), started)]

    def _job_outcome(self, _place: Place, values: Parameters) -> Result:
        outcome = self._state.outcomes.get(str(values["job_id"]).upper())
        return [] if outcome is None else [(outcome,)]

    def _job_failure(self, _place: Place, values: Parameters) -> Result:
        rows = list(enumerate(self._state.failures, start=1))
        own = [(number, row.message) for number, row in rows if row.job_id == str(values["job_id"]).upper()]
        since = [message for number, message in own if number > int(values["since_instance"])]
        return [(max((number for number, _message in own), default=0), since[0] if since else None)]

    def _job_starts(self, _place: Place, _values: Parameters) -> Result:
        return [
            row_of("job_starts", self._job_start(agent))
            for agent in self._site.live_agents
            if not self._site.is_pull(agent)
        ]

    def _job_start(self, agent: LabAgent) -> JobStart:
        state, job_id = self._state, agent.job_id
        has_proxy = job_id in state.without_credential | state.without_subsystem
        is_scheduled = job_id in state.scheduled - state.disabled
        return JobStart(
            job_id,
            is_owner_known=job_id not in state.ownerless,
            proxy="Replication" if has_proxy else None,
            is_proxy_usable=not has_proxy,
            schedule="Every minute" if is_scheduled else "",
            starts_every_s=self._site.found.jobs_start_every_s if is_scheduled else None,
        )

    def _subscriber_objects(self, _place: Place, values: Parameters) -> Result:
        topology = self._site.scenario.topology
        tables = str(values["tables"]).strip("|").split("|")
        if not any(f"dbo.{table}" in tables for table in TABLES):
            return [(0, 0, 0, 0)]
        counts = (topology.foreign_keys, topology.unique_nonclustered_indexes)
        return [(*counts, topology.indexed_views, topology.triggers)]


class MonitoringAnswers(Answers):
    """History, queues, statistics, tokens and the network."""

    def __init__(self, state: LabState) -> None:
        self._state = state
        self._lab = state.lab
        self._site = state.site

    def _agent(self, values: Parameters) -> LabAgent | None:
        return self._site.agent_of_type(int(values["agent_type"]), int(values["agent_id"]))

    def _history(self, values: Parameters) -> AgentHistory | None:
        agent = self._agent(values)
        return None if agent is None else self._state.history[agent.job_id]

    def _agent_session(self, _place: Place, values: Parameters) -> Result:
        history = self._history(values)
        start_s = None if history is None else history.session_start_s
        return [(None if start_s is None else moment_utc(start_s),)]

    def _agent_history(self, _place: Place, values: Parameters) -> Result:
        agent = self._agent(values)
        if agent is None:
            return []
        history = self._state.history[agent.job_id]
        return [row_of("agent_history", _reading(agent, history, row)) for row in history.rows]

    def _agent_statistics(self, _place: Place, values: Parameters) -> Result:
        history = self._history(values)
        if history is None or history.statistics is None:
            return []
        time_s, xml = history.statistics
        return [(moment_utc(time_s), xml)]

    def _distributor_sample(self, _place: Place, _values: Parameters) -> Result:
        lab, state = self._lab, self._state
        sample = ReplicationSample(
            *(moment_utc(lab.now_s), (), 0, 0.0, None, lab.lock_wait_s, lab.free_disk_gb),
            utc_offset_min=state.utc_offset_min,
        )
        readings = []
        for agent in sorted(self._site.live_agents, key=lambda one: AGENT_TYPES[one.kind]):
            history = state.history[agent.job_id]
            if history.rows:
                newest, is_reader = history.rows[-1], agent.kind is AgentKind.LOG_READER
                (commands, counter_type), (transactions, _type) = self._counters(agent, history)
                reading = _reading(
                    agent,
                    history,
                    newest,
                    total_delivered_commands=None if is_reader else history.total_commands,
                    counter_latency_ms=None if history.is_over else newest.latency_ms,
                    counter_commands=commands,
                    counter_transactions=transactions,
                    counter_type=counter_type,
                    is_running=state.is_job_running(agent),
                )
                readings.append(reading)
        return rows_of(
            "distributor_sample",
            readings,
            sample,
            server_started_ms=state.started_ms(DISTRIBUTOR),
            **state.other_work.counted(DISTRIBUTOR),
        )

    def _counters(
        self, agent: LabAgent, history: AgentHistory
    ) -> tuple[tuple[int | None, int | None], tuple[int | None, int | None]]:
        """Return the counters of the commands and transactions a Log Reader Agent delivered, which end with it."""
        how = Shown(self._site.found.reader_counters)
        if agent.kind is not AgentKind.LOG_READER or history.is_over:
            how = Shown.ABSENT
        now = self._state.agent_state(agent)
        elapsed_s = self._lab.now_s - (now.session_start_s or 0.0)
        return shown(how, now.delivered_commands, elapsed_s), shown(how, now.delivered_transactions, elapsed_s)

    def _agents_elsewhere(self, _place: Place, _values: Parameters) -> Result:
        found = [agent for agent in self._site.live_agents if self._site.is_elsewhere(agent)]
        return [
            row_of("agents_elsewhere", RunsElsewhere(agent.kind, agent.agent_id, age_s))
            for agent in found
            for history in [self._state.history[agent.job_id]]
            if not history.is_over
            for age_s in [min(_IDLE_ROW_S, round(self._lab.now_s - history.rows[-1].time_s))]
        ]

    def _publisher_sample(self, place: Place, _values: Parameters) -> Result:
        if place.database not in {pair.publisher_db for pair in self._site.pairs}:  # where an owner may not ask for it
            raise SqlError(21050, "Only members of the sysadmin or db_owner roles can perform this operation.", "42000")
        server = self._site.server(place.server)
        assert server is not None  # the place was checked before
        has_counters = self._site.finds_counters("publisher_sample") and self._state.has_counters
        of_server = self._state.started_ms(place.server), *self._state.other_work.counts(PUBLISHER)
        return [
            (
                pair.publisher_db,
                self._lab.log_pending_transactions(number),
                round(self._lab.log_used_share(number) * 100) if has_counters else None,
                *of_server,
            )
            for number, pair in enumerate(self._site.pairs)
            if number not in self._site.dropped
            and self._site.reads_log(pair)
            and server.database_role(pair.publisher_db) is not None
        ]

    def _pending_commands(self, _place: Place, values: Parameters) -> Result:
        pair = self._site.pair_of_publication(str(values["publisher_db"]), str(values["publication"]))
        if pair is None:
            raise SqlError(20026, f"The publication '{values['publication']}' does not exist.", "42000")
        pending = self._lab.distribution_pending_commands(pair)
        history = self._state.history[self._site.pairs[pair].distribution.job_id]
        newest = history.rows[-1] if history.rows else None
        elapsed_s = self._lab.now_s - (history.session_start_s or 0.0)
        rate = newest.commands / elapsed_s if newest and elapsed_s > 0 else 0.0
        return [(pending, round(pending / rate) if rate > 0 else 0)]

    def _agent_backlog(self, _place: Place, values: Parameters) -> Result:
        commands = min(int(values["at_most"]), self._waiting("agent_backlog", values))
        if per_s := self._site.found.count_commands_per_s:
            self._state.advance(commands / per_s)
        return [(commands,)]

    def _waiting(self, statement: str, values: Parameters) -> int:
        """Return the backlog of an agent that a statement looks up by its Publisher's name."""
        agent = self._site.agent(AgentKind.DISTRIBUTION, int(values["agent_id"]))
        if agent is None or self._site.name_by(statement, PUBLISHER) != values["publisher"]:
            return 0
        stored = self._site.found.waiting_commands if self._site.is_stopped_for_good(agent) else 0
        return stored + self._lab.distribution_pending_commands(agent.pair)

    def _command_bytes(self, _place: Place, values: Parameters) -> Result:
        commands = min(1000, self._waiting("command_bytes", values))
        if commands == 0:
            return [(None, None)]
        return [(commands, round(commands * self._site.scenario.link.bytes_per_command))]

    def _tracer_token(self, _place: Place, values: Parameters) -> Result:
        posted = self._state.tokens.get(int(values["tracer_id"]))
        if posted is None:
            return []
        published_s, distributed_s, subscribed_s = self._lab.tracer(posted.token)
        agent = self._site.agent(AgentKind.DISTRIBUTION, int(values["agent_id"]))
        arrived_s = subscribed_s if agent is not None and agent.pair == posted.pair else None
        return [(_leg_ms(published_s, distributed_s), _leg_ms(distributed_s, arrived_s))]

    def _own_tracer_tokens(self, _place: Place, values: Parameters) -> Result:
        pairs = [
            number
            for number, pair in enumerate(self._site.pairs)
            if (pair.publisher_db, pair.publication) == (values["publisher_db"], values["publication"])
        ]
        tokens = sorted((tracer_id, token) for tracer_id, token in self._state.tokens.items() if token.pair in pairs)
        if self._site.name_by("own_tracer_tokens", PUBLISHER) != values["publisher"]:
            return []
        if values["is_known"]:
            return [(tracer_id,) for tracer_id, _token in tokens if tracer_id == values["tracer_id"]]
        spans = [(str(values[f"from_{clock}"]), str(values[f"until_{clock}"])) for clock in ("local", "utc")]
        return [
            (tracer_id,)
            for tracer_id, token in tokens
            if any(begin <= token.posted_local < end for begin, end in spans)
        ]

    def _round_trip(self, _place: Place, _values: Parameters) -> Result:
        self._state.advance(self._lab.rtt_ms / 1000.0)
        return [(1,)]

    def _transfer_probe(self, _place: Place, values: Parameters) -> Result:
        size = min(max(0, int(values["bytes"])), _LARGEST_PROBE_BYTES)
        self._state.advance(self._lab.rtt_ms / 1000.0 + size * 8 / 1000.0 / self._lab.bandwidth_kbps)
        return [("x" * size,)]


def _reading(agent: LabAgent, history: AgentHistory, row: HistoryRow, **now: Any) -> AgentReading:
    return AgentReading(
        agent.name,
        agent.kind,
        agent.agent_id,
        row.runstatus,
        moment_utc(history.session_start_s or 0.0),
        moment_utc(row.time_s),
        row.transactions,
        row.commands,
        row.latency_ms,
        row.comments,
        position_text(history.position(row)) or "",
        **now,
    )


def position_text(position: int) -> str | None:
    """Return a position of a log as SQL Server writes it, ten bytes; None before the first transaction."""
    return f"{position:020X}" if position else None


def _leg_ms(start_s: float | None, end_s: float | None) -> int | None:
    return None if start_s is None or end_s is None else round((end_s - start_s) * 1000)
