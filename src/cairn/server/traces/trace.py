"""A trace: who sent which command, what it cost, and how it ended."""

from __future__ import annotations

import datetime
import functools
import ipaddress
import json
from typing import Final, NamedTuple

MOST_NETWORKS: Final = 10_000
UNKNOWN: Final = "unknown"
"""The network of a client whose address is unknown."""
DONE: Final = "done"
IGNORED: Final = "ignored"
"""The outcome of a message without an id, which cannot be answered."""
REFUSED: Final = "refused:"
"""The beginning of the outcome of a refused command. The kind of refusal follows."""
UNANSWERED: Final = "unanswered"
"""The outcome if the connection is lost before the answer is sent. The command may have been executed."""


class Trace(NamedTuple):
    """One command or request. It is immutable, because it is passed from the event loop to another thread."""

    time: float
    """Seconds since 1970."""
    player: str | None
    game: str | None
    command: str
    """The type of a command, or the method and path pattern of a request."""
    network: str
    milliseconds: float | None
    """The CPU time charged (``players/workload.py``); ``None`` on a server without limits."""
    outcome: str
    status: int | None = None
    """The HTTP status of a response."""


def outcome_of(problem: str | None) -> str:
    """The outcome of a command, given the kind of problem that it caused, if any."""
    if problem is None:
        return DONE
    if problem.startswith("storage-"):
        return f"storage:{problem.removeprefix('storage-')}"
    return "failed" if problem == "unexpected" else f"{REFUSED}{problem}"


@functools.lru_cache(MOST_NETWORKS)
def shortened_network(host: str) -> str:
    """The network to record for an address: an IPv4 /24 or an IPv6 /48, which does not identify a household."""
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return UNKNOWN
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped:
        address = address.ipv4_mapped
    return str(ipaddress.ip_network((address, 24 if address.version == 4 else 48), strict=False))


def trace_line(trace: Trace, process: str) -> bytes:
    """The line for a trace: a JSON object in ASCII."""
    fields = trace._asdict()
    time = datetime.datetime.fromtimestamp(fields.pop("time"), datetime.UTC)
    if trace.milliseconds is not None:
        fields["milliseconds"] = round(trace.milliseconds, 2)
    line = json.dumps({"time": time.isoformat(timespec="milliseconds"), "process": process, **fields})
    return f"{line}\n".encode("ascii")
