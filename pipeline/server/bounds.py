"""What a client may take of the server: time, connections, disk."""

import resource
from dataclasses import dataclass, replace

# What the process has open beside connections: the database's, Redis', logs, modules.
OTHER_FILES = 256


@dataclass(frozen=True)
class Bounds:
    """The bounds of one process.

    header_seconds: how long a request's head may arrive. stall_seconds, bytes_per_second: in each such time a body
    or an answer moves on by so much, or ends. idle_seconds: how long a connection may wait for its next request.
    connections_per_address: 0 for no such bound. spool_mib: bodies and answers on disk, of all connections together.
    """

    header_seconds: float = 10
    stall_seconds: float = 20
    bytes_per_second: int = 8192
    idle_seconds: float = 75
    connections: int = 4096
    connections_per_address: int = 256
    spool_mib: int = 1024

    def that_fit(self) -> "Bounds":
        """The same, with no more connections than the process may open: each may have a file on disk too."""
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = 2 * self.connections + OTHER_FILES
        if soft != resource.RLIM_INFINITY and soft < wanted:
            soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
            return replace(self, connections=max(16, min(self.connections, (soft - OTHER_FILES) // 2)))
        return self
