"""The authority: it decides everything about games, for the browser, for tests and for bots alike.

It takes storage, transport, computer and chance as interfaces. One decision about a game is made at a time; it is
committed before anybody is told.
"""

from __future__ import annotations

import asyncio
import collections
import contextlib
import dataclasses
import datetime
import logging
import secrets
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Final

from cairn.record import Record, write_record
from cairn.server import decisions, online_access, views
from cairn.server.chance import Chance
from cairn.server.clocks import LAG_CAP
from cairn.server.computer import Computer
from cairn.server.creation import Creation, created_from_record, created_from_wish
from cairn.server.errors import Refusal
from cairn.server.events import ClockPaused, Event, keyed
from cairn.server.live import LiveGame, milliseconds
from cairn.server.models import GameList, GameView, Message, NewGame, Update, UpdateMessage
from cairn.server.online_access import ANYBODY, Actor
from cairn.server.online_models import Claim, Command, PresenceMessage
from cairn.server.online_presence import Presence
from cairn.server.online_storage import OnlineStorage
from cairn.server.storage import GameQuery, Head, RevisionTakenError, Storage, StorageError
from cairn.server.timers import Timers
from cairn.server.transport import Subscription, Transport
from cairn.vocabulary import FOREST, SEA, Tribe

ID_LETTERS: Final = "23456789abcdefghjkmnpqrstuvwxyz"
"""None that is easily taken for another."""
ID_LENGTH: Final = 12
LONGEST_WAIT: Final = 5.0
"""Seconds between two attempts to store what the computer decided."""
TAKEOVER: Final = datetime.timedelta(seconds=8)
"""So long the computer of another process may think about a token before this one does, too."""
SHORTEST_PAUSE: Final = 500
"""Milliseconds of downtime that are worth a word."""

_log: Final = logging.getLogger("cairn.server")


@dataclasses.dataclass(eq=False)
class _Entry:
    """A game that somebody uses, or used not long ago."""

    lock: asyncio.Lock = dataclasses.field(default_factory=asyncio.Lock)
    live: LiveGame | None = None
    users: int = 0


