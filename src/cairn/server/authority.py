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
from collections.abc import AsyncIterator, Sequence
from typing import Final

from cairn.record import Record, write_record
from cairn.server import views
from cairn.server.chance import Chance
from cairn.server.computer import Computer
from cairn.server.creation import Creation, created_from_record, created_from_wish
from cairn.server.errors import Refusal, malformed
from cairn.server.events import Event
from cairn.server.live import LiveGame, tribe_named
from cairn.server.models import Confirm, GameList, GameView, NewGame, Play, Undo, Update, UpdateMessage
from cairn.server.storage import GameQuery, Head, RevisionTakenError, Storage, StorageError
from cairn.server.transport import Subscription, Transport
from cairn.vocabulary import CairnError, GameOverError, MalformedError, Tribe

ID_LETTERS: Final = "23456789abcdefghjkmnpqrstuvwxyz"
"""None that is easily taken for another."""
ID_LENGTH: Final = 12
LONGEST_WAIT: Final = 5.0
"""Seconds between two attempts to store what the computer decided."""

_log: Final = logging.getLogger("cairn.server")


@dataclasses.dataclass(eq=False)
class _Entry:
    """A game that somebody uses, or used not long ago."""

    lock: asyncio.Lock = dataclasses.field(default_factory=asyncio.Lock)
    live: LiveGame | None = None
    users: int = 0


class Authority:
    """Decides. Every method that changes a game returns after the change is safe from a crash.

    Methods raise :class:`Refusal` for what may not be done, and :class:`StorageError` for what could not be stored.
    """

    def __init__(
        self, storage: Storage, transport: Transport, computer: Computer, chance: Chance, *, most_live_games: int = 256
    ) -> None:
        self._storage: Final = storage
        self._transport: Final = transport
        self._computer: Final = computer
        self._chance: Final = chance
        self._most_live_games: Final = most_live_games
        self._entries: Final[collections.OrderedDict[str, _Entry]] = collections.OrderedDict()
        self._thinking: Final[dict[str, asyncio.Task[None]]] = {}

    # --- The life of the authority

    async def resume(self) -> None:
        """Let the computer go on wherever it is to decide; for the start of a server."""
        for game in await self._storage.waiting_for_computer():
            self._let_think(game)

    async def close(self) -> None:
        """Stop thinking. Games that wait for the computer are resumed by the next authority."""
        thinking = list(self._thinking.values())
        for task in thinking:
            task.cancel()
        await asyncio.gather(*thinking, return_exceptions=True)
        await self._computer.close()

    # --- Beginning and looking

    async def create(self, wish: NewGame) -> GameView:
        """Begin a game."""
        return await self._begin(await asyncio.to_thread(created_from_wish, wish, self._chance))

    async def create_from_record(self, text: str) -> GameView:
        """Take over a game from its record."""
        return await self._begin(await asyncio.to_thread(created_from_record, text))

    async def view(self, game: str) -> GameView:
        """The whole game. If it waits for the computer, the computer goes on."""
        async with self._open(game) as live:
            self._wake(live)
            return views.game_view(live)

    @contextlib.asynccontextmanager
    async def watch(self, game: str) -> AsyncIterator[tuple[GameView, Subscription]]:
        """The whole game, and everything that changes from then on."""
        async with self._open(game) as live:
            self._wake(live)
            view, subscription = views.game_view(live), self._transport.subscribe(game)
        try:
            yield view, subscription
        finally:
            subscription.close()

    async def list_games(self, query: GameQuery) -> GameList:
        """The games that match, the last changed first."""
        games, total = await self._storage.list_games(query)
        return GameList(games=[views.summary(each) for each in games], total=total)

    async def record(self, game: str) -> tuple[str, str]:
        """The record of a game, and a name for its file."""
        async with self._open(game) as live:
            head, copied = live.head, live.game.copy()
        headers = {"Variant": head.variant, "Forest": _player(head, "forest"), "Sea": _player(head, "sea")}
        headers["Date"] = f"{head.created:%Y.%m.%d}"
        record = Record(copied, {name: value for name, value in headers.items() if value})
        return write_record(record), f"cairn-{head.created:%Y-%m-%d}-{head.id}.cairn"

    # --- Changing

    async def play(self, game: str, play: Play) -> Update:
        """Play a token for a person."""
        async with self._open(game) as live:
            _require_revision(live, play.revision)
            _require_decision(live, tribe_named(play.tribe))
            kept = len(live.steps)
            try:
                events = live.play(play.token, hold=play.hold, chance=self._chance)
            except MalformedError as error:
                raise Refusal(422, "illegal-token", malformed(error, "This is no token").problem.sentence) from None
            except GameOverError as error:
                raise Refusal(409, "game-over", str(error)) from None
            except CairnError as error:
                raise Refusal(422, "illegal-token", str(error)) from None
            return await self._commit(live, events, kept)

    async def undo(self, game: str, undo: Undo) -> Update:
        """Take a step or a turn back."""
        async with self._open(game) as live:
            _require_revision(live, undo.revision)
            count = live.undoable(undo.scope)
            if not count:
                raise Refusal(409, "nothing-to-undo", "There is nothing that can be taken back.")
            self._stop_thinking(game)
            return await self._commit(live, live.undo(count), kept=len(live.steps))

    async def confirm(self, game: str, confirm: Confirm) -> Update:
        """Finish the turn that is held."""
        async with self._open(game) as live:
            _require_revision(live, confirm.revision)
            if live.held is None:
                raise Refusal(409, "nothing-to-confirm", "No turn waits to be confirmed.")
            return await self._commit(live, live.confirm(), kept=len(live.steps))

    async def delete(self, game: str) -> None:
        """Hide a game; it can be restored."""
        async with self._entry(game) as entry:
            if not await self._storage.set_deleted(game, deleted=True):
                raise _unknown_game()
            entry.live = None
            self._stop_thinking(game)
            self._transport.end(game)

    async def restore(self, game: str) -> None:
        """Show a deleted game again."""
        async with self._entry(game) as entry:
            if not await self._storage.set_deleted(game, deleted=False):
                raise _unknown_game()
            entry.live = None
        async with self._open(game) as live:
            self._wake(live)

    # --- Inside

    async def _begin(self, creation: Creation) -> GameView:
        head = Head(
            id="".join(secrets.choice(ID_LETTERS) for _ in range(ID_LENGTH)),
            created=_now(),
            variant=creation.variant,
            start=creation.start,
            seats=creation.seats,
            seed=creation.seed or self._chance.new_seed(),
        )
        live = LiveGame(head)
        events = await asyncio.to_thread(creation.play_on, live, self._chance)
        await self._storage.create(head, events, live.standing(len(events), head.created))
        live.advance(len(events), head.created)
        async with self._entry(head.id) as entry:
            entry.live = live
            self._wake(live)
            return views.game_view(live)

    async def _commit(self, live: LiveGame, events: Sequence[Event], kept: int) -> Update:
        """Store the events that led to the state in memory, tell everybody, and let the computer go on."""
        base, at = live.revision, _now()
        await self._storage.append(live.head.id, base + 1, events, live.standing(len(events), at))
        live.advance(len(events), at)
        update = views.update(live, base, kept)
        await self._transport.tell(live.head.id, UpdateMessage(update=update))
        self._wake(live)
        return update

    @contextlib.asynccontextmanager
    async def _open(self, game: str) -> AsyncIterator[LiveGame]:
        """The game, while nobody else can change it.

        Whatever is raised but a refusal may leave the state in memory ahead of the log, so the state is then forgotten:
        the log is what counts.
        """
        async with self._entry(game) as entry:
            if entry.live is None:
                stored = await self._storage.load(game)
                if stored is None:
                    raise _unknown_game()
                if stored.deleted:
                    raise Refusal(404, "deleted-game", "This game was deleted. It can be restored.")
                entry.live = await asyncio.to_thread(LiveGame.replay, stored)
            try:
                yield entry.live
            except Refusal:
                raise
            except RevisionTakenError:
                entry.live = None
                raise _stale() from None
            except BaseException:
                entry.live = None
                raise

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
            unused = [game for game, entry in self._entries.items() if not entry.users]
            for game in unused[:surplus]:
                del self._entries[game]

    # --- The computer

    def _wake(self, live: LiveGame) -> None:
        """Let the computer think, if it is to decide and does not think yet."""
        if live.computer_level is not None:
            self._let_think(live.head.id)

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
                    if live.revision == revision:
                        kept = len(live.steps)
                        await self._commit(live, live.play(token, hold=False, chance=self._chance), kept)
                wait = 0.1
            except StorageError as error:
                _log.warning("the computer's token in game %s is not stored yet: %s", game, error)
                await asyncio.sleep(wait)
                wait = min(2 * wait, LONGEST_WAIT)
            except Refusal:
                return  # the game was deleted, or somebody else continued it


