"""The pipelines of backup, restore and seeding, from the site's constants and its present conditions."""

from app.systems.availability_groups.lab.copying import CopyOperation, Flow
from app.systems.availability_groups.lab.readings import BackupOptions, OperationKind
from app.systems.availability_groups.lab.scenario import AlgorithmConstants, CopyConstants, TransportConstants
from app.systems.availability_groups.lab.servers import Disk
from app.systems.availability_groups.lab.stages import Stage

_MS_XPRESS = AlgorithmConstants(time_share=1.0, size_share=1.0)


class Flows:
    """Makes the flow of an operation; MB are those of the database, before any compression."""

    def __init__(self, constants: CopyConstants, transport: TransportConstants) -> None:
        self._constants = constants
        self._transport = transport

    def of(self, operation: CopyOperation, line_mb_per_s: float, busy: tuple[float, float]) -> Flow:
        """Return how an operation moves data.

        Args:
            line_mb_per_s: its share of the line.
            busy: ≥ 1, how much longer computing takes at source and target.
        """
        if operation.kind in (OperationKind.BACKUP, OperationKind.LOG_BACKUP):
            return self._backup(operation, busy[0])
        if operation.kind is OperationKind.SEEDING:
            return self._seeding(operation, line_mb_per_s, busy)
        return self._restore(operation, line_mb_per_s, busy[1])

    def _backup(self, operation: CopyOperation, busy: float) -> Flow:
        """Read, compress in one thread for each stripe, write."""
        constants, options = self._constants, operation.options
        share = self._backup_share(operation)
        core_ms = constants.backup_core_ms_per_mb
        stages = [self._read(operation.read_disk, 1.0)]
        if options.compression:
            compress_ms = constants.compress_ms_per_mb * self._algorithm(options).time_share
            core_ms += compress_ms
            stages.append(Stage("compress", compress_ms * busy, options.stripes))
        if options.checksum:
            core_ms += constants.checksum_core_ms_per_mb
        stages.append(self._write(operation.write_disk, share))
        return self._flow(operation, stages, (1.0, 0.0, share), (core_ms, 0.0))

    def _restore(self, operation: CopyOperation, line_mb_per_s: float, busy: float) -> Flow:
        """Read the backup's files, over the line; unpack and write in one thread for each stripe."""
        constants = self._constants
        share = self._backup_share(operation)
        stages = [
            self._read(operation.read_disk, share),
            _line(line_mb_per_s, share),
            Stage("restore", constants.restore_ms_per_mb * busy, operation.options.stripes),
            self._write(operation.write_disk, 1.0),
        ]
        core_ms = (0.0, constants.restore_core_ms_per_mb)
        return self._flow(operation, stages, (share, share, 1.0), core_ms)

    def _seeding(self, operation: CopyOperation, line_mb_per_s: float, busy: tuple[float, float]) -> Flow:
        """Read, maybe compress in one thread, send in one thread, write."""
        constants = self._constants
        share, compress_ms, unpack_ms = 1.0, 0.0, 0.0
        stages = [self._read(operation.read_disk, 1.0)]
        if operation.is_compressed:
            share = 1.0 / operation.database.compression_ratio(constants.seeding_compression_ratio)
            compress_ms, unpack_ms = constants.compress_ms_per_mb, self._transport.decompress_ms_per_mb
            stages.append(Stage("compress", compress_ms * busy[0]))
        stages += [
            Stage("send", constants.seeding_ms_per_mb * max(busy)),
            _line(line_mb_per_s, share),
            self._write(operation.write_disk, 1.0),
        ]
        core_ms = (constants.seeding_core_ms_per_mb + compress_ms, constants.seeding_core_ms_per_mb + unpack_ms)
        return Flow(
            stages=tuple(stages),
            buffers=constants.seeding_buffers,
            buffer_mb=constants.seeding_buffer_kb * 1024.0 / 1e6,
            read_share=1.0,
            wire_share=share,
            write_share=1.0,
            source_core_s_per_mb=core_ms[0] / 1e3,
            target_core_s_per_mb=core_ms[1] / 1e3,
            zero_mb_per_s=_write_mb_per_s(operation.write_disk),
        )

    def _backup_share(self, operation: CopyOperation) -> float:
        """Return the size of a backup's files, per MB of database."""
        if not operation.options.compression:
            return 1.0
        ratio = operation.database.compression_ratio(self._constants.backup_compression_ratio)
        return min(1.0, self._algorithm(operation.options).size_share / ratio)

    def _algorithm(self, options: BackupOptions) -> AlgorithmConstants:
        """Return the constants of a backup's algorithm and level; a server's default is MS_XPRESS."""
        known = (one for one in self._constants.algorithms if one.name == options.algorithm)
        return next(known, _MS_XPRESS)

    def _flow(
        self,
        operation: CopyOperation,
        stages: list[Stage],
        shares: tuple[float, float, float],
        core_ms: tuple[float, float],
    ) -> Flow:
        """Return a flow with the buffers of BACKUP and RESTORE.

        The server's own BUFFERCOUNT is one buffer per backup device, as many again for each I/O kept in flight, and
        two per database volume (Microsoft's "Optimizing backup performance" formula, three I/Os for a disk).
        """
        constants, options = self._constants, operation.options
        transfer_mb = (options.max_transfer_kb or constants.transfer_kb) * 1024.0 / 1e6
        own_choice = options.stripes * constants.buffers_per_device + 2
        return Flow(
            stages=tuple(stages),
            buffers=options.buffer_count or own_choice,
            buffer_mb=transfer_mb,
            read_share=shares[0],
            wire_share=shares[1],
            write_share=shares[2],
            source_core_s_per_mb=core_ms[0] / 1e3,
            target_core_s_per_mb=core_ms[1] / 1e3,
            zero_mb_per_s=_write_mb_per_s(operation.write_disk),
        )

    def _read(self, disk: Disk | None, share: float) -> Stage:
        rate = 1e9 if disk is None else disk.constants.read_mb_per_s
        return Stage("read", share * 1e3 / rate, latency_ms=self._constants.disk_latency_ms)

    def _write(self, disk: Disk | None, share: float) -> Stage:
        return Stage("write", share * 1e3 / _write_mb_per_s(disk), latency_ms=self._constants.disk_latency_ms)


def _line(line_mb_per_s: float, share: float) -> Stage:
    return Stage("line", share * 1e3 / line_mb_per_s)


def _write_mb_per_s(disk: Disk | None) -> float:
    return 1e9 if disk is None else disk.constants.write_mb_per_s
