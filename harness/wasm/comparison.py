"""Plays random games with the native core and compares its output with that of the WebAssembly core."""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import json
import random
from collections.abc import Iterator
from typing import Any, Final

from playwright.sync_api import Page

from cairn import Game
from cairn._native import Engine, core
from cairn.server.game.choices import Choice, choices
from cairn.story import Effect, play
from harness.parity.batch import PLANS
from harness.parity.coverage import Tally
from harness.parity.players import INCLINATIONS, choose
from harness.positions import KINDS, text_of

GAMES_PER_BATCH: Final = 40
SEARCHES: Final = 1 / 60
"""The share of moments at which the test runs a search."""
LEVELS: Final = 1 / 400
"""The share of moments at which a level chooses a token."""
LEVEL_WEIGHTS: Final = (8, 8, 8, 8, 8, 4, 3, 2, 1, 1)
"""The relative frequency of each level; strong levels are rare because they are slow."""


@dataclasses.dataclass
class PlayedGame:
    """A random game, with the searches and decisions requested along the way."""

    position: str
    tokens: list[str] = dataclasses.field(default_factory=list)
    asked: list[dict[str, Any]] = dataclasses.field(default_factory=list)
    said: list[str] = dataclasses.field(default_factory=list)
    """The output of the native core, line by line."""

    def request(self) -> dict[str, Any]:
        """The game in the form that is sent to the page."""
        return {"position": self.position, "tokens": self.tokens, "asked": self.asked}

    def digest(self) -> str:
        """The digest that the page has to compute."""
        return hashlib.sha256("\n".join(self.said).encode()).hexdigest()


def written(value: object) -> str:
    """Encode JSON exactly as a browser does."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def choice_fields(choice: Choice) -> dict[str, Any]:
    """A choice as the WebAssembly module writes it. Unlike ``dataclasses.asdict``, this copies nothing."""
    names = ("token", "tile", "paths", "power", "aim")
    return {name: getattr(choice, name) for name in names}


@functools.lru_cache(4_096)
def effect_fields(effect: Effect) -> dict[str, Any]:
    """An effect as the WebAssembly module writes it, with its kind first."""
    fields = dataclasses.asdict(effect)
    return {"kind": fields.pop("kind"), **fields}


def moment(game: Game) -> dict[str, Any]:
    """A moment of a game as the WebAssembly module writes it."""
    outcome, decider, board = game.outcome, game.decider, game.board
    return {
        "position": board.text,
        "phase": game.phase.value,
        "decider": decider.value if decider else None,
        "active": board.active.value,
        "power": None if outcome else board.power_code,
        "focus": None if outcome else board.focus_name,
        "outcome": outcome and {"winner": outcome.winner and outcome.winner.value, "reason": outcome.reason.value},
        "choices": [] if outcome else [*map(choice_fields, choices(board))],
    }


class NativeCore:
    """Plays random games with the native core and records its output."""

    def __init__(self, seed: str) -> None:
        self._rng: Final = random.Random(seed)
        self._engine: Final = Engine(core.LEVEL_MEGABYTES, 1)
        self.tally: Final = Tally()

    def games(self, moments: int) -> Iterator[PlayedGame]:
        """Play games until ``moments`` moments have been recorded."""
        while self.tally["moments"] < moments:
            yield self._game()

    def _game(self) -> PlayedGame:
        rng = self._rng
        kind = rng.choice(list(KINDS))
        longest, usual = PLANS[kind]
        inclination = usual if rng.random() < 0.5 else rng.choice(INCLINATIONS)
        game = Game(text_of(KINDS[kind](rng)))
        played = PlayedGame(game.start_text)
        self.tally["games"] += 1
        self._note(played, game, moment(game))
        while len(played.tokens) < longest and (legal := game.legal_moves):
            token = choose(rng, game.board, legal, inclination)
            played.tokens.append(str(token))
            effects = [*map(effect_fields, play(game, token))]
            self.tally["effects"] += len(effects)
            self._note(played, game, {"effects": effects, "moment": moment(game)})
        return played

    def _note(self, played: PlayedGame, game: Game, shown: dict[str, Any]) -> None:
        legal = [str(token) for token in game.legal_moves]
        played.said.append(written([shown, legal]))
        self.tally["moments"] += 1
        self.tally["choices"] += len(legal)
        decides = game.outcome is None and game.board.decider_number < 2
        at = len(played.tokens)
        if decides and self._rng.random() < SEARCHES:
            nodes, lines = self._rng.choice((300, 1000, 4000)), self._rng.choice((1, 1, 3))
            played.asked.append({"at": at, "search": {"nodes": nodes, "lines": lines}})
            played.said.append(self._search(game, nodes, lines))
        if decides and self._rng.random() < LEVELS:
            (level,) = self._rng.choices(range(1, 11), LEVEL_WEIGHTS)
            seed = self._rng.randrange(2**64)
            played.asked.append({"at": at, "level": {"number": level, "seed": str(seed)}})
            played.said.append(self._decision(game, level, seed))

    def _search(self, game: Game, nodes: int, lines: int) -> str:
        self.tally["searches"] += 1
        self._engine.clear()
        self._engine.arm()
        found = self._engine.search(game.board, nodes, 0, lines, 0, 0, None)
        shown = [{"score": score, "tokens": [*map(str, tokens)]} for score, _, tokens in found]
        return written({"done": True, "depth": found[0][1], "nodes": self._engine.nodes, "lines": shown})

    def _decision(self, game: Game, level: int, seed: int) -> str:
        self.tally[f"decisions of level {level}"] += 1
        self._engine.arm()
        score, depth, tokens, nodes = self._engine.play_level(game.board, level, seed, 0, 0, 0)
        line = {"score": score, "tokens": [*map(str, tokens)]}
        return written({"done": True, "depth": depth, "nodes": nodes, "lines": [line]})


def compare(page: Page, seed: str, moments: int) -> Tally:
    """Compare at least ``moments`` moments. Raises ``AssertionError`` at the first difference."""
    native = NativeCore(seed)
    batch: list[PlayedGame] = []
    for game in native.games(moments):
        batch.append(game)
        if len(batch) == GAMES_PER_BATCH:
            _compare_batch(page, batch)
            batch = []
    _compare_batch(page, batch)
    return native.tally


def _compare_batch(page: Page, batch: list[PlayedGame]) -> None:
    digests = page.evaluate("games => cairn.replay(games)", [game.request() for game in batch])
    assert len(digests) == len(batch)
    for game, found in zip(batch, digests, strict=True):
        if found == game.digest():
            continue
        said = page.evaluate("game => cairn.replay(game)", game.request())
        for line, (native, wasm) in enumerate(zip(game.said, said, strict=False)):
            assert native == wasm, f"line {line} of {game.request()}:\nnative {native}\nwasm   {wasm}"
        raise AssertionError(f"the native core wrote {len(game.said)} lines, wasm {len(said)}: {game.request()}")
