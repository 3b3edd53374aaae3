"""The authority: it decides everything about games, for the browser, for tests and for bots alike.

It takes storage, transport, computer and chance as interfaces. One decision about a game is made at a time; it is
committed before anybody is told.
"""

from __future__ import annotations

import asyncio
import contextlib
import datetime
import secrets
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Final, NamedTuple

from cairn.record import Record, write_record
from cairn.server import decisions, online_access, views
from cairn.server.attendance import Attendance
from cairn.server.chance import Chance
from cairn.server.clocks import LAG_CAP
from cairn.server.computer import Computer
from cairn.server.creation import Creation, created_from_record, created_from_wish
from cairn.server.errors import Refusal
from cairn.server.events import ClockPaused, Event, keyed
from cairn.server.live import LiveGame, milliseconds
from cairn.server.live_games import LiveGames, unknown_game
from cairn.server.models import GameList, GameView, Message, NewGame, Update, UpdateMessage
from cairn.server.online_access import ANYBODY, Actor
from cairn.server.online_models import Claim, Command
from cairn.server.online_presence import Presence
from cairn.server.online_storage import OnlineStorage
from cairn.server.storage import GameQuery, Head, RevisionTakenError, Storage, StorageError
from cairn.server.thinking import Question, Thinking
from cairn.server.timers import Timers
from cairn.server.transport import Answer, Subscription, Transport

ID_LETTERS: Final = "23456789abcdefghjkmnpqrstuvwxyz"
"""None that is easily taken for another."""
ID_LENGTH: Final = 12
TAKEOVER: Final = datetime.timedelta(seconds=8)
"""So long the computer of another process may think about a token before this one does, too."""
SHORTEST_PAUSE: Final = 500
"""Milliseconds of downtime that are worth a word."""


def _utc_now() -> datetime.datetime:
    return datetime.datetime.now(datetime.UTC)


class Performed(NamedTuple):
    """A command was done."""

    update: Update
    revision: int
    """The game has it from this revision on."""
    answered: bool
    """Whether the one who commanded it hears so with the update, unless they are cut off; then they send it again."""


