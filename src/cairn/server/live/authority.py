"""The authority over games. Every change to a game goes through it, no matter where the change comes from.

Every command takes the same path: the caller parses it; the authority authorises and executes it, appends its events to
the log and broadcasts the change. One command per game is executed at a time, and no change is broadcast before it is
stored.
"""

from __future__ import annotations

import asyncio
import contextlib
import datetime
import functools
from collections.abc import AsyncIterator, Sequence
from typing import Final, NamedTuple

from cairn.server.errors import Refusal, RevisionTakenError
from cairn.server.game import access, decide
from cairn.server.game.access import Actor
from cairn.server.game.chance import Chance
from cairn.server.game.clocks import LAG_CAP, Flag, milliseconds
from cairn.server.game.commands import Claim, Command
from cairn.server.game.creation import Creation, NewGame, created_from_request
from cairn.server.game.header import GameHeader
from cairn.server.game.state import GameState
from cairn.server.live.attendance import Attendance
from cairn.server.live.clock_watch import ClockWatch
from cairn.server.live.computer_turns import ComputerTurns
from cairn.server.live.downtimes import Downtimes
from cairn.server.live.engine_pool import Computer
from cairn.server.live.game_cache import GameCache
from cairn.server.live.game_loader import GameLoader, unknown_game
from cairn.server.live.game_writer import GameWriter
from cairn.server.live.server_time import ServerTime
from cairn.server.logs import log_and_continue
from cairn.server.messages import views
from cairn.server.messages.base import Message
from cairn.server.messages.games import GameList, GameView, Update
from cairn.server.messages.records import RecordSource
from cairn.server.meter import in_thread
from cairn.server.secret_tokens import new_game_id
from cairn.server.storage.games.listing import GameQuery
from cairn.server.storage.games.repository import GameRepository
from cairn.server.storage.presence import Downtime, PresenceRepository
from cairn.server.transport.hub import Hub, Reply, Subscription

TAKEOVER: Final = datetime.timedelta(seconds=8)
"""How long another process's computer player may think before this process takes over the game."""
ATTEMPTS: Final = 20
"""How many times to try a command when another process stores an event under the same revision first.

If that event comes from the same command or has changed the board, the next attempt is the last one: the command has
already been executed, or it is stale. Any other event is an offer or an answer. A turn allows fewer of these than
``ATTEMPTS``, so they cannot keep a player from deciding.
"""
MOST_PAUSES: Final = 64
"""How many clocks to correct at the same time after a downtime."""


class Performed(NamedTuple):
    """The result of a command."""

    update: Update
    revision: int
    """The revision that the command led to."""
    answered: bool
    """Whether the broadcast update also answers the command."""


