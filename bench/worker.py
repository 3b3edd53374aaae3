"""One contender in a separate process, measured on request.

    worker.py (cairn | openspiel | pgx | pettingzoo | threads) SEED

When the worker is ready, it writes one line of JSON with facts about the contender. Then it answers each line
``NAME SECONDS`` on standard input with one line, the measured rate. The process keeps running through all rounds of the
bench, so that imports are not measured. The environment variable ``CAIRN_CPU`` selects the build of Cairn's core. The
contender ``threads`` is measured by the CPU time of its busier thread.
"""

from __future__ import annotations

import json
import sys
import time

import measure


def main() -> None:
    """Get ready, then measure until the input ends."""
    contender, seed = sys.argv[1], int(sys.argv[2])
    if contender == "cairn":
        import cairn_core

        facts, batches = cairn_core.facts(), cairn_core.batches(seed)
    elif contender in ("pgx", "pettingzoo", "threads"):
        import environments

        facts, batches = environments.facts(contender), environments.batches(contender, seed)
    else:
        import openspiel_peer

        peer = openspiel_peer.OpenSpiel(seed)
        facts, batches = peer.facts(), peer.batches()
    for batch in batches.values():
        batch()
    print(json.dumps(facts), flush=True)
    for line in sys.stdin:
        name, seconds = line.split()
        clock = measure.busiest_thread() if contender == "threads" else time.process_time
        print(measure.rate(batches[name], float(seconds), clock), flush=True)


if __name__ == "__main__":
    main()
