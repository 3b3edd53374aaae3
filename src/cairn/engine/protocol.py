"""The engine protocol: answers commands and sends search results. ``serve`` connects it to two streams."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from cairn.engine.counting import DEEPEST, Counting
from cairn.engine.limits import Limit, read_request
from cairn.engine.native import NativeEngine
from cairn.engine.numbers import read_number
from cairn.engine.options import HASH, LEVEL, MULTI_PV, OPTIONS, PONDER, SEED, THREADS, option_named
from cairn.engine.search_session import SearchSession, Send
from cairn.engine.state import state_line
from cairn.game import Game
from cairn.notation.records import LONGEST_TOKEN
from cairn.vocabulary import CairnError, Phase, Variant

LONGEST_LINE: Final = 2**20
"""The maximum length of a command in bytes, without the line ending."""
LONGEST_ANSWER: Final = 1000
"""Errors are truncated to this many characters, because they may quote the command."""
SOON: Final = 0.1
"""How many seconds to wait for a count, so that a short count is answered before the next command is read."""
USUAL_LIMIT: Final = Limit(movetime_ms=1000)
"""The limit for a ``go`` without arguments."""


class CommandError(Exception):
    """A command cannot be carried out. The message becomes the one-line answer."""


@dataclasses.dataclass(frozen=True, slots=True)
class _Place:
    """A game with the words of its ``position`` command, so that a later command with more moves can continue it."""

    game: Game
    start: str
    """The words between ``position`` and ``moves``; empty if the same words could start a different game."""
    moves: list[str]


class Protocol:
    """One conversation with a program that drives the engine.

    :meth:`answer` returns the answer to each line. The results of a search, its ``bestmove``, and the result of a long
    count are passed to ``send`` in another thread, so that a search or count can be stopped. The answer to an invalid
    command is one line, ``error ...``, and the command has no other effect.

    >>> found = []
    >>> protocol = Protocol(found.append)
    >>> list(protocol.answer(b"position S1S1S/5/5/5/F1F1F b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 F moves a1-a2"))
    []
    >>> list(protocol.answer(b"perft 2"))
    ['perft 2 42']
    >>> list(protocol.answer(b"dance"))
    ["error unknown command 'dance'"]
    >>> list(protocol.answer(b"go depth 1"))
    []
    >>> protocol.close()
    >>> [line.split()[0] for line in found]
    ['info', 'bestmove']
    """

    def __init__(self, send: Send | None = None) -> None:
        self.over = False
        """Whether ``quit`` was received."""
        self._options: Final[dict[str, int]] = {option.name: option.default for option in OPTIONS}
        self._place: _Place | None = None
        self._send: Final[Send] = send or _ignore
        self._engine: NativeEngine | None = None
        """Created on demand, and again after a change of options."""
        self._running: SearchSession | Counting | None = None

    def answer(self, line: bytes) -> Iterator[str]:
        """The answer to a line, without line endings."""
        try:
            yield from self._obey(_read_line(line))
        except CommandError as error:
            yield f"error {_one_line(str(error))}"

    def close(self) -> None:
        """Stop a running search or count, and wait for its answer."""
        if self._running:
            self._running.stop()
            self._running.wait()

    def __del__(self) -> None:
        if self._running:
            self._running.stop()

    def _obey(self, text: str) -> Iterator[str]:
        command, *rest = re.split("[ \t]+", text, maxsplit=1)
        if not command:
            return iter(())  # ignore empty lines
        carry_out = _COMMANDS.get(command)
        if carry_out is None:
            raise CommandError(f"unknown command {command[:40]!r}")
        if command not in _DURING_A_SEARCH and self._running and not self._running.over:
            raise CommandError(f"{command}: a {self._running.name} is running; stop it first")
        return carry_out(self, rest[0] if rest else "")

    def _cep(self, rest: str) -> Iterator[str]:
        _expect_nothing("cep", rest)
        from importlib import metadata

        yield "id name Cairn"
        yield f"id version {metadata.version('cairn-game')}"
        yield from map(str, OPTIONS)
        yield "cepok"

    def _isready(self, rest: str) -> Iterator[str]:
        _expect_nothing("isready", rest)
        yield "readyok"

    def _setoption(self, rest: str) -> Iterator[str]:
        match = re.fullmatch("name[ \t]+(.*?)[ \t]+value[ \t]+(.*)", rest)
        if not match:
            raise CommandError("setoption: expected setoption name N value V")
        option = option_named(match[1])
        if option is None:
            raise CommandError(f"setoption: there is no option {match[1][:40]!r}")
        try:
            value = option.read(match[2])
        except ValueError as error:
            raise CommandError(f"setoption: {error}") from None
        if value != self._options[option.name]:
            self._options[option.name] = value
            if option not in (MULTI_PV, PONDER):
                self._engine = None
        return iter(())

    def _newgame(self, rest: str) -> Iterator[str]:
        _expect_nothing("newgame", rest)
        if self._engine:
            self._engine.new_game()
        return iter(())

    def _position(self, rest: str) -> Iterator[str]:
        start, said, listed = (f"{rest} ").partition(" moves ")
        moves = _words(listed)
        start = start if said else rest
        place = self._place
        if place and start and place.start == start and moves[: len(place.moves)] == place.moves:
            _play_on(place.game, moves, len(place.moves))
            self._place = _Place(place.game, start, moves)
        else:
            game, again = _start(start)
            _play_on(game, moves, 0)
            self._place = _Place(game, start if again else "", moves)
        return iter(())

    def _state(self, rest: str) -> Iterator[str]:
        _expect_nothing("state", rest)
        yield state_line(self._game("state"))

    def _perft(self, rest: str) -> Iterator[str]:
        depth = read_number(rest, 0, DEEPEST)
        if depth is None:
            raise CommandError(f"perft: expected a depth from 0 to {DEEPEST}, not {rest[:40]!r}")
        count = Counting(self._game("perft").board, depth, self._send)
        self._running = count
        answer = count.soon(SOON)
        return iter(()) if answer is None else iter((answer,))

    def _go(self, rest: str) -> Iterator[str]:
        try:
            request = read_request(_words(rest))
        except ValueError as error:
            raise CommandError(str(error)) from None
        game = self._game("go")
        if game.phase in (Phase.DRAW, Phase.OVER):
            reason = (
                "the next token is a tile draw, which an engine cannot choose"
                if game.phase is Phase.DRAW
                else "the game is over"
            )
            raise CommandError(f"go: {reason}")
        engine = self._ready_engine()
        if request.limit.is_endless and not request.infinite and not engine.level:
            request = dataclasses.replace(request, limit=USUAL_LIMIT)
        lines, names_reply = self._options[MULTI_PV.name], bool(self._options[PONDER.name])
        self._running = SearchSession(engine, game, request, lines, self._send, names_reply=names_reply)
        return iter(())

    def _ponderhit(self, rest: str) -> Iterator[str]:
        _expect_nothing("ponderhit", rest)
        if not isinstance(self._running, SearchSession) or self._running.over or not self._running.ponder_hit():
            raise CommandError("ponderhit: the engine is not pondering")
        return iter(())

    def _stop(self, rest: str) -> Iterator[str]:
        _expect_nothing("stop", rest)
        if self._running:
            self._running.stop()
        return iter(())

    def _quit(self, rest: str) -> Iterator[str]:
        _expect_nothing("quit", rest)
        self.over = True
        return iter(())

    def _ready_engine(self) -> NativeEngine:
        if self._engine is None:
            threads, megabytes, level, seed = (self._options[each.name] for each in (THREADS, HASH, LEVEL, SEED))
            try:
                self._engine = NativeEngine(threads, megabytes, level or None, seed)
            except MemoryError:
                raise CommandError(
                    f"go: not enough memory for a table of {megabytes} MB; set {HASH.name} to a lower value"
                ) from None
        return self._engine

    def _game(self, command: str) -> Game:
        if self._place is None:
            raise CommandError(f"{command}: there is no position yet; set one with the position command")
        return self._place.game


_COMMANDS: Final[Mapping[str, Callable[[Protocol, str], Iterator[str]]]] = {
    "cep": Protocol._cep,
    "isready": Protocol._isready,
    "setoption": Protocol._setoption,
    "newgame": Protocol._newgame,
    "position": Protocol._position,
    "state": Protocol._state,
    "perft": Protocol._perft,
    "go": Protocol._go,
    "ponderhit": Protocol._ponderhit,
    "stop": Protocol._stop,
    "quit": Protocol._quit,
}
_DURING_A_SEARCH: Final = ("cep", "isready", "state", "ponderhit", "stop", "quit")


def _ignore(line: str) -> None:
    """Discard a line."""


def _read_line(line: bytes) -> str:
    if len(line.rstrip(b"\r\n")) > LONGEST_LINE:
        raise CommandError(f"the line is longer than {LONGEST_LINE} bytes")
    try:
        return line.decode("utf-8").strip(" \t\r\n")
    except UnicodeDecodeError as error:
        raise CommandError(f"the line is not UTF-8: invalid byte {error.start + 1}") from None


def _words(text: str) -> list[str]:
    return [word for word in re.split("[ \t]+", text) if word]


def _expect_nothing(command: str, rest: str) -> None:
    if rest:
        raise CommandError(f"{command}: unexpected argument {rest[:40]!r}")


def _start(text: str) -> tuple[Game, bool]:
    """The game that starts from the position ``text``, and whether the same text always gives the same game."""
    if re.match("start([ \t]|$)", text):
        return _dealt(_words(text)[1:])
    try:
        return Game(text), True
    except CairnError as error:
        raise CommandError(f"position: {error}") from None


def _dealt(words: Sequence[str]) -> tuple[Game, bool]:
    variants = [variant.value for variant in Variant]
    if not words or words[0] not in variants:
        found = repr(words[0][:40]) if words else "nothing"
        raise CommandError(f"position: expected one of {', '.join(variants)} after start, not {found}")
    if len(words) == 1:
        return Game.start(words[0]), False
    seed = read_number(words[2], 0) if len(words) == 3 and words[1] == "seed" else None
    if seed is None:
        raise CommandError(f"position: expected 'seed N' or 'moves ...' after {words[0]}")
    return Game.start(words[0], seed), True


def _play_on(game: Game, moves: Sequence[str], played: int) -> None:
    """Play all moves except the first ``played``, which are on the board already. If any is illegal, play none."""
    for number, move in enumerate(moves[played:], start=played + 1):
        try:
            if len(move) > LONGEST_TOKEN:
                raise CommandError(f"{move[:LONGEST_TOKEN]!r}... is not a token")
            game.push(move)
        except (CairnError, CommandError) as error:
            for _ in range(played + 1, number):
                game.pop()
            raise CommandError(f"position: move {number}: {error}") from None


def _one_line(sentence: str) -> str:
    """The sentence as one printable line."""
    shown = "".join(letter if letter.isprintable() else f"\\x{ord(letter):02x}" for letter in sentence[:LONGEST_ANSWER])
    return shown if len(sentence) <= LONGEST_ANSWER else f"{shown}..."