def _require_revision(live: LiveGame, revision: int) -> None:
    if revision != live.revision:
        raise _stale()


def _require_decision(live: LiveGame, tribe: Tribe) -> None:
    """That a person may decide for the tribe now."""
    if live.game.outcome is not None:
        raise Refusal(409, "game-over", "The game is over.")
    if live.held is not None:
        raise Refusal(409, "turn-held", f"{_name(live.held)} has to confirm the turn first.")
    if live.game.decider is not tribe:
        decider = live.game.decider
        assert isinstance(decider, Tribe)  # noqa: S101  # draws are made at once
        raise Refusal(409, "wrong-turn", f"{_name(decider)} is to decide, not {_name(tribe)}.")
    if live.seat(tribe).kind == "computer":
        raise Refusal(409, "computer-decides", f"The computer decides for {_name(tribe)}.")


def _stale() -> Refusal:
    return Refusal(409, "stale-revision", "The game has gone on meanwhile.")


def _unknown_game() -> Refusal:
    return Refusal(404, "unknown-game", "There is no such game.")


def _name(tribe: Tribe) -> str:
    return tribe.value.capitalize()


def _player(head: Head, tribe: str) -> str | None:
    """How a player is called in a record."""
    seat = head.seats.forest if tribe == "forest" else head.seats.sea
    return f"level {seat.level}" if seat.kind == "computer" else seat.name


def _now() -> datetime.datetime:
    return datetime.datetime.now(datetime.UTC)
