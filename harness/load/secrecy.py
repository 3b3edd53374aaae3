"""Secrecy: until a tile is drawn, the same online game with two different decks must look the same to everybody.

The test compares everything that leaves the server: the socket messages to the players and to a spectator, all
responses that a spectator can request, records and exports, metrics, and the log. It also searches these texts for the
secrets themselves: the seed, the key that determines the draws, and the seat tokens.
"""

from __future__ import annotations

import base64
import contextlib
import dataclasses
import functools
import itertools
import logging
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from cairn.fairness import KeyedRandom
from cairn.server.game.chance import SecretChance
from cairn.server.players.limits import NO_LIMITS
from cairn.server.settings import Settings
from cairn.vocabulary import Tribe, Variant
from harness.load.servers import folder
from harness.server.visitors import Visitor, begun, table, two

PATHS: Final = (
    "/games/{}", "/games/{}/record", "/games/{}/chat", "/challenges/{}", "/games?limit=200", "/lobby", "/live",
    "/leaderboard", "/me", "/health", "/ready", "/openapi.json",
)  # fmt: skip
"""Everything that a spectator can request."""
UNSTEADY: Final = re.compile(
    r'\d{4}-\d{2}-\d{2}T[0-9:.]+(?:Z|\+00:00)?|\d{4}[.-]\d{2}[.-]\d{2}|"(?:at|forest|sea)":\d{4,}'
)
"""Timestamps and clock readings."""
NUMBERS: Final = re.compile(r"(?<=[ =:])[0-9.e+-]+(?=\s|$)", re.MULTILINE)
LONG_HEX: Final = re.compile(r"\b[0-9a-f]{24,64}\b")
"""Commitments, the players' random numbers, and ids, all of which differ from game to game."""


@dataclasses.dataclass(frozen=True)
class Size:
    """The size of a run."""

    games: int = 6
    """The number of games, each played with two decks."""
    seed: int = 1


@dataclasses.dataclass
class SecrecyResult:
    """The results of a run."""

    pairs: int = 0
    messages: int = 0
    """Socket messages in total."""
    answers: int = 0
    """HTTP responses."""
    log_lines: int = 0
    metrics: int = 0
    """How many times the metrics were fetched; 0 if the server does not publish them."""
    searched: int = 0
    """The number of characters searched for secrets."""
    faults: list[str] = dataclasses.field(default_factory=list)


class Decks(SecretChance):
    """Deals the same position in every game, but lets ``order`` determine the first draw. Records the secrets."""

    def __init__(self, deal: bytes, order: int) -> None:
        self._deal: Final = deal
        self._order: Final = order
        self.secrets: Final[list[bytes]] = []

    def new_seed(self) -> bytes:
        """Return a new seed, and record it so that the output can be searched for it."""
        self.secrets.append(super().new_seed())
        return self.secrets[-1]

    def deal(self, seed: bytes, variant: Variant, first: Tribe | None) -> str:
        """Deal from the same seed in every game."""
        self.secrets.append(seed)
        return super().deal(self._deal, variant, first)

    def draw_key(self, key: bytes) -> bytes:
        """A key whose first draw is the first tile of the deck if ``order`` is 0, and another tile otherwise."""
        del key
        return _key_of_first_draw((0b0000, 0b0100)[self._order])


@functools.cache
def _key_of_first_draw(bits: int) -> bytes:
    """A key that yields ``bits`` as the first four random bits of the first draw.

    The bits choose one of at most 15 tiles: 0000 chooses the first tile, and 0100 never does.
    """
    keys = (number.to_bytes(32) for number in itertools.count())
    return next(key for key in keys if KeyedRandom(key, "draw 0").getrandbits(4) == bits)


@dataclasses.dataclass
class Seen:
    """Everything that a server sent or logged until a tile was drawn, in order: raw, and with ids and times masked."""

    sockets: list[list[str]] = dataclasses.field(default_factory=list)
    answers: list[str] = dataclasses.field(default_factory=list)
    log: list[str] = dataclasses.field(default_factory=list)
    metrics: list[str] = dataclasses.field(default_factory=list)
    raw: list[str] = dataclasses.field(default_factory=list)
    secrets: list[bytes] = dataclasses.field(default_factory=list)
    tokens: list[str] = dataclasses.field(default_factory=list)
    """The seat tokens."""
    drawn: str = ""


class _Lines(logging.Handler):
    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.lines: Final[list[str]] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(self.format(record))


@contextlib.contextmanager
def _logged() -> Iterator[list[str]]:
    """Capture everything that Cairn, Uvicorn and FastAPI log, down to the debug level."""
    handler, loggers = _Lines(), [logging.getLogger(name) for name in ("cairn", "uvicorn", "fastapi")]
    levels = [each.level for each in loggers]
    for each in loggers:
        each.addHandler(handler)
        each.setLevel(logging.DEBUG)
    try:
        yield handler.lines
    finally:
        for each, level in zip(loggers, levels, strict=True):
            each.removeHandler(handler)
            each.setLevel(level)


