"""The traffic report for administrators: busy clients, stalls, and suspicious pairs of accounts."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final

from cairn.server.logs import audit
from cairn.server.messages.players import player_view
from cairn.server.messages.traffic import NetworkTraffic, PairView, PlayerTraffic, StallView, Traffic
from cairn.server.storage.players.rows import PublicPlayer
from cairn.server.storage.rankings import Encounters, RankingRepository
from cairn.server.traces.loop_delays import LoopDelays
from cairn.server.traces.recent import MINUTES, RecentTraffic
from cairn.server.traces.tracer import Tracer

MOST_LISTED: Final = 10
MOST_COMPARED: Final = 2_000
"""How many accounts in shared networks to compare."""
FEWEST_GAMES: Final = 3
"""The minimum number of rated games against each other for a pair to be suspicious."""
ONE_SIDED: Final = 0.8
"""Results count as one-sided if one player has at least this share of the points."""


class TrafficReport:
    """Builds the report for this process."""

    def __init__(self, tracer: Tracer | None, delays: LoopDelays, rankings: RankingRepository, process: str) -> None:
        self._tracer: Final = tracer
        self._delays: Final = delays
        self._rankings: Final = rankings
        self._process: Final = process

    async def read(self, by: str) -> Traffic:
        """The traffic in the last few minutes. ``by`` is the administrator's id, for the log."""
        audit("traffic-read", by=by)
        recent = self._tracer.recent if self._tracer else RecentTraffic()
        busy = recent.players(MOST_LISTED)
        shared = recent.players_by_network()
        known = await self._rankings.players_by_id({player for player, _ in busy})
        accounts: list[str] = []
        # Guests do not count, or a flood of guests could push accounts out of the report.
        for some in _batches(sorted({player for players in shared.values() for player in players}), MOST_COMPARED):
            found = await self._rankings.players_by_id(some)
            known |= found
            accounts += [player for player in some if player in found and found[player].kind == "account"]
        accounts = accounts[:MOST_COMPARED]
        encounters = await self._rankings.encounters(accounts, FEWEST_GAMES) if len(accounts) > 1 else []
        return Traffic(
            traced=self._tracer is not None,
            process=self._process,
            minutes=MINUTES,
            networks=[
                NetworkTraffic(
                    network=network,
                    requests=used.requests,
                    refused=used.refused,
                    milliseconds=round(used.milliseconds),
                )
                for network, used in recent.networks(MOST_LISTED)
            ],
            players=[
                PlayerTraffic(
                    player=player_view(known[player]),
                    requests=used.requests,
                    refused=used.refused,
                    milliseconds=round(used.milliseconds),
                )
                for player, used in busy
                if player in known  # an idle guest may have been deleted
            ],
            stalls=[
                StallView(ended=stall.ended, milliseconds=round(1_000 * stall.seconds))
                for stall in self._delays.longest(MOST_LISTED)
            ],
            pairs=suspicious(encounters, shared, known)[:MOST_LISTED],
        )


def _batches(ids: Sequence[str], size: int) -> Iterator[Sequence[str]]:
    """The ids, in parts that fit into one query."""
    return (ids[start : start + size] for start in range(0, len(ids), size))


def suspicious(
    encounters: Collection[Encounters], shared: Mapping[str, set[str]], known: Mapping[str, PublicPlayer]
) -> list[PairView]:
    """The pairs in the same network with one-sided results, most games first."""
    found = []
    for each in encounters:
        both = {each.one, each.other}
        network = min((name for name, players in shared.items() if both <= players), default=None)
        best = max(each.score, each.games - each.score)
        if network is None or best < ONE_SIDED * each.games:
            continue
        winner, loser = (each.one, each.other) if best == each.score else (each.other, each.one)
        found.append(
            PairView(
                winner=player_view(known[winner]),
                loser=player_view(known[loser]),
                games=each.games,
                score=best,
                network=network,
            )
        )
    return sorted(found, key=lambda pair: pair.games, reverse=True)
