"""The result of a game, as stored in the journal."""

from __future__ import annotations

import dataclasses
import datetime
from collections.abc import Mapping
from typing import Any

from cairn.arena.settings import Job
from cairn.game import Game
from cairn.vocabulary import Outcome, Reason, Tribe, tribe_of


@dataclasses.dataclass(frozen=True, slots=True)
class Forfeit:
    """Why a player lost a game that was not decided on the board."""

    player: int
    kind: str
    """``"crash"``, ``"illegal"`` or ``"time"``."""
    sentence: str


@dataclasses.dataclass(frozen=True, slots=True)
class GameResult:
    """A finished game."""

    job: Job
    start: str
    tokens: tuple[str, ...]
    opening: int
    """The number of tokens that belong to the random opening."""
    result: str
    """``"F"``, ``"S"`` or ``"="``."""
    reason: str
    forfeit: Forfeit | None = None
    note: str = ""
    date: str = ""

    @property
    def points(self) -> float:
        """The points that the first player in the pairing scored: 0, ½ or 1."""
        if self.result == "=":
            return 0.5
        return float((self.result == "F") != self.job.swapped)

    def game(self) -> Game:
        """Replay the game."""
        game = Game(self.start, self.tokens)
        if game.outcome is None:
            winner = None if self.result == "=" else tribe_of(self.result)
            game.end(Outcome(winner, Reason(self.reason)))
        return game

    def to_json(self) -> dict[str, Any]:
        """The result as plain data."""
        return {
            **self.job.to_json(),
            "start": self.start,
            "tokens": " ".join(self.tokens),
            "opening": self.opening,
            "result": self.result,
            "reason": self.reason,
            "fault": dataclasses.asdict(self.forfeit) if self.forfeit else None,
            "note": self.note,
            "date": self.date,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> GameResult:
        """The inverse of :meth:`to_json`."""
        return cls(
            job=Job.from_json(data),
            start=data["start"],
            tokens=tuple(data["tokens"].split()),
            opening=data["opening"],
            result=data["result"],
            reason=data["reason"],
            forfeit=Forfeit(**data["fault"]) if data["fault"] else None,
            note=data["note"],
            date=data["date"],
        )


def result_of(job: Job, game: Game, opening: int, forfeit: Forfeit | None = None, note: str = "") -> GameResult:
    """The result of a game that is over."""
    outcome = game.outcome
    if outcome is None:
        raise ValueError("the game has no result yet: it is not over")
    return GameResult(
        job=job,
        start=game.start_text,
        tokens=tuple(map(str, game.tokens)),
        opening=opening,
        result=outcome.result,
        reason=outcome.reason.value,
        forfeit=forfeit,
        note=note or (f"{forfeit.kind}: {forfeit.sentence}" if forfeit else ""),
        date=datetime.datetime.now(datetime.UTC).strftime("%Y.%m.%d"),
    )


def forfeited(job: Job, game: Game, opening: int, forfeit: Forfeit) -> GameResult:
    """The result of a game after a forfeit. A game that is over on the board keeps its outcome."""
    if game.outcome is None:
        winner = Tribe.SEA if forfeit.player == job.forest else Tribe.FOREST
        game.end(Outcome(winner, Reason.TIME if forfeit.kind == "time" else Reason.ABANDONED))
    return result_of(job, game, opening, forfeit)
