"""Rates per second under present conditions: processors, the line, loads, log streams, copies."""

import math
from collections import Counter, defaultdict
from functools import lru_cache

from app.systems.availability_groups.lab.commit_path import Shipment, StatementPath, StatementTimes
from app.systems.availability_groups.lab.compression import compresses_log, redoes_in_parallel
from app.systems.availability_groups.lab.copying import CopyOperation
from app.systems.availability_groups.lab.load import InsertLoop
from app.systems.availability_groups.lab.servers import COMMIT_TIME
from app.systems.availability_groups.lab.shipping import LogStream, StreamRates
from app.systems.availability_groups.lab.site import Site
from app.systems.availability_groups.lab.state import Database

_MBIT_PER_MB = 8.0


class Rates:
    """Sets the present rate of every part of a site; called after every change."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._times = lru_cache(maxsize=256)(site.path.statement)

    def set_all(self, now_s: float) -> None:
        """Work out all rates from the state of things now."""
        for server in self._site.servers.values():
            server.cpu_factor = 1.0
        self._set_operations()  # at full speed, to see what they ask of the processors
        self._set_processors()
        for load in self._site.running_loads():
            self._set_load(load, now_s)
        for database, stream in self._site.streams():
            self._set_stream(database, stream, now_s)
        self._set_operations()
        self._count_cores()

    def line_mb_per_s(self, source: str, target: str) -> float:
        """Return one user's share of the line between two servers: users get equal parts."""
        line = self._site.scenario.line
        return line.bandwidth_mbps / _MBIT_PER_MB / max(1, self._line_users()[source, target])

    def _line_users(self) -> Counter[tuple[str, str]]:
        users: Counter[tuple[str, str]] = Counter()
        writing = {load.database.name for load in self._site.running_loads()}
        for database, stream in self._site.streams():
            if stream.send_queue_mb > 0.0 or database.name in writing:
                users[stream.primary.name, stream.secondary.name] += 1
        for operation in self._site.running_operations():
            if operation.source is not operation.target:
                users[operation.source.name, operation.target.name] += 1
        return users

    def _set_processors(self) -> None:
        """Slow computing down where more processors are asked for than there are."""
        cpu_share = self._site.scenario.insert.cpu_share
        wanted: dict[str, float] = defaultdict(float)
        for load in self._site.running_loads():
            wanted[load.database.server.name] += load.wanted_cores(cpu_share)
        for operation in self._site.running_operations():
            for name, cores in self._cores_of(operation):
                wanted[name] += cores
        for server in self._site.servers.values():
            server.cpu_factor = max(1.0, round(wanted[server.name] / server.constants.cpus, 3))

    def _cores_of(self, operation: CopyOperation) -> tuple[tuple[str, float], ...]:
        if operation.flow is None:
            return ()
        rate, flow = operation.rate_mb_per_s(), operation.flow
        source_cores, target_cores = rate * flow.source_core_s_per_mb, rate * flow.target_core_s_per_mb
        return ((operation.source.name, source_cores), (operation.target.name, target_cores))

    def _set_operations(self) -> None:
        for operation in self._site.running_operations():
            line = self.line_mb_per_s(operation.source.name, operation.target.name)
            busy = (operation.source.cpu_factor, operation.target.cpu_factor)
            operation.flow = self._site.flows.of(operation, line, busy)

    def _set_load(self, load: InsertLoop, now_s: float) -> None:
        load.times = self.statement_times(load.database, load.rows, now_s)
        load.grouped_s = self._grouped_s(load)
        ways = [(s.is_synchronized, self._is_compressing(s, s.is_synchronized, now_s)) for s in load.database.streams()]
        own = self._site.noise.loop_factor(load.load_id, load.database.name, f"{load.rows} {ways}")
        load.factor = self._site.noise.slowness(now_s) * own
        load.database.message_mb = load.times.log_bytes / load.times.blocks / 1e6
        load.set_held(self._is_held(load.database, now_s), now_s)

    def statement_times(self, database: Database, rows: int, now_s: float) -> StatementTimes:
        """Return the present time of one statement, before noise."""
        server = database.server
        ways = tuple(
            Shipment(
                is_compressing=self._is_compressing(stream, True, now_s),
                rtt_s=self._site.scenario.line.rtt_ms / 1e3,
                bandwidth_mb_per_s=self.line_mb_per_s(server.name, stream.secondary.name),
                harden_mb_per_s=stream.secondary.data_disk.constants.write_mb_per_s,
            )
            for stream in database.streams()
            if stream.is_synchronized
        )
        disk_mb_per_s = server.data_disk.constants.write_mb_per_s
        return self._times(StatementPath(rows, server.cpu_factor, disk_mb_per_s, ways))

    def _grouped_s(self, load: InsertLoop) -> float:
        """Return how long a commit waits for others to be sent with it, on average; one of a lone connection does not.

        The first of a group opens it and waits for all of the time T, those that arrive within it (λT of them, at
        random moments) for half of it: (T + λT·T/2) / (1 + λT). That commits are collected, and for how long, is the
        vendor's word (Microsoft Learn, "availability group commit time"); that a group begins with a commit, assumed.
        """
        database, chosen_ms = load.database, load.database.server.options.get(COMMIT_TIME, 0)
        time_s = (chosen_ms or self._site.scenario.transport.group_commit_ms) / 1e3
        if database.client is None or not load.is_background or load.times is None or not load.times.remote_s:
            return 0.0
        others = time_s / database.background_every_s
        return time_s * (1 + others / 2) / (1 + others)

    def _is_held(self, database: Database, now_s: float) -> bool:
        """Tell whether commits cannot return at present."""
        streams = database.streams()
        synchronized = sum(stream.is_synchronized and stream.missed_since_s is None for stream in streams)
        required = 0 if database.group is None else database.group.required_synchronized_secondaries
        is_missed = any(stream.missed_since_s is not None for stream in streams)
        return is_missed or synchronized < required or database.held_until_s > now_s

    def _is_compressing(self, stream: LogStream, is_synchronous: bool, now_s: float) -> bool:
        primary = stream.primary
        return compresses_log(primary.constants.product_version, is_synchronous, primary.flags_felt(now_s))

    def _written_mb_per_s(self, database: Database) -> float:
        return sum(load.log_mb_per_s() for load in self._site.running_loads() if load.database is database)

    def _set_stream(self, database: Database, stream: LogStream, now_s: float) -> None:
        scenario = self._site.scenario
        transport, redo = scenario.transport, scenario.redo
        group, secondary = database.group, stream.secondary
        is_synchronous = group is not None and group.is_commit_synchronous(secondary.name)
        is_compressing = self._is_compressing(stream, is_synchronous, now_s)
        is_parallel = redoes_in_parallel(secondary.constants.product_version, secondary.flags_felt(now_s))
        message_mb = database.message_mb
        rates = StreamRates(
            inflow_mb_per_s=self._written_mb_per_s(database),
            wire_share=transport.compressed_share if is_compressing else 1.0,
            is_compressing=is_compressing,
            compress_core_s_per_mb=transport.compress_ms_per_mb / 1e3,
            decompress_core_s_per_mb=transport.decompress_ms_per_mb / 1e3,
            redo_core_s_per_mb=redo.core_ms_per_mb / 1e3,
            window_mb=transport.window_messages * message_mb,
            message_mb=message_mb,
            redo_workers=redo.parallel_workers if is_parallel else 1,
        )
        slowness = self._site.noise.slowness(now_s)
        if database.is_available and secondary.is_up and not stream.is_suspended:
            rates.send_mb_per_s = self._send_mb_per_s(stream, rates) / slowness
        if secondary.is_up and not stream.is_suspended:
            rates.redo_mb_per_s = (redo.parallel_mb_per_s if is_parallel else redo.serial_mb_per_s) / slowness
        stream.rates = rates

    def _send_mb_per_s(self, stream: LogStream, rates: StreamRates) -> float:
        """Return the rate that the slowest of compression, window, line and the secondary's log disk lets through."""
        round_trip_s = (self._site.scenario.line.rtt_ms + self._site.scenario.flush.latency_ms) / 1e3
        limits = [
            self.line_mb_per_s(stream.primary.name, stream.secondary.name) / rates.wire_share,
            stream.secondary.data_disk.constants.write_mb_per_s,
            rates.window_mb / round_trip_s if round_trip_s else math.inf,
        ]
        if rates.is_compressing and rates.compress_core_s_per_mb:
            limits.append(1.0 / (rates.compress_core_s_per_mb * stream.primary.cpu_factor))
        return min(limits)

    def _count_cores(self) -> None:
        """Note how many processors are in use now."""
        for server in self._site.servers.values():
            server.cores = 0.0
        servers = self._site.servers
        for load in self._site.running_loads():
            load.database.server.cores += load.cores(self._site.scenario.insert.cpu_share)
        for operation in self._site.running_operations():
            for name, cores in self._cores_of(operation):
                servers[name].cores += cores
        for _database, stream in self._site.streams():
            rates = stream.rates
            sent = (
                rates.send_mb_per_s if stream.send_queue_mb > 0.0 else min(rates.inflow_mb_per_s, rates.send_mb_per_s)
            )
            stream.secondary.cores += stream.redoing_mb_per_s(sent) * rates.redo_core_s_per_mb
            if rates.is_compressing:
                stream.primary.cores += sent * rates.compress_core_s_per_mb
                stream.secondary.cores += sent * rates.decompress_core_s_per_mb
