"""The referee sees every commit and every message, and checks the invariants."""

from __future__ import annotations

import asyncio
import collections
import dataclasses
import hashlib
from collections.abc import Mapping
from typing import Any, Final

from cairn.server.game.clocks import LAG_CAP
from cairn.server.game.decide import GRACE
from cairn.server.game.events import (
    ClockPaused,
    Event,
    GameEnded,
    LinkRevealed,
    OfferGone,
    OfferMade,
    StartDealt,
    TokenPlayed,
    TokensUndone,
    TurnConfirmed,
)
from cairn.server.storage.engines.append import SLOW_COMMIT, Append

BOARD_EVENTS: Final = (TokenPlayed, TokensUndone, TurnConfirmed, GameEnded, StartDealt)
"""The only events that may make an earlier decision stale."""
LIMITED_EVENTS: Final = (OfferMade, OfferGone, TokensUndone)
"""Events that do not advance the game, so their number per turn is limited."""
MOST_LIMITED_EVENTS: Final = 100
"""The maximum number of :data:`LIMITED_EVENTS` in a turn, so that a log cannot grow without limit during one turn. The
server allows the two players a total of 56 per turn; after a takeback, they may also use what is left over from an
earlier turn."""
CLOCK_SLACK: Final = 1.5
"""Seconds by which game clocks may differ from the referee's, since the server needs time to notice an outage."""
PAUSE_SECONDS: Final = 2.0
"""Seconds for which a tribe may seem to have gained time. After an outage, a token may be stored before the pause."""


@dataclasses.dataclass
class GameFile:
    """What the referee knows about one game."""

    initial: float
    """The initial time on each clock, in seconds."""
    increment: float
    revision: int = 0
    board_revision: int = 0
    keys: dict[str, int] = dataclasses.field(default_factory=dict)
    """The revision of every stored command, by its idempotency key."""
    decider: str | None = None
    since: float = 0.0
    used: dict[str, float] = dataclasses.field(default_factory=lambda: {"forest": 0.0, "sea": 0.0})
    """How long each tribe has thought, in virtual seconds, counted from the other tribe's decision."""
    seen: float = 0.0
    """When players could first see the last decision. Commits faster than ``SLOW_COMMIT`` count as instantaneous."""
    had: dict[str, float] = dataclasses.field(default_factory=lambda: {"forest": 0.0, "sea": 0.0})
    """How long each tribe has thought, in virtual seconds, counted from when it could see the other's decision."""
    won_time_since: dict[str, float] = dataclasses.field(default_factory=dict)
    """When a tribe first seemed to have more time than it has earned, by tribe and check."""
    decisions: dict[str, int] = dataclasses.field(default_factory=lambda: {"forest": 0, "sea": 0})
    """How often each tribe has made a decision that may earn lag compensation: not after an undo in the same turn."""
    undone: set[tuple[str, int]] = dataclasses.field(default_factory=set)
    """The turns in which a tribe has undone a token, as tribe and turn."""
    paused: float = 0.0
    turns: int = 0
    own_turns: dict[str, set[int]] = dataclasses.field(default_factory=lambda: {"forest": set(), "sea": set()})
    """The numbers of the turns that each tribe has had. A replayed turn keeps its number."""
    events_in_turn: int = 0
    most_events: int = 0
    """The highest number of offers and undos in a single turn."""
    reason: str | None = None
    winner: str | None = None
    left: dict[str, float] = dataclasses.field(default_factory=dict)
    """When a tribe's player left the table for good."""
    views: dict[int, tuple[object, ...]] = dataclasses.field(default_factory=dict)
    """What players and watchers were shown of the game, by revision."""
    secrets: tuple[str, ...] = ()
    """Strings that must not be sent before the game ends."""
    sealed: bool = False
    links: dict[str, int] = dataclasses.field(default_factory=lambda: {"forest": 0, "sea": 0})
    """With sealed draws: how many links each tribe has revealed."""
    rounds: int = 0
    """With sealed draws: how many links each tribe has had to reveal so far, for the start and for draws."""
    random_draw: bool = False
    """Whether a draw in the last stored position would involve chance."""