async def play_until_a_draw(data: Path, chance: Decks, seed: int) -> Seen:
    """Play until a tile is drawn, fetching everything along the way. The choices do not depend on the deck."""
    rng, seen = random.Random(seed), Seen()
    settings = Settings(data=data, pages=data, limits=NO_LIMITS, computer_seed=1)
    variant = ("beginner", "standard", "expert")[seed % 3]
    clock = {"kind": "real-time", "initial": 600_000, "increment": 1_000}
    with _logged() as log:
        async with table(settings, chance=chance) as address, two(address) as (one, other):
            game = await begun(one, other, variant=variant, clock=clock)
            async with (
                one.socket(game["id"]) as forest,
                other.socket(game["id"]) as sea,
                Visitor(address) as watching,
                watching.socket(game["id"]) as spectator,
            ):
                seats, before = {"forest": forest, "sea": sea}, [0, 0, 0]
                while not _drawn(forest.game) and forest.game["now"]["outcome"] is None:
                    await _ask_everything(seen, game["id"], watching, one, other, rng)
                    before = [len(each.messages) for each in (forest, sea, spectator)]
                    mine = seats[forest.game["now"]["decider"]]
                    answer = await mine.play(rng.choice(forest.game["now"]["choices"])["token"])
                    for each in (forest, sea, spectator):
                        await each.until(answer["revision"])
                seen.drawn = _drawn(forest.game)
                heard = zip((forest, sea, spectator), before, strict=True)
                told = [each.messages[:until] if seen.drawn else each.messages for each, until in heard]
        seen.tokens = [one.seat, other.seat]
        seen.secrets = chance.secrets
        seen.sockets = [[_masked(text, game["id"]) for text in texts if '"presence"' not in text] for texts in told]
        seen.log = [_masked(line, game["id"]) for line in log if "HTTP/1.1" not in line and "WebSocket" not in line]
        seen.raw += [*(text for texts in told for text in texts), *log]
    return seen


async def _ask_everything(seen: Seen, game: str, watching: Any, one: Any, other: Any, rng: random.Random) -> None:
    """Occasionally fetch everything that spectators and players can request."""
    if rng.random() > 0.25:
        return
    for visitor, paths in ((watching, PATHS), (one, ("/account/export", PATHS[0])), (other, ("/account/export",))):
        for path in paths:
            answer = await visitor.http.get(f"/api{path.format(game)}")
            seen.raw.append(answer.text)
            seen.answers.append(_masked(f"{path} {answer.status_code} {_plain(answer.text)}", game))
    answer = await watching.http.get("/api/metrics")
    if answer.status_code == 200:
        seen.raw.append(answer.text)
        seen.metrics.append(NUMBERS.sub("NUMBER", _masked(answer.text, game)))


def _drawn(game: dict[str, Any]) -> str:
    return next((step["token"] for step in game["steps"] if step["by"] == "chance"), "")


def _plain(text: str) -> str:
    """Mask the names and ids of guests, which are random."""
    return re.sub(r'"(?:id|done|name|token|player|by|label)":"[^"]*"', '"…"', text)


def _masked(text: str, game: str) -> str:
    return LONG_HEX.sub("HEX", UNSTEADY.sub("TIME", _plain(text.replace(game, "GAME"))))


def _forms(secret: bytes) -> list[str]:
    """The possible encodings of a secret in the output."""
    plain = [secret.hex(), base64.b64encode(secret).decode(), base64.urlsafe_b64encode(secret).decode()]
    return [*(text.rstrip("=") for text in plain), repr(secret)[2:-1], str(int.from_bytes(secret))]


def compare(one: Seen, other: Seen, outcome: SecrecyResult) -> None:
    """Record every difference, and every secret that leaked."""
    outcome.pairs += 1
    for name in ("sockets", "answers", "log", "metrics"):
        mine, theirs = getattr(one, name), getattr(other, name)
        if mine != theirs:
            place = next((pair for pair in zip(mine, theirs, strict=False) if pair[0] != pair[1]), (mine, theirs))
            outcome.faults.append(f"{name} differ before the draw: {str(place)[:1500]}")
    for seen in (one, other):
        outcome.messages += sum(len(texts) for texts in seen.sockets)
        outcome.answers += len(seen.answers)
        outcome.log_lines += len(seen.log)
        outcome.metrics += len(seen.metrics)
        everything = "\n".join(seen.raw)
        outcome.searched += len(everything)
        for secret in seen.secrets:
            if any(form in everything for form in _forms(secret)):
                outcome.faults.append("a seed or a key leaked before the end")
        if any(token in everything for token in seen.tokens):
            outcome.faults.append("a seat token leaked")


async def prove(size: Size) -> SecrecyResult:
    """Run the whole test."""
    outcome = SecrecyResult()
    with folder() as place:
        number = 0
        while outcome.pairs < size.games and number < 4 * size.games:
            number += 1
            dealt = random.Random(f"{size.seed} {number}").randbytes(32)
            seen = [
                await play_until_a_draw(place / f"{number}-{order}", Decks(dealt, order), size.seed + number)
                for order in (0, 1)
            ]
            if all(each.drawn for each in seen):
                if seen[0].drawn == seen[1].drawn:
                    outcome.faults.append("both decks drew the same tile, so the comparison proves nothing")
                compare(seen[0], seen[1], outcome)
    return outcome