class Authority:
    """Decides. Every method that changes a game returns after the change is safe from a crash.

    Methods raise :class:`Refusal` for what may not be done, and :class:`StorageError` for what could not be stored.
    """

    def __init__(
        self,
        storage: Storage,
        transport: Transport,
        computer: Computer,
        chance: Chance,
        *,
        online: OnlineStorage | None = None,
        most_live_games: int = 2_000,
        now: Callable[[], datetime.datetime] = _utc_now,
    ) -> None:
        self._storage: Final = storage
        self._transport: Final = transport
        self._chance: Final = chance
        self._online: Final = online
        self._now: Final = now
        self._attendance: Final = Attendance(online, transport, now)
        self._games: Final = LiveGames(storage, transport, self._attendance, self, most=most_live_games, now=now)
        self._thinking: Final = Thinking(computer, self)
        self._downtimes: list[tuple[datetime.datetime, datetime.datetime]] = []
        self.timers: Final = Timers(self.look_at_time, lambda: milliseconds(now()))

    # --- The life of the authority

    async def resume(self, downtimes: Sequence[tuple[datetime.datetime, datetime.datetime]] = ()) -> None:
        """Let the computer go on wherever it is to decide, and clocks run; for the start of a server.

        ``downtimes`` are times in which no server was alive, so that no clock ran.
        """
        self._know_downtimes(downtimes)
        await self.take_over()
        if self._online:
            for game, deadline in await self._online.deadlines():
                self.timers.set(game, deadline + LAG_CAP)
        self.timers.start()

    async def pause(self, downtimes: Sequence[tuple[datetime.datetime, datetime.datetime]]) -> None:
        """The database was away for a while, and nobody could decide anything: so no clock ran."""
        self._know_downtimes(downtimes)
        for game in self._games.in_memory():
            await self.look_at_time(game)

    async def take_over(self) -> None:
        """Let the computer go on where it is to decide; beside other processes only where it has waited too long."""
        before = self._now() - TAKEOVER if self._storage.shared else None
        for game in await self._storage.waiting_for_computer(before):
            self._thinking.begin(game)

    @property
    def live_games(self) -> int:
        """How many games are in memory."""
        return len(self._games)

    @property
    def presence(self) -> Presence:
        """Who has a socket in this process."""
        return self._attendance.presence

    @property
    def thinking(self) -> int:
        """In how many games the computer is to decide."""
        return len(self._thinking)

    async def close(self) -> None:
        """Stop thinking. Games that wait for the computer are resumed by the next authority."""
        await self.timers.close()
        await self._thinking.close()

    # --- Beginning and looking

    async def create(self, wish: NewGame, owner: str | None = None, actor: Actor = ANYBODY) -> GameView:
        """Begin a game."""
        return await self.begin(await asyncio.to_thread(created_from_wish, wish, self._chance), owner, actor)

    async def create_from_record(self, text: str, owner: str | None = None, actor: Actor = ANYBODY) -> GameView:
        """Take over a game from its record."""
        return await self.begin(await asyncio.to_thread(created_from_record, text), owner, actor)

    async def view(self, game: str, actor: Actor = ANYBODY) -> GameView:
        """The whole game. If it waits for the computer, the computer goes on."""
        async with self._games.open(game, fresh=True) as live:
            self._wake_late(live)
            return await self._view(live, actor)

    @contextlib.asynccontextmanager
    async def watch(self, game: str, actor: Actor = ANYBODY) -> AsyncIterator[tuple[GameView, Subscription]]:
        """The whole game, and everything that changes from then on."""
        async with self._games.open(game, fresh=True) as live:
            self._wake_late(live)
            view, subscription = await self._view(live, actor), self._transport.subscribe(game)
        try:
            yield view, subscription
        finally:
            subscription.close()
            self._games.let_go(game)

    @contextlib.asynccontextmanager
    async def at_table(self, game: str, actor: Actor) -> AsyncIterator[None]:
        """Somebody has a socket: they are there for the seats that they act for, or watch."""
        async with self._games.open(game) as live:
            tribes, online = online_access.tribes_of(live.head, actor), live.head.online is not None
        async with self._attendance.sitting(game, tribes, told=online):
            yield

    async def list_games(self, query: GameQuery) -> GameList:
        """The games that match, the last changed first."""
        games, total = await self._storage.list_games(query)
        return GameList(games=[views.summary(each) for each in games], total=total)

    async def record(self, game: str) -> tuple[str, str]:
        """The record of a game, and a name for its file. The proof in it has the seed if the game is over."""
        async with self._games.open(game) as live:
            head, copied, proof = live.head, live.game.copy(), live.proof
        headers = {"Variant": head.variant, "Forest": _player(head, "forest"), "Sea": _player(head, "sea")}
        headers["Date"] = f"{head.created:%Y.%m.%d}"
        kept = {name: value for name, value in headers.items() if value}
        record = Record(copied, kept | (proof.headers() if proof else {}))
        return write_record(record), f"cairn-{head.created:%Y-%m-%d}-{head.id}.cairn"

    async def head(self, game: str) -> tuple[Head, bool]:
        """What a game is from its creation on, and whether it is over."""
        async with self._games.open(game) as live:
            return live.head, live.game.outcome is not None

    # --- Changing

    async def perform(
        self, game: str, command: Command, actor: Actor = ANYBODY, hears: Subscription | None = None
    ) -> Performed:
        """Do what somebody commands, who ``hears`` of the game in that way.

        A command with an id that was done before is not done again. Somebody who decided first, elsewhere, may have
        done the same: after that, it is looked at once more.
        """
        try:
            return await self._perform(game, command, actor, hears)
        except RevisionTakenError:
            pass
        try:
            return await self._perform(game, command, actor, hears)
        except RevisionTakenError:
            raise decisions.stale() from None

    async def look_at_time(self, game: str) -> None:
        """End a game whose time is up; a timer asks for it."""
        with contextlib.suppress(Refusal, RevisionTakenError):
            async with self._games.open(game) as live:
                if not await self._end_by_time(live, self._now(), LAG_CAP):
                    self._set_timer(live)

    async def catch_up(self, game: str, revision: int) -> None:
        """Another process continued a game up to that revision: tell whoever watches it here."""
        await self._games.catch_up(game, revision)

    async def catch_up_all(self) -> None:
        """Other processes may have done anything: bring all games in memory up to date."""
        for game, revision in (await self._games.outdated()).items():
            if revision is None:
                await self.forget(game)
            else:
                await self.catch_up(game, revision)

    async def forget(self, game: str) -> None:
        """Another process deleted or restored a game."""
        async with self._games.place(game) as entry:
            entry.live = None
            self._thinking.stop(game)
            self._transport.end(game)

    async def delete(self, game: str, actor: Actor = ANYBODY) -> None:
        """Hide a game; it can be restored."""
        async with self._games.place(game) as entry:
            await self._require_owner(game, actor)
            if not await self._storage.set_deleted(game, deleted=True):
                raise unknown_game()
            entry.live = None
            self._thinking.stop(game)
            self._transport.end(game)

    async def restore(self, game: str, actor: Actor = ANYBODY) -> None:
        """Show a deleted game again."""
        async with self._games.place(game) as entry:
            await self._require_owner(game, actor)
            if not await self._storage.set_deleted(game, deleted=False):
                raise unknown_game()
            entry.live = None
        async with self._games.open(game) as live:
            self._wake(live)

    def clock_time(self) -> int:
        """What the clocks go by now, in milliseconds."""
        return milliseconds(self._now())

    async def tell(self, game: str, message: Message) -> None:
        """Tell everybody at a table something that is not in its log."""
        await self._transport.tell(game, message)

    async def begin(self, creation: Creation, owner: str | None = None, actor: Actor = ANYBODY) -> GameView:
        """Keep a new game, and let it begin."""
        head = Head(
            id=creation.id or new_game_id(),
            created=self._now(),
            variant=creation.variant,
            start=creation.start,
            seats=creation.seats,
            seed=creation.seed or self._chance.new_seed(),
            owner=owner,
            online=creation.online,
        )
        live = LiveGame(head)
        if creation.tokens:  # there may be thousands
            events = await asyncio.to_thread(creation.play_on, live, self._chance)
        else:
            events = creation.play_on(live, self._chance)
        await self._storage.create(head, events, live.standing(len(events), head.created))
        live.advance(events, head.created)
        live.people = creation.people
        if live.people is None:
            await self._attendance.look_up(live)
        async with self._games.place(head.id) as entry:
            entry.live = live
            self._set_timer(live)
            self._wake(live)
            return await self._view(live, actor)

    # --- What the games in memory and the computer need of the authority

    def game_loaded(self, live: LiveGame) -> None:
        """A game came into memory."""
        self._set_timer(live)

    async def game_stood(self, live: LiveGame) -> None:
        """Nobody's clock ran while no server was alive, or none could reach the database."""
        if live.deadline is None:
            return
        down = sum(
            milliseconds(ended) - milliseconds(max(began, live.changed))
            for began, ended in self._downtimes
            if ended > live.changed
        )
        if down >= SHORTEST_PAUSE:
            at = self._now()
            await self._commit(live, live.pause(ClockPaused(down), at), len(live.steps), at)

    def game_followed(self, live: LiveGame) -> None:
        """Another process continued a game, and lets the computer think itself."""
        self._thinking.stop(live.head.id)
        self._set_timer(live)

    async def ask_computer(self, game: str) -> Question | None:
        """What the computer has to decide now, if anything."""
        async with self._games.open(game) as live:
            level = live.computer_level
            if level is None:
                self._thinking.forget(game)
                return None
            return Question(live.game.copy(), level, live.revision)

    async def take_answer(self, game: str, question: Question, token: str) -> None:
        """Play what the computer decided, if the game still stands where it was asked."""
        async with self._games.open(game) as live:
            at = self._now()
            if live.revision == question.revision and not await self._end_by_time(live, at, LAG_CAP):
                kept, lag = len(live.steps), LAG_CAP if live.clock else 0
                events = live.play(token, hold=False, chance=self._chance, at=at, lag=lag)
                await self._commit(live, events, kept, at)

    # --- Inside

    async def _perform(self, game: str, command: Command, actor: Actor, hears: Subscription | None) -> Performed:
        async with self._games.open(game, retry=True) as live:
            tribe = online_access.acting_tribe(live.head, actor, command.tribe)
            if self._storage.shared and (command.revision or 0) > live.revision:
                raise RevisionTakenError  # the page has heard of what another process stored, and this one has not yet
            at, kept, base = self._now(), len(live.steps), live.revision
            key = f"{tribe.value if tribe and live.head.online else 'all'} {command.id}" if command.id else None
            if key in live.commands:
                update = views.update(live, base, kept, at, await self._attendance.present(live))
                return Performed(update, live.commands[key], answered=False)
            if await self._end_by_time(live, at, decisions.lag_of(command)):
                raise Refusal(409, "game-over", "The time was up.")
            claimed = tribe.enemy if tribe and isinstance(command, Claim) else None
            away = await self._attendance.away_since(game, claimed) if claimed else None
            events = decisions.decide(live, command, tribe, decisions.Moment(at, self._chance, away))
            undone = len(live.steps) < kept
            answer = Answer(hears, command.id) if hears and command.id else None
            update = await self._commit(live, events, min(kept, len(live.steps)), at, key, answer)
            if undone:  # not before it is stored: until then the computer still has to answer
                self._thinking.stop(game)
                self._wake(live)
            return Performed(update, update.revision, answered=answer is not None)

    async def _commit(
        self,
        live: LiveGame,
        events: Sequence[Event],
        kept: int,
        at: datetime.datetime,
        key: str | None = None,
        answer: Answer | None = None,
    ) -> Update:
        """Store the events that led to the state in memory, tell everybody, and let the computer go on."""
        base, game = live.revision, live.head.id
        await self._storage.append(game, base + 1, keyed(events, key), live.standing(len(events), at))
        live.advance(events, at, key)
        try:
            if live.game.outcome is not None and live.head.online:
                with contextlib.suppress(StorageError):  # the end is stored; the new ratings are seen later
                    await self._attendance.look_up(live)
            over = live.game.outcome is not None
            update = views.update(live, base, kept, at, await self._attendance.present(live) if over else ())
            self._transport.tell_update(game, UpdateMessage(update=update), answer)
        except BaseException:
            self._games.untold(game, base)
            raise
        self._set_timer(live)
        self._wake(live)
        return update

    async def _end_by_time(self, live: LiveGame, at: datetime.datetime, lag: int) -> bool:
        """End the game if somebody's time is up. Whether it was."""
        flag = decisions.fallen_flag(live, at, lag)
        if flag is None:
            return False
        await self._commit(live, decisions.end_by_time(live, flag, at), len(live.steps), at)
        return True

    def _know_downtimes(self, downtimes: Sequence[tuple[datetime.datetime, datetime.datetime]]) -> None:
        self._downtimes = list(downtimes)
        if downtimes:
            self._games.last_downtime = max(ended for _, ended in downtimes)

    async def _require_owner(self, game: str, actor: Actor) -> None:
        stored = await self._storage.load(game)
        if stored is None:
            raise unknown_game()
        online_access.require_owner(stored.head, actor)

    async def _view(self, live: LiveGame, actor: Actor) -> GameView:
        you = online_access.tribes_of(live.head, actor)
        return views.game_view(live, self._now(), you, await self._attendance.present(live))

    def _set_timer(self, live: LiveGame) -> None:
        """Look at the game when somebody's time is up, and the lag that may be forgiven has passed."""
        deadline = live.deadline
        self.timers.set(live.head.id, None if deadline is None else deadline + LAG_CAP)

    def _wake(self, live: LiveGame) -> None:
        """Let the computer think, if it is to decide and does not think yet."""
        if live.computer_level is not None:
            self._thinking.begin(live.head.id)

    def _wake_late(self, live: LiveGame) -> None:
        """The same, but not while the computer of another process may be thinking."""
        if not self._storage.shared or self._now() - live.changed > TAKEOVER:
            self._wake(live)


def new_game_id() -> str:
    """An id that nobody has."""
    return "".join(secrets.choice(ID_LETTERS) for _ in range(ID_LENGTH))


def _player(head: Head, tribe: str) -> str | None:
    """How a player is called in a record."""
    seat = head.seats.forest if tribe == "forest" else head.seats.sea
    return f"level {seat.level}" if seat.kind == "computer" else seat.name