class Authority:
    """Executes commands and shows games. A method that changes a game returns only once the change is stored safely.

    Methods may raise :class:`Refusal`, or :class:`StorageError` if nothing could be stored.
    """

    def __init__(
        self,
        games: GameRepository,
        presence: PresenceRepository,
        hub: Hub,
        computer: Computer,
        chance: Chance,
        *,
        most_games_in_memory: int = 2_000,
        time: ServerTime,
    ) -> None:
        self._games: Final = games
        self._hub: Final = hub
        self._chance: Final = chance
        self._computer: Final = computer
        self._time: Final = time
        self._downtimes: Final = Downtimes()
        self.attendance: Final = Attendance(presence, hub, time)
        self.clock_watch: Final = ClockWatch(self.check_clock, self.clock_time)
        self.computer_turns: Final = ComputerTurns(self._play_computer)
        self._cache: Final = GameCache(most_games_in_memory, hub.is_watched, keep_watched=games.multi_process)
        self._writer: Final = GameWriter(
            games, self._cache, hub, self.attendance, self.clock_watch, self.computer_turns, self._downtimes
        )
        self._loader: Final = GameLoader(games, self._cache, hub, self.attendance, self._writer, self._downtimes, time)

    # --- Life cycle

    async def start(self, downtimes: Sequence[Downtime] = ()) -> None:
        """Resume clocks and the computer's games after the server has been down."""
        self.know_downtimes(downtimes)
        await self.take_over()
        for game, deadline in await self._games.deadlines():
            self.clock_watch.set(game, deadline + LAG_CAP)
        self.clock_watch.start()

    async def close(self) -> None:
        """Stop watching clocks, and stop the computer. The next authority resumes the computer's games."""
        await self.clock_watch.close()
        await self.computer_turns.close()
        await self._computer.close()
        await self.attendance.close()

    def know_downtimes(self, downtimes: Sequence[Downtime]) -> None:
        """Record when the server was down. Each game corrects its clock before anything else happens in it."""
        self._downtimes.know(downtimes)

    async def correct_clocks(self) -> None:
        """Correct the clocks of all games in memory for the last downtime.

        Many games are corrected at the same time, so that they share commits.
        """
        limit = asyncio.Semaphore(MOST_PAUSES)

        async def correct(game: str) -> None:
            async with limit:
                with log_and_continue(f"could not correct the clock of game {game}"):
                    await self.check_clock(game)

        await asyncio.gather(*map(correct, self._cache.games()))

    async def take_over(self) -> None:
        """Let the computer continue the games in which it has to decide.

        If several processes share the games, only overdue games are continued.
        """
        before = self._time() - TAKEOVER if self._games.multi_process else None
        for game in await self._games.waiting_for_computer(before):
            self.computer_turns.begin(game)

    @property
    def games_in_memory(self) -> int:
        """How many games are in memory."""
        return len(self._cache)

    def clock_time(self) -> int:
        """The time used by the clocks, in milliseconds."""
        return milliseconds(self._time())

    # --- Showing games

    async def view(self, game: str, actor: Actor) -> GameView:
        """The whole game. If it is waiting for the computer, the computer continues."""
        async with self._loader.open(game, fresh=True) as state:
            self._wake_computer(state)
            return await self._view(state, actor)

    @contextlib.asynccontextmanager
    async def watch(self, game: str, actor: Actor) -> AsyncIterator[tuple[GameView, Subscription]]:
        """Yield the whole game, and a subscription to everything that happens from then on."""
        async with self._loader.open(game, fresh=True) as state:
            self._wake_computer(state)
            view, subscription = await self._view(state, actor), self._hub.subscribe(game)
        try:
            yield view, subscription
        finally:
            subscription.close()
            self._cache.forget_if_unused(game)

    @contextlib.asynccontextmanager
    async def at_table(self, game: str, actor: Actor) -> AsyncIterator[None]:
        """Count the actor as present at the table, as a player or as a watcher, during the block."""
        header, _ = await self.header(game)
        tribes = access.tribes_of(header, actor)
        async with self.attendance.present_at(game, tribes, announced=header.online is not None):
            yield

    async def list_games(self, query: GameQuery) -> GameList:
        """The matching games, most recently changed first."""
        games, total = await self._games.find(query)
        return GameList(games=[views.summary(each) for each in games], total=total)

    async def record_source(self, game: str) -> RecordSource:
        """The data for the record of a game."""
        async with self._loader.open(game) as state:
            return RecordSource.of(state)

    async def header(self, game: str) -> tuple[GameHeader, bool]:
        """The header of a game, and whether the game is over."""
        async with self._loader.open(game) as state:
            return state.header, state.game.is_over

    # --- Beginning games

    async def create(self, request: NewGame, owner: str | None, actor: Actor) -> GameView:
        """Begin a game."""
        return await self.begin(await in_thread(created_from_request, request, self._chance), owner, actor)

    async def begin(self, creation: Creation, owner: str | None, actor: Actor) -> GameView:
        """Store a new game and start it."""
        await self._time.ensure_running()
        begin = functools.partial(creation.begin, new_game_id(), owner, self._time.running, self._chance)
        if creation.tokens:  # there may be thousands
            begun = await in_thread(begin)
            await self._games.create(*begun.stored)
        else:  # the first clock starts in the transaction, which may have to wait
            begun = await self._games.create_now(begin)
        state, game = begun.state, begun.state.header.id
        seconds = (self._time.running() - state.header.created).total_seconds()
        state.advance(begun.events, state.header.created)
        state.players = creation.players
        if state.players is None:
            await self.attendance.load_players(state)
        async with self._cache.lock(game) as slot:
            slot.state = state
            self._writer.schedule(state)
            self._writer.give_back(state, seconds)
            return await self._view(state, actor)

    # --- Changing games

    async def perform(
        self, game: str, command: Command, actor: Actor, subscription: Subscription | None = None
    ) -> Performed:
        """Execute a command, unless its id shows that it was executed before.

        If the sender's ``subscription`` to the game is given, the update sent through it also answers the command.
        """
        for _ in range(ATTEMPTS):
            if self._time.is_frozen:
                await self._time.ensure_running()
            with contextlib.suppress(RevisionTakenError):
                async with self._loader.open(game, seen=command.revision) as state:
                    tribe = access.acting_tribe(state.header, actor, command.tribe)
                    at, kept = max(self._time(), state.changed), len(state.steps)
                    sender = tribe.value if tribe and state.header.online else "all"
                    if subscription is None and tribe and state.header.online:
                        self.attendance.presence.seen(game, tribe)
                    key = f"{sender} {command.id}" if command.id else None
                    if key in state.commands:
                        return await self._performed_before(state, state.commands[key], at)
                    if flag := decide.fallen_flag(state, at, command, tribe):
                        await self._end_by_time(state, flag, at)
                        raise Refusal(409, "game-over", "Time has run out.")
                    context = decide.Context(at, self._chance)
                    if tribe and isinstance(command, Claim):
                        away = await self.attendance.away_since(game, tribe.enemy)
                        context = decide.Context(at, self._chance, away, self._downtimes.since(state.board_changed))
                    events = decide.decide(state, command, tribe, context)
                    reply = Reply(subscription, command.id) if subscription and command.id else None
                    update = await self._writer.commit(state, events, min(kept, len(state.steps)), at, key, reply)
                    if update.kept < kept:  # the computer must not answer the old position
                        self.computer_turns.stop(game)
                        self._writer.schedule(state)
                    return Performed(update, update.revision, answered=reply is not None)
        raise decide.stale()

    async def check_clock(self, game: str) -> None:
        """End a game whose time is up; otherwise check again at its next deadline."""
        with contextlib.suppress(Refusal, RevisionTakenError):
            async with self._loader.open(game) as state:
                at = self._time()
                if flag := decide.fallen_flag(state, at):
                    await self._end_by_time(state, flag, at)
                else:
                    self._writer.watch_clock(state)

    async def end_abandoned(self) -> None:
        """End rated games without a clock in which the decider is long overdue."""
        await self._time.ensure_running()
        for game in await self._games.rated_without_decision(self._time() - decide.RATED_GRACE):
            with log_and_continue(f"could not end game {game}"), contextlib.suppress(Refusal, RevisionTakenError):
                async with self._loader.open(game) as state:
                    at, down = max(self._time(), state.changed), self._downtimes.since(state.board_changed)
                    if events := decide.end_if_abandoned(state, at, down):
                        await self._writer.commit(state, events, len(state.steps), at)

    async def delete(self, game: str, actor: Actor) -> None:
        """Delete a game; it can be restored."""
        await self._set_deleted(game, actor, deleted=True)

    async def restore(self, game: str, actor: Actor) -> None:
        """Restore a deleted game."""
        await self._set_deleted(game, actor, deleted=False)
        async with self._loader.open(game) as state:
            self._writer.schedule(state)

    async def broadcast(self, game: str, message: Message) -> None:
        """Send the watchers of a game a message that is not part of its log."""
        await self._hub.broadcast(game, message)

    # --- Changes by other processes

    async def catch_up(self, game: str, revision: int) -> None:
        """Apply the events that another process has stored, up to ``revision``, and update the watchers here."""
        await self._loader.catch_up(game, revision)

    async def catch_up_all(self) -> None:
        """Bring all games in memory up to date with the database."""
        for game, revision in (await self._loader.outdated()).items():
            if revision is None:
                await self.forget(game)
            else:
                await self.catch_up(game, revision)

    async def forget(self, game: str) -> None:
        """Drop a game from memory, because another process has deleted or restored it."""
        async with self._cache.lock(game) as slot:
            slot.state = None
            self.computer_turns.stop(game)
            self._hub.disconnect(game)

    # --- Internals

    async def _play_computer(self, game: str) -> bool:
        """Play one token for the computer. Returns false if the computer does not have to decide."""
        async with self._loader.open(game) as state:
            level = state.computer_level
            if level is None:
                self.computer_turns.finished(game)
                return False
            position, revision = state.game.copy(), state.revision
        token = await self._computer.choose(position, level)
        await self._time.ensure_running()
        async with self._loader.open(game) as state:
            at = max(self._time(), state.changed)
            if state.game.refuse_computer(revision):
                return True
            if flag := decide.fallen_flag(state, at):
                await self._end_by_time(state, flag, at)
            else:
                kept, lag = len(state.steps), LAG_CAP if state.clock else 0
                events = state.play(token, hold=False, chance=self._chance, at=at, lag=lag)
                await self._writer.commit(state, events, kept, at)
        return True

    async def _performed_before(self, state: GameState, revision: int, at: datetime.datetime) -> Performed:
        """The result of a command that was executed before and led to ``revision``."""
        present = await self.attendance.present(state)
        update = views.update_view(state, state.revision, len(state.steps), at, present)
        return Performed(update, revision, answered=False)

    async def _end_by_time(self, state: GameState, flag: Flag, at: datetime.datetime) -> None:
        """End the game, because a flag has fallen."""
        await self._writer.commit(state, decide.end_by_time(state, flag, at), len(state.steps), at)

    async def _set_deleted(self, game: str, actor: Actor, *, deleted: bool) -> None:
        async with self._cache.lock(game) as slot:
            stored = await self._games.load(game)
            if stored is None:
                raise unknown_game()
            access.require_owner(stored.header, actor)
            if not await self._games.set_deleted(game, deleted=deleted):
                raise unknown_game()
            slot.state = None
            if deleted:
                self.computer_turns.stop(game)
                self._hub.disconnect(game)

    async def _view(self, state: GameState, actor: Actor) -> GameView:
        own = access.tribes_of(state.header, actor)
        if state.header.online:
            for tribe in own:
                self.attendance.presence.seen(state.header.id, tribe)
        return views.game_view(state, self._time(), own, await self.attendance.present(state))

    def _wake_computer(self, state: GameState) -> None:
        """Let the computer think, unless another process's computer player may still be thinking."""
        overdue = self._time() - state.changed > TAKEOVER
        if state.computer_level is not None and (overdue or not self._games.multi_process):
            self.computer_turns.begin(state.header.id)