class Referee:
    """Checks the invariants and records every violation."""

    def __init__(self) -> None:
        self.games: Final[dict[str, GameFile]] = {}
        self.broken: Final[list[str]] = []
        self.trace: Final = hashlib.sha256()
        """A hash of all events in order. Two runs of the same seed have the same hash."""
        self.counts: Final[collections.Counter[str]] = collections.Counter()
        self._early: Final[dict[str, list[tuple[Append, float, float]]]] = collections.defaultdict(list)
        """Commits in games whose players have not been told yet that the game has started."""

    def violate(self, invariant: str, game: str, detail: str) -> None:
        """Record a violation."""
        self.broken.append(f"{invariant}: game {game}: {detail}")

    # --- Commits

    def begun(self, game: str, file: GameFile) -> None:
        """The players have been told that a game has started."""
        self.games[game] = file
        for early in self._early.pop(game, ()):
            self.committed(*early)

    def committed(self, append: Append, decided: float, stored: float) -> None:
        """An append was committed. ``decided`` and ``stored`` are the times of the decision and of the commit."""
        file = self.games.get(append.game)
        if file is None:
            self._early[append.game].append((append, decided, stored))
            return
        log = [*append.log, append.late.event] if append.late else append.log
        kinds = [event.kind for event in log]
        self._note(stored, "commit", append.game, append.revision, kinds)
        if append.revision != file.revision + 1:
            self.violate(
                "one winner per revision", append.game, f"revision {append.revision} follows revision {file.revision}"
            )
        if file.decider is not None:
            file.used[file.decider] += decided - file.since
            file.had[file.decider] += max(0.0, decided - file.seen)
        file.seen = stored if stored - decided >= SLOW_COMMIT else decided
        for revision, event in enumerate(log, start=append.revision):
            file.revision = revision
            if isinstance(event, BOARD_EVENTS):
                file.board_revision = revision
            self._count_decision(file, event, append.stored_projection.turns)
            self._check_links(append.game, file, event)
            if isinstance(event, ClockPaused):
                file.paused += event.milliseconds / 1000
            if event.command is not None:
                if event.command in file.keys:
                    self.violate("a command is executed once", append.game, event.command)
                file.keys[event.command] = revision
            file.events_in_turn += isinstance(event, LIMITED_EVENTS)
        self._check_projection(append, file, decided)

    def _count_decision(self, file: GameFile, event: Event, turn: int) -> None:
        """Count the decisions for which lag may be compensated. ``turn`` is the turn of the last token."""
        match event:
            case TokenPlayed() if file.decider is not None:
                file.decisions[file.decider] += (file.decider, turn) not in file.undone
            case TurnConfirmed() | LinkRevealed() if file.decider is not None:
                file.decisions[file.decider] += 1
            case TokensUndone(by=str(tribe), turn=int(undone)):
                file.undone.add((tribe, undone))

    def _check_links(self, game: str, file: GameFile, event: Event) -> None:
        """Check that sealed draws wait until both tribes have revealed the same number of links."""
        match event:
            case LinkRevealed(tribe, link):
                self.counts["sealed: link"] += 1
                file.links[tribe] += 1
                file.secrets = (*file.secrets, link)  # must not be sent to anybody before the end
            case StartDealt():
                file.rounds += 1
            case TokenPlayed(token) if file.sealed and file.random_draw and token.startswith("?"):
                file.rounds += 1
        decides = isinstance(event, BOARD_EVENTS) and not isinstance(event, GameEnded)
        if file.sealed and decides and set(file.links.values()) != {file.rounds}:
            self.violate("a draw waits for both links", game, f"{event} after {file.links}, round {file.rounds}")

    def _check_projection(self, append: Append, file: GameFile, decided: float) -> None:
        projection = append.stored_projection
        if projection.turns > file.turns:
            file.turns, file.events_in_turn = projection.turns, 0
        file.most_events = max(file.most_events, file.events_in_turn)
        if file.events_in_turn > MOST_LIMITED_EVENTS:
            self.violate("logs are bounded", append.game, f"{file.events_in_turn} offers and undos in a turn")
            file.events_in_turn = 0
        file.random_draw = "(" in projection.position
        file.decider = projection.decider if projection.decider in file.used else None
        file.since = decided
        if projection.reason is not None and file.reason is None:
            file.reason, file.winner = projection.reason, projection.winner
            if projection.reason == "time":
                self._check_loss_on_time(append.game, file)
            if projection.reason == "abandoned":
                self._check_abandoned(append.game, file, decided)
        self._check_standing_clock(append.game, file)

    def _check_loss_on_time(self, game: str, file: GameFile) -> None:
        """Check that nobody loses on time before using up their initial time."""
        loser = _enemy(file.winner)
        if file.had[loser] < file.initial - CLOCK_SLACK:
            had = file.had[loser]
            self.violate("clocks follow real time", game, f"{loser} lost after {had:.1f} of {file.initial:.1f} s")

    def _check_abandoned(self, game: str, file: GameFile, decided: float) -> None:
        """Check that a player who leaves loses only after the grace period, in which the player can return."""
        loser = _enemy(file.winner)
        away = decided - file.left.get(loser, decided)
        if away < GRACE.total_seconds() - CLOCK_SLACK:
            self.violate("only absent players lose by absence", game, f"{loser} was away for {away:.1f} s")

    def _check_standing_clock(self, game: str, file: GameFile) -> None:
        """Check that nobody thinks longer than their initial time plus increments, lag compensation and pauses."""
        if file.reason is not None:
            return
        for tribe, used in file.used.items():
            lag = file.decisions[tribe] * LAG_CAP / 1000
            most = file.initial + file.increment * (file.turns + 1) + lag + file.paused
            self._check_won_time(game, file, f"{tribe} thought", used, most)

    # --- Messages to players

    def acknowledged(self, game: str, key: str) -> None:
        """A player was told that a command was executed."""
        file = self.games[game]
        self.counts["acknowledged"] += 1
        if key not in file.keys:
            self.violate("acknowledged commands are stored", game, key)

    def refused(self, game: str, kind: str, seen: int, *, honest: bool) -> None:
        """A decision was refused. ``seen`` is the last revision that the player had seen."""
        file = self.games[game]
        self.counts[f"refused decision: {kind}"] += 1
        if honest and file.reason is None and file.board_revision <= seen:
            self.violate("an honest player can move", game, f"{kind} at revision {seen} of {file.revision}")

    def late(self, game: str, seconds: float) -> None:
        """An honest player waited too long for an answer, although there was no fault."""
        self.violate("an honest player can move", game, f"no answer within {seconds:.1f} s")

    def shown(self, game: str, view: Mapping[str, Any]) -> None:
        """A player or watcher was shown the game at a revision. Everyone must be shown the same game."""
        file = self.games.get(game)
        if file is None:
            return
        now = view["now"]
        tokens = tuple(step["token"] for step in view["steps"])
        shown = (tokens, view["start"], now["owed"], now["position"], now["decider"], now["held"], now["outcome"])
        if file.views.setdefault(view["revision"], shown) != shown:
            self.violate("all watchers see the same game", game, f"revision {view['revision']} was shown differently")
        if view["revision"] > file.revision:
            revisions = f"revision {view['revision']} was shown, but only {file.revision} is stored"
            self.violate("acknowledged commands are stored", game, revisions)
        for step in view["steps"][-4:]:
            file.own_turns[step["active"]].add(step["turn"])
        if view["revision"] == file.revision:
            self._check_shown_clock(game, file, now)

    def _check_shown_clock(self, game: str, file: GameFile, now: Mapping[str, Any]) -> None:
        """Check that used and remaining time do not exceed the initial time plus increments, lag and pauses."""
        clock = now.get("clock")
        if not clock or file.reason is not None:  # a loss on time may be noticed late, but nobody gains by that
            return
        for tribe, turns in file.own_turns.items():
            lag = file.decisions[tribe] * LAG_CAP / 1000
            earned = file.initial + file.increment * len(turns) + lag + file.paused
            held = clock[tribe] / 1000 + file.used[tribe]
            self._check_won_time(game, file, f"{tribe} had", held, earned)

    def _check_won_time(self, game: str, file: GameFile, what: str, held: float, earned: float) -> None:
        """Check that a tribe has not had more time than it has earned, except briefly (``PAUSE_SECONDS``)."""
        now = asyncio.get_running_loop().time()
        if held <= earned + CLOCK_SLACK:
            file.won_time_since.pop(what, None)
        elif now - file.won_time_since.setdefault(what, now) > PAUSE_SECONDS:
            self.violate("one increment per turn", game, f"{what} {held:.1f} s, but earned {earned:.1f} s")
            file.won_time_since[what] = float("inf")

    def heard(self, name: str, text: str) -> None:
        """A player or watcher received a message."""
        self.trace.update(f"{asyncio.get_running_loop().time():.6f} {name} {text}\n".encode())
        for other, file in self.games.items():
            if file.reason is None:
                for secret in file.secrets:
                    if secret in text:
                        self.violate("hidden tiles stay hidden", other, f"{name} was sent a secret")

    def walked_away(self, game: str, tribe: str) -> None:
        """A player has left the table for good."""
        self.games[game].left[tribe] = asyncio.get_running_loop().time()

    # --- The end

    def ended(self, games: int) -> None:
        """The run is over. ``games`` games must have started, and all must have ended."""
        if len(self.games) != games:
            self.broken.append(f"every game starts: {len(self.games)} of {games} have started")
        for game, file in self.games.items():
            self.counts[f"end: {file.reason}"] += 1
            if file.reason is None:
                self.violate("every game with a clock ends", game, f"still running after {file.turns} turns")

    def _note(self, now: float, *parts: object) -> None:
        self.trace.update(f"{now:.6f} {parts}\n".encode())


def _enemy(tribe: str | None) -> str:
    return "sea" if tribe == "forest" else "forest"
