"""The Streams pool of one database: who takes memory from it, and when it is short."""

from collections.abc import Callable

from app.systems.oracle_streams.lab.scenario import PoolConstants

_BYTES_PER_MB = 1024.0 * 1024.0


class StreamsPool:
    """Memory of queued messages and of the processes.

    Attributes:
        size_mb: streams_pool_size.
        peak_mb: most ever used since the instance started.
    """

    def __init__(self, constants: PoolConstants, size_mb: float) -> None:
        self._constants = constants
        self.size_mb = size_mb
        self._lcrs = 0
        self._reserved_mb: dict[str, float] = {}
        self._all_reserved_mb = 0.0
        self._relieved: list[Callable[[], None]] = []
        self.peak_mb = self.used_mb

    @property
    def used_mb(self) -> float:
        """Megabytes in use now."""
        queued_mb = self._lcrs * self._constants.bytes_per_lcr / _BYTES_PER_MB
        return self._constants.base_mb + self._all_reserved_mb + queued_mb

    @property
    def is_pressed(self) -> bool:
        """So full that messages are spilled and publishers held back."""
        return self.used_mb > self._constants.pressed_share * self.size_mb

    @property
    def is_relieved(self) -> bool:
        """Spilling has made enough room."""
        return self.used_mb <= self._constants.relieved_share * self.size_mb

    def resize(self, size_mb: float) -> None:
        """Change streams_pool_size on the running instance; it never shrinks below the memory in use."""
        self.size_mb = max(size_mb, self.used_mb)
        self._tell()

    def on_relief(self, action: Callable[[], None]) -> None:
        """Call this whenever memory becomes free or the pool grows."""
        self._relieved.append(action)

    def reserve(self, owner: str, size_mb: float) -> None:
        """Make this the memory one process holds, replacing its former amount."""
        self._reserved_mb[owner] = size_mb
        self._all_reserved_mb = sum(self._reserved_mb.values())
        self.peak_mb = max(self.peak_mb, self.used_mb)
        self._tell()

    def take(self, lcrs: int) -> None:
        """Hold so many messages more in memory."""
        self._lcrs += lcrs
        self.peak_mb = max(self.peak_mb, self.used_mb)

    def free(self, lcrs: int) -> None:
        """Hold so many messages fewer."""
        self._lcrs -= lcrs
        self._tell()

    def restart(self) -> None:
        """Begin with an empty pool, as after a restart of the instance."""
        self._lcrs = 0
        self._reserved_mb.clear()
        self._all_reserved_mb = 0.0
        self.peak_mb = self.used_mb

    def _tell(self) -> None:
        for action in self._relieved:
            action()