def _utc_now() -> datetime.datetime:
    return datetime.datetime.now(datetime.UTC)


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
        most_live_games: int = 256,
        now: Callable[[], datetime.datetime] = _utc_now,
    ) -> None:
        self._storage: Final = storage
        self._transport: Final = transport
        self._computer: Final = computer
        self._chance: Final = chance
        self._online: Final = online
        self._most_live_games: Final = most_live_games
        self._now: Final = now
        self._entries: Final[collections.OrderedDict[str, _Entry]] = collections.OrderedDict()
        self._thinking: Final[dict[str, asyncio.Task[None]]] = {}
        self._behind: Final[dict[str, int]] = {}
        """Games that had to be forgotten while somebody watched, and up to which revision the watchers have heard."""
        self._downtimes: list[tuple[datetime.datetime, datetime.datetime]] = []
        self.presence: Final = Presence(now)
        self.timers: Final = Timers(self.look_at_time, lambda: milliseconds(now()))

    # --- The life of the authority

    async def resume(self, downtimes: Sequence[tuple[datetime.datetime, datetime.datetime]] = ()) -> None:
        """Let the computer go on wherever it is to decide, and clocks run; for the start of a server.

        ``downtimes`` are times in which no server was alive, so that no clock ran.
        """
        self._downtimes = list(downtimes)
        await self.take_over()
        if self._online:
            for game, deadline in await self._online.deadlines():
                self.timers.set(game, deadline + LAG_CAP)
        self.timers.start()

    async def take_over(self) -> None:
        """Let the computer go on where it is to decide; beside other processes only where it has waited too long."""
        before = self._now() - TAKEOVER if self._storage.shared else None
        for game in await self._storage.waiting_for_computer(before):
            self._let_think(game)

    @property
    def live_games(self) -> int:
        """How many games are in memory."""
        return len(self._entries)

    @property
    def thinking(self) -> int:
        """In how many games the computer is to decide."""
        return len(self._thinking)

    async def close(self) -> None:
        """Stop thinking. Games that wait for the computer are resumed by the next authority."""
        await self.timers.close()
        thinking = list(self._thinking.values())
        for task in thinking:
            task.cancel()
        await asyncio.gather(*thinking, return_exceptions=True)
        await self._computer.close()

    # --- Beginning and looking

    async def create(self, wish: NewGame, owner: str | None = None, actor: Actor = ANYBODY) -> GameView:
        """Begin a game."""
        return await self.begin(await asyncio.to_thread(created_from_wish, wish, self._chance), owner, actor)

    async def create_from_record(self, text: str, owner: str | None = None, actor: Actor = ANYBODY) -> GameView:
        """Take over a game from its record."""
        return await self.begin(await asyncio.to_thread(created_from_record, text), owner, actor)

    async def view(self, game: str, actor: Actor = ANYBODY) -> GameView:
        """The whole game. If it waits for the computer, the computer goes on."""
        async with self._open(game, fresh=True) as live:
            self._wake_late(live)
            return await self._view(live, actor)

    @contextlib.asynccontextmanager
    async def watch(self, game: str, actor: Actor = ANYBODY) -> AsyncIterator[tuple[GameView, Subscription]]:
        """The whole game, and everything that changes from then on."""
        async with self._open(game, fresh=True) as live:
            self._wake_late(live)
            view, subscription = await self._view(live, actor), self._transport.subscribe(game)
        try:
            yield view, subscription
        finally:
            subscription.close()

    @contextlib.asynccontextmanager
    async def at_table(self, game: str, actor: Actor) -> AsyncIterator[None]:
        """Somebody has a socket: they are there for the seats that they act for, or watch."""
        async with self._open(game) as live:
            tribes, online = online_access.tribes_of(live.head, actor), live.head.online is not None
        if self.presence.enter(game, tribes) and online:
            await self._tell_presence(game)
        try:
            yield
        finally:
            if self.presence.leave(game, tribes) and online:
                await self._tell_presence(game)

    async def list_games(self, query: GameQuery) -> GameList:
        """The games that match, the last changed first."""
        games, total = await self._storage.list_games(query)
        return GameList(games=[views.summary(each) for each in games], total=total)

    async def record(self, game: str) -> tuple[str, str]:
        """The record of a game, and a name for its file. The proof in it has the seed if the game is over."""
        async with self._open(game) as live:
            head, copied, proof = live.head, live.game.copy(), live.proof
        headers = {"Variant": head.variant, "Forest": _player(head, "forest"), "Sea": _player(head, "sea")}
        headers["Date"] = f"{head.created:%Y.%m.%d}"
        kept = {name: value for name, value in headers.items() if value}
        record = Record(copied, kept | (proof.headers() if proof else {}))
        return write_record(record), f"cairn-{head.created:%Y-%m-%d}-{head.id}.cairn"

    async def head(self, game: str) -> tuple[Head, bool]:
        """What a game is from its creation on, and whether it is over."""
        async with self._open(game) as live:
            return live.head, live.game.outcome is not None

    # --- Changing

    async def perform(self, game: str, command: Command, actor: Actor = ANYBODY) -> tuple[Update, int]:
        """Do what somebody commands, and say what changed and since which revision it is done.

        A command with an id that was done before is not done again. Somebody who decided first, elsewhere, may have
        done the same: after that, it is looked at once more.
        """
        try:
            return await self._perform(game, command, actor)
        except RevisionTakenError:
            pass
        try:
            return await self._perform(game, command, actor)
        except RevisionTakenError:
            raise decisions.stale() from None

    async def look_at_time(self, game: str) -> None:
        """End a game whose time is up; a timer asks for it."""
        with contextlib.suppress(Refusal, RevisionTakenError):
            async with self._open(game) as live:
                if not await self._end_by_time(live, self._now(), LAG_CAP):
                    self._set_timer(live)

    async def catch_up(self, game: str, revision: int) -> None:
        """Another process continued a game up to that revision: tell whoever watches it here."""
        async with self._entry(game) as entry:
            if entry.live is None:
                if game in self._behind:
                    entry.live = await self._load(game)
                else:
                    self._transport.end(game)  # who watches comes back for the whole game
            elif entry.live.revision < revision:
                await self._follow(entry, entry.live)

    async def catch_up_all(self) -> None:
        """Other processes may have done anything: bring all games in memory up to date."""
        games = {*self._entries, *self._behind}
        revisions = await self._storage.revisions(games)
        for game in games:
            if game in revisions:
                await self.catch_up(game, revisions[game])
            else:
                await self.forget(game)

    async def forget(self, game: str) -> None:
        """Another process deleted or restored a game."""
        async with self._entry(game) as entry:
            entry.live = None
            self._stop_thinking(game)
            self._transport.end(game)

    async def delete(self, game: str, actor: Actor = ANYBODY) -> None:
        """Hide a game; it can be restored."""
        async with self._entry(game) as entry:
            await self._require_owner(game, actor)
            if not await self._storage.set_deleted(game, deleted=True):
                raise _unknown_game()
            entry.live = None
            self._stop_thinking(game)
            self._transport.end(game)

    async def restore(self, game: str, actor: Actor = ANYBODY) -> None:
        """Show a deleted game again."""
        async with self._entry(game) as entry:
            await self._require_owner(game, actor)
            if not await self._storage.set_deleted(game, deleted=False):
                raise _unknown_game()
            entry.live = None
        async with self._open(game) as live:
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
        events = await asyncio.to_thread(creation.play_on, live, self._chance)
        await self._storage.create(head, events, live.standing(len(events), head.created))
        live.advance(len(events), head.created)
        async with self._entry(head.id) as entry:
            entry.live = live
            await self._look_up_people(live)
            self._set_timer(live)
            self._wake(live)
            return await self._view(live, actor)

    # --- Inside

    async def _perform(self, game: str, command: Command, actor: Actor) -> tuple[Update, int]:
        async with self._open(game, retry=True) as live:
            tribe = online_access.acting_tribe(live.head, actor, command.tribe)
            if self._storage.shared and (command.revision or 0) > live.revision:
                raise RevisionTakenError  # the page has heard of what another process stored, and this one has not yet
            at, kept, base = self._now(), len(live.steps), live.revision
            key = f"{tribe.value if tribe and live.head.online else 'all'} {command.id}" if command.id else None
            if key in live.commands:
                update = views.update(live, base, kept, at, await self._present(game))
                return update, live.commands[key]
            if await self._end_by_time(live, at, decisions.lag_of(command)):
                raise Refusal(409, "game-over", "The time was up.")
            away = await self._away_since(game, tribe.enemy) if tribe and isinstance(command, Claim) else None
            events = decisions.decide(live, command, tribe, decisions.Moment(at, self._chance, away))
            undone = len(live.steps) < kept
            update = await self._commit(live, events, min(kept, len(live.steps)), at, key)
            if undone:  # not before it is stored: until then the computer still has to answer
                self._stop_thinking(game)
                self._wake(live)
            return update, update.revision

    async def _away_since(self, game: str, tribe: Tribe) -> datetime.datetime | None:
        """Since when a player is at the table in no process; ``None`` while they are."""
        away = self.presence.away_since(game, tribe)
        seen = await self._online.last_seen(game, tribe) if away and self._online else None
        return max(away, seen) if away and seen else away

    async def _commit(
        self, live: LiveGame, events: Sequence[Event], kept: int, at: datetime.datetime, key: str | None = None
    ) -> Update:
        """Store the events that led to the state in memory, tell everybody, and let the computer go on."""
        base, game = live.revision, live.head.id
        await self._storage.append(game, base + 1, keyed(events, key), live.standing(len(events), at))
        live.advance(len(events), at, key)
        if live.game.outcome is not None and live.head.online:
            with contextlib.suppress(StorageError):  # the end is stored; the new ratings are seen later
                await self._look_up_people(live)
        over = live.game.outcome is not None
        update = views.update(live, base, kept, at, await self._present(game) if over else ())
        await self._transport.tell(game, UpdateMessage(update=update))
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

    async def _pause_for_downtime(self, live: LiveGame) -> None:
        """Nobody's clock ran while no server was alive."""
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

    @contextlib.asynccontextmanager
    async def _open(self, game: str, *, retry: bool = False, fresh: bool = False) -> AsyncIterator[LiveGame]:
        """The game, while nobody else can change it.

        Whatever is raised but a refusal may leave the state in memory ahead of the log, so the state is then forgotten:
        the log is what counts. Who wants to ``retry`` hears that somebody else continued it first. Who wants
        it ``fresh`` gets it with everything that other processes have stored.
        """
        async with self._entry(game) as entry:
            try:
                if fresh and entry.live is not None:
                    await self._refresh(game, entry, entry.live)
                if entry.live is None:
                    entry.live = await self._load(game)
                    await self._pause_for_downtime(entry.live)
                yield entry.live
            except Refusal:
                raise
            except RevisionTakenError:
                self._drop(game, entry)
                if retry:
                    raise
                raise decisions.stale() from None
            except BaseException:
                self._drop(game, entry)
                raise

    async def _refresh(self, game: str, entry: _Entry, live: LiveGame) -> None:
        """Bring a game in memory up to date, or forget it if it was deleted."""
        if self._storage.shared:
            revision = (await self._storage.revisions([game])).get(game)
            if revision is None:
                entry.live = None
            elif revision > live.revision:
                await self._follow(entry, live)

    async def _follow(self, entry: _Entry, live: LiveGame) -> None:
        """Let happen what other processes have stored, and tell whoever watches; they wake the computer themselves."""
        game, base = live.head.id, live.revision
        try:
            part = await self._storage.load_after(game, base)
            kept = live.follow(part.events, part.times)
            if live.game.outcome is not None:
                await self._look_up_people(live)
            message = await self._update_message(live, base, kept)
        except BaseException:
            entry.live = None
            self._transport.end(game)
            raise
        self._stop_thinking(game)
        self._set_timer(live)
        await self._transport.tell(game, message)

    async def _update_message(self, live: LiveGame, base: int, kept: int) -> UpdateMessage:
        present = await self._present(live.head.id) if live.head.online else []
        return UpdateMessage(update=views.update(live, base, kept, self._now(), present))

    def _drop(self, game: str, entry: _Entry) -> None:
        """Forget a state that may be ahead of the log. Watchers have heard as much as was stored before."""
        if entry.live is not None and self._transport.watched(game):
            self._behind.setdefault(game, entry.live.revision)
        entry.live = None

    async def _load(self, game: str) -> LiveGame:
        stored = await self._storage.load(game)
        if stored is None:
            raise _unknown_game()
        if stored.deleted:
            raise Refusal(404, "deleted-game", "This game was deleted. It can be restored.")
        live = await asyncio.to_thread(LiveGame.replay, stored)
        await self._look_up_people(live)
        self._set_timer(live)
        base = self._behind.pop(game, live.revision)
        if base < live.revision:
            await self._transport.tell(game, await self._update_message(live, base, 0))
        return live

    async def _require_owner(self, game: str, actor: Actor) -> None:
        stored = await self._storage.load(game)
        if stored is None:
            raise _unknown_game()
        online_access.require_owner(stored.head, actor)

    async def _look_up_people(self, live: LiveGame) -> None:
        if live.head.online and self._online:
            live.people = await self._online.people(live.head.online, self._now())

    async def _tell_presence(self, game: str) -> None:
        there, watchers = await self._present(game), self.presence.watchers(game)
        message = PresenceMessage(forest=FOREST in there, sea=SEA in there, watchers=watchers)
        await self._transport.tell(game, message)

    async def _view(self, live: LiveGame, actor: Actor) -> GameView:
        you: list[Tribe] = online_access.tribes_of(live.head, actor)
        present = await self._present(live.head.id) if live.head.online else []
        return views.game_view(live, self._now(), you, present)

    async def _present(self, game: str) -> list[Tribe]:
        """The tribes whose players are at the table, in whichever process."""
        here = self.presence.present(game)
        if self._online is None:
            return here
        try:
            return [*here, *await self._online.present(game, self.presence.process, self._now())]
        except StorageError:
            return here  # it is only shown

    def _set_timer(self, live: LiveGame) -> None:
        """Look at the game when somebody's time is up, and the lag that may be forgiven has passed."""
        deadline = live.deadline
        self.timers.set(live.head.id, None if deadline is None else deadline + LAG_CAP)

    @contextlib.asynccontextmanager
    async def _entry(self, game: str) -> AsyncIterator[_Entry]:
        """The place of a game among those in memory, locked."""
        entry = self._entries.setdefault(game, _Entry())
        self._entries.move_to_end(game)
        entry.users += 1
        try:
            async with entry.lock:
                yield entry
        finally:
            entry.users -= 1
            if entry.live is None and not entry.users:
                del self._entries[game]
            self._forget_oldest()

    def _forget_oldest(self) -> None:
        surplus = len(self._entries) - self._most_live_games
        if surplus > 0:
            unused = [
                game
                for game, entry in self._entries.items()
                if not entry.users and not (self._storage.shared and self._transport.watched(game))
            ]
            for game in unused[:surplus]:
                del self._entries[game]

    # --- The computer

    def _wake(self, live: LiveGame) -> None:
        """Let the computer think, if it is to decide and does not think yet."""
        if live.computer_level is not None:
            self._let_think(live.head.id)

    def _wake_late(self, live: LiveGame) -> None:
        """The same, but not while the computer of another process may be thinking."""
        if not self._storage.shared or self._now() - live.changed > TAKEOVER:
            self._wake(live)

    def _let_think(self, game: str) -> None:
        if game not in self._thinking:
            task = asyncio.create_task(self._think(game), name=f"computer in {game}")
            self._thinking[game] = task
            task.add_done_callback(lambda done: self._thought(game, done))

    def _stop_thinking(self, game: str) -> None:
        """Called while the game is locked, so that the computer cannot be in the middle of a decision."""
        if task := self._thinking.pop(game, None):
            task.cancel()

    def _thought(self, game: str, task: asyncio.Task[None]) -> None:
        if self._thinking.get(game) is task:
            del self._thinking[game]
        if not task.cancelled() and (error := task.exception()):
            _log.error("the computer stopped playing game %s", game, exc_info=error)

    async def _think(self, game: str) -> None:
        """Decide for the computer, token by token, until somebody else is to decide."""
        wait = 0.1
        while True:
            try:
                async with self._open(game) as live:
                    level, revision = live.computer_level, live.revision
                    if level is None:
                        # From here on nobody may believe that the computer still thinks.
                        self._thinking.pop(game, None)
                        return
                    asked = live.game.copy()
                token = await self._computer.choose(asked, level)
                async with self._open(game) as live:
                    at = self._now()
                    if live.revision == revision and not await self._end_by_time(live, at, LAG_CAP):
                        kept = len(live.steps)
                        lag = LAG_CAP if live.clock else 0
                        events = live.play(token, hold=False, chance=self._chance, at=at, lag=lag)
                        await self._commit(live, events, kept, at)
                wait = 0.1
            except StorageError as error:
                _log.warning("the computer's token in game %s is not stored yet: %s", game, error)
                await asyncio.sleep(wait)
                wait = min(2 * wait, LONGEST_WAIT)
            except Refusal:
                return  # the game was deleted, or somebody else continued it


def new_game_id() -> str:
    """An id that nobody has."""
    return "".join(secrets.choice(ID_LETTERS) for _ in range(ID_LENGTH))


def _unknown_game() -> Refusal:
    return Refusal(404, "unknown-game", "There is no such game.")


def _player(head: Head, tribe: str) -> str | None:
    """How a player is called in a record."""
    seat = head.seats.forest if tribe == "forest" else head.seats.sea
    return f"level {seat.level}" if seat.kind == "computer" else seat.name
